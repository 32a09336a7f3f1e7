"""What callers take and show: one shape for HTTP and for agents, and how long a caller waits."""
