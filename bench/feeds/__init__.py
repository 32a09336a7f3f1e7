"""Figures of feeds: very many that are due at once, and very many files at one place."""

from bench.feeds import due, listing


def main() -> None:
    """Run the measurements of feeds."""
    due.main()
    listing.main()
