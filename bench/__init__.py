"""
Benchmarks: ``make bench`` runs them all, ``python -m bench NAME`` one.

``make bench`` compares with other tools and writes ``docs/benchmarks.md``. Each module has ``main()
-> None`` and prints figures. Files are generated. Machines are noisy: quote ratios within one run,
not seconds.
"""
