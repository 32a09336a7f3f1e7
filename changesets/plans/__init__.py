"""The plan of an import in review: what its rows would change of what is known."""
