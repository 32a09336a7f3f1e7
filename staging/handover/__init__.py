"""Rows on their way out, and what hosts say of them."""
