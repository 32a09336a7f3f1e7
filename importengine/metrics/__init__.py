"""What a program counts itself, and metrics that are pushed."""
