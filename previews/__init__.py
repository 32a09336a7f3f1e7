"""Files that are tried: to make a catalog of, or to see what a draft would do with them."""
