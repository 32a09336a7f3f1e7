"""pyarrow without pandas, which it would import to look for values that the engine never makes."""

import sys
from importlib.machinery import ModuleSpec
from typing import Any

import pyarrow as pa


class _NoPandas:
    """Finds no pandas, although it may be installed."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def keep_pandas_out() -> None:
    """
    Let pyarrow look for pandas now, and find none: it looks once.

    An import of pandas takes longer than reading a small file, and 40 MB. Code that hands pyarrow a
    frame still works, because it names pandas.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_NoPandas)
