"""A host that checks rows while people review them."""
