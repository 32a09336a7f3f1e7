"""Whether the import of a feed's file is applied without a person."""
