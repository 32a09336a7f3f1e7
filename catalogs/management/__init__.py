"""Commands of the catalogs app."""
