"""Lists of words, as data."""
