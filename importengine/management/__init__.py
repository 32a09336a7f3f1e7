"""Commands across packages."""
