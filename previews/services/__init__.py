"""Commands on files that are only tried."""

from previews.services.new_preview import try_file, try_rows
from previews.services.regression_files import drop_test, expect, keep_test, run_tests

__all__ = ["drop_test", "expect", "keep_test", "run_tests", "try_file", "try_rows"]
