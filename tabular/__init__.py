"""File in, typed rows out. Pure: no framework, no database, no network, no clock."""
