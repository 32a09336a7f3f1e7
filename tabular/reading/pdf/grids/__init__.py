"""Candidate tables on one page: drawn ones, aligned ones, and the choice between them."""
