"""What a process of ours does without."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Absent:
    """A finder that makes a package look as if it were not installed."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
        /,
    ) -> ModuleSpec | None:
        if fullname == self.package:
            raise ModuleNotFoundError(f"{fullname} is not used in this process", name=fullname)
        return None


def without_pandas() -> None:
    """
    Keep pandas out of this process.

    pyarrow imports it, where it is installed, to ask whether a plain list is one of its series:
    a fifth of a second and 40 MB in every process, and nothing here makes one.
    """
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _Absent("pandas"))
