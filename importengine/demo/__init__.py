"""The demo host: a page that uses the public API, and a receiver that shows what arrived.

Served only when ``IMPORT_DEMO`` is on; nothing of the engine depends on it.
"""
