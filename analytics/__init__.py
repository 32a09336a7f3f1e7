"""What happened and what waits, in numbers: for metrics, ``status`` and the admin."""
