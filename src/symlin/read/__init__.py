"""Readers: documents to pieces, LaTeX to a surface tree, and surface trees to meaning."""
