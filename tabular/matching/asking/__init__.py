"""Ask instead of guessing: what only a person can decide, by structure, and in words."""
