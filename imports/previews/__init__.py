"""What runs in a call: trying an answer or a mapping, a page of a file, a password."""
