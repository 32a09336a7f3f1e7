"""What a web process does before Django is called."""
