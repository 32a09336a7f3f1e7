"""What happens next: the steps of an import, the worker that runs them, and retention."""
