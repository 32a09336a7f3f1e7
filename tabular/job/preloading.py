"""Import and load what any job may need, once, for a process that forks jobs."""

import encodings
import inspect
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from typing import Any

import tabular
from tabular.protocol import forms
from tabular.protocol.files import REQUESTS
from tabular.protocol.jobs import Problem
from tabular.protocol.requests import RESULT_OF, Request

LEFT_OUT = ("tabular.__main__", "tabular.commands", "tabular.writing")
READERS = (
    *("pyarrow.csv", "pyarrow.json", "pyarrow.compute", "pyarrow.ipc"),
    *("pypdfium2", "pypdfium2.raw", "python_calamine", "defusedxml.ElementTree", "defusedxml.sax"),
    *(
        *("pyreadstat", "msoffcrypto.format.ooxml", "msoffcrypto.format.xls97"),
        "xml.sax.expatreader",
        "babel.core",
        "babel.dates",
        "babel.numbers",
        "babel.messages.pofile",
    ),
    *("email_validator", "phonenumbers", "_strptime", "zoneinfo", "ctypes.util", "mmap", "pprint"),
    "pyreadstat",
)
OF_WINDOWS = ("encodings.mbcs", "encodings.oem", "encodings.cp65001")

HEADERS = ("Rechnungsdatum", "custmer numbr", "Betrag (EUR)", "zzyzx")
TEXTS = (
    "1.249,00 €",
    "-12.5 %",
    "05.02.2026",
    "2026-02-05T10:30:00Z",
    "A-17",
    "Ada",
    "n/a",
    "+49 30 1",
)


def preload() -> None:
    """Import the engine and its readers, and load their data: words, places, languages."""
    for module in walk_packages(tabular.__path__, "tabular."):
        if not module.name.startswith(LEFT_OUT):
            import_module(module.name)
    for name in READERS:
        import_module(name)
    for _, name, _ in iter_modules(encodings.__path__, "encodings."):
        if name not in OF_WINDOWS:
            import_module(name)
    for load in _kept():
        load()
    _practise()


def _practise() -> None:
    """Build what is built on first use: terms by length, patterns, types of documents."""
    import numpy as np
    import pyarrow as pa

    from tabular.values.judging import judge
    from tabular.vocabulary.names import languages_of

    # Arrow looks for pandas and dateutil once, and imports them where they are installed.
    pa.array(np.zeros(1))
    pa.array(TEXTS)
    languages_of(HEADERS)
    forms.prepare(Request, *REQUESTS.values(), *RESULT_OF.values(), Problem)
    for text in TEXTS:
        judge(text)


def _kept() -> Iterator[Callable[[], Any]]:
    """Yield what is loaded once and cached: the engine's cached functions without parameters."""
    for name, module in sorted(sys.modules.items()):
        if not name.startswith("tabular."):
            continue
        for value in list(vars(module).values()):
            is_own = getattr(value, "__module__", None) == name
            if is_own and hasattr(value, "cache_info") and not inspect.signature(value).parameters:
                yield value
