"""The jobs that workers run for an import, one module per state."""
