"""A language model's proposals: what it is asked, how it is read, and what that is worth."""
