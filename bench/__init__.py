"""Benchmarks: ``make bench`` runs them all, ``python -m bench NAME`` one.

Each module has ``main(sets: Path) -> None`` and prints figures; ``sets`` is the folder that
``EVAL_SETS`` names. Machines are noisy: quote ratios of one run, not seconds.
"""
