"""The engine and other people's tools on the same generated files; ``make bench`` compares them."""


def main() -> None:
    """Measure everything, and write ``docs/benchmarks.md``."""
    from bench.peers import comparing

    comparing.main()
