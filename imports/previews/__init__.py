"""What an answer or a mapping would do to the rows, without storing it."""
