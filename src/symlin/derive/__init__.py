"""Derivations: entry formulas and views of products, step by step."""
