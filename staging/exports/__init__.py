"""Rows on their way out, and the hosts' findings about them."""
