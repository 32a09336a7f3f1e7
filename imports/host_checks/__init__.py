"""Hosts that judge rows in review: asked row by row, their findings are issues like ours."""
