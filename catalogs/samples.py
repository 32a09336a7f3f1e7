"""An own sample of a catalog: the file that people download instead of the generated template."""

import zlib
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from catalogs.errors import NoSample, SampleUnreadable
from catalogs.models import Catalog, CatalogSample
from common import storage
from common.actors import Actor
from common.errors import TooLarge, Unprocessable
from common.wording.messages import english_message
from sandbox import JobFailed
from sandbox.bench import Bench
from tabular.model.problem import Limits, TabularProblem
from tabular.protocol.files import ShowRequest

MOST_BYTES = 5 * 1024**2
KINDS = {".xlsx": "xlsx", ".csv": "csv"}
ZIPPED = b"PK\x03\x04"  # how every workbook begins


def save_sample(
    *, catalog: Catalog, name: str, path: Path, actor: Actor, at: datetime
) -> tuple[CatalogSample, bool]:
    """
    Replace the sample of a catalog. Return it, and whether there was none.

    path: the file as it was sent. Raise SampleUnreadable or TooLarge, or Unprocessable with the
    reason why the file cannot be read.
    """
    if path.stat().st_size > MOST_BYTES:
        raise TooLarge("too_large.sample", size=MOST_BYTES)
    content = path.read_bytes()
    kind = KINDS.get(Path(name).suffix.lower())
    if kind is None or content.startswith(ZIPPED) != (kind == "xlsx"):
        raise SampleUnreadable
    _require_readable(path)
    about = {
        "kind": kind,
        "size": len(content),
        "content": zlib.compress(content),
        "saved_at": at,
        "saved_by": actor.as_dict(),
    }
    with transaction.atomic():
        return CatalogSample.objects.update_or_create(catalog=catalog, defaults=about)


def _require_readable(path: Path) -> None:
    """Read the first row in a limited child, as each file of an import is read."""
    with storage.working_folder("sample") as folder:
        bench = Bench(folder, Limits(**settings.LIMITS))
        try:
            bench.run("show", ShowRequest(input=str(path), rows=1))
        except TabularProblem as problem:
            about = problem.as_dict()
            sentence = english_message(about["detail"])
            raise Unprocessable(sentence, code=str(about["code"])) from problem
        except JobFailed as error:
            raise SampleUnreadable from error


def sample_of(catalog: Catalog) -> CatalogSample | None:
    """Return the sample of a catalog; None without one of its own."""
    return CatalogSample.objects.filter(catalog=catalog).first()


def delete_sample(*, catalog: Catalog) -> None:
    """Delete the sample: people get the generated template again. Raise NoSample."""
    if not CatalogSample.objects.filter(catalog=catalog).delete()[0]:
        raise NoSample
