"""
Figures of the engine itself next to their targets, for ``docs/benchmarks.md``.

``python -m bench.figures NAME`` measures one section; ``big`` is measured by its name alone.
PostgreSQL and Redis are used where ``IMPORT_POSTGRES_URL`` and ``IMPORT_REDIS_URL`` are set:
databases are created and dropped there, and the Redis databases 13 and 14 are emptied.
``BENCH_SCALE`` multiplies the sizes.
"""


def main() -> None:
    """Print all sections."""
    import tempfile
    from pathlib import Path

    from bench.figures.sections import SECTIONS, measured

    with tempfile.TemporaryDirectory(prefix="bench-figures-") as work:
        for name, section in SECTIONS.items():
            print(f"-- {section.title}", flush=True)
            if failure := measured(name, section, Path(work)).failure:
                print(f"   {failure}", flush=True)
