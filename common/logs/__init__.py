"""Log lines: what they are about, and their form as JSON."""
