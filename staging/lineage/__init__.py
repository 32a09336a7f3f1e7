"""What a table was made from, and the operations between two of its revisions."""
