"""
Shift the engine's clock by the seconds that a file holds, while the process runs.

Python imports this automatically if the folder is in PYTHONPATH. Only ``common.clock.now``, the
only source of the time, is shifted: timers continue as when a real clock is set.
"""

import importlib.util
import os
import sys
from datetime import timedelta
from pathlib import Path


class ShiftedClock:
    """Finds ``common.clock`` as usual and wraps its ``now``."""

    def find_spec(self, name, path=None, target=None):
        if name != "common.clock":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            real, file = module.now, Path(os.environ["CLOCK_FILE"])
            module.now = lambda: real() + timedelta(seconds=float(file.read_text() or 0))

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, ShiftedClock())
