"""Commands of contracts."""
