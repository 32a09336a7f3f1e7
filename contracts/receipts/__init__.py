"""Receipts of imports: signed, without data, verified offline. Pure."""
