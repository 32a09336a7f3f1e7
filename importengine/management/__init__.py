"""Commands that cross rooms."""
