"""Answers: recorded, remembered, and as a transform takes them."""
