"""
The demo host: a page that uses the public API, and a receiver that shows deliveries.

Served only if ``IMPORT_DEMO`` is on; the engine does not depend on it.
"""
