"""Questions instead of guesses: what only a user can decide, by structure, and in words."""
