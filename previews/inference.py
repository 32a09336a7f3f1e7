"""The job of a file that a catalog is made of: read it, and suggest one."""

from dataclasses import replace
from pathlib import PurePath

from catalogs.documents import RESERVED
from catalogs.models import Catalog
from common import storage
from imports.models import ImportRecord
from imports.progress import Reporter
from licensing.models import Tenant
from previews.workspace import about, working
from tabular.protocol import forms
from tabular.protocol.requests import SuggestRequest

MOST_TITLE = 100  # characters of a file's name


def suggest_catalog(record: ImportRecord, reporter: Reporter) -> None:
    """Suggest a draft. Of the file, only its text is kept, for a day."""
    with working(record, reporter) as work:
        outcome = work.read("read", None)
        result, out = outcome.result, outcome.out
        title = _title_of(record.filename)
        request = SuggestRequest(input=str(out / "source.arrow"), title=title)
        suggested, _ = work.bench.run("suggest", request)
        key = _free_key(record.tenant, suggested.key)
        suggestion = replace(suggested, key=key, catalog={**suggested.catalog, "key": key})
        source = storage.adopt("read", out)
    work.end(about(result) | {"suggestion": forms.as_json(suggestion)}, source=source)


def _title_of(filename: str) -> str:
    """
    Write the name of a file as a title.

    >>> _title_of("artikel_stamm-2026.csv.gz")
    'Artikel stamm 2026'
    """
    stem = PurePath(filename).name.split(".")[0].replace("_", " ").replace("-", " ").strip()
    return (stem[:1].upper() + stem[1:])[:MOST_TITLE] or "Catalog"


def _free_key(tenant: Tenant, key: str) -> str:
    """Return the key, with a number appended if there is such a catalog."""
    like = Catalog.objects.filter(tenant=tenant, key__startswith=key[:60])
    taken = RESERVED.union(like.values_list("key", flat=True))
    number, free = 1, key
    while free in taken:
        number += 1
        free = f"{key[:57]}-{number}"
    return free
