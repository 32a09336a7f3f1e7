"""Documents that are printed, scanned and read back: ``python -m eval scans``."""
