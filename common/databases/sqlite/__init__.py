"""Django's backend for SQLite, with kept connections."""
