"""Django's backend for PostgreSQL, with kept connections."""
