"""Shapes of requests and responses, shared by HTTP and agents, and how long a caller waits."""
