"""The ``python -m tabular`` commands that read untrusted files, each in a child process."""
