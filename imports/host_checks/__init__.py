"""Hosts that check rows in review: they are asked row by row, and their findings become issues."""
