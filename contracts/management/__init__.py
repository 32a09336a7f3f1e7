"""Management commands for contracts."""
