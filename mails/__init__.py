"""Mails to people: what they choose, what is gathered for them, and how it is sent."""
