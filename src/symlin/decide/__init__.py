"""Deciding statements: engines that prove or refute, and the choice among them."""
