"""Addresses of the engine where people without an account at the host import a file."""
