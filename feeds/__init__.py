"""Files that arrive by themselves: where from, when, and what becomes of each."""
