"""Commands of this package."""
