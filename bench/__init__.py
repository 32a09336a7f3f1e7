"""
Benchmarks: ``make bench`` runs them all, ``python -m bench NAME`` one.

Each module has ``main(sets: Path) -> None`` and prints figures; ``sets`` is the folder in
``EVAL_SETS``. Machines are noisy: quote ratios within one run, not seconds.
"""
