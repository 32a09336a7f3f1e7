"""What every response has: language, problems, headers."""
