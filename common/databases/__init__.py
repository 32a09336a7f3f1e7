"""Connections to the database and to Redis that more than one call uses."""
