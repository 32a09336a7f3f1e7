"""Files to try the engine with, and a receiver to start a host from."""
