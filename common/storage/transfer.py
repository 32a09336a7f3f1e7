"""Copy all stored files between the folder of this machine and the bucket, and check them."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from django.conf import settings

from common.storage.bucket import Bucket, digest_of
from common.storage.cached import Cache
from common.storage.errors import StorageDamaged
from common.storage.homes import folder, home


def what_is_wrong_with_bucket() -> str:
    """Write, read and delete a file there. Return what is wrong, or an empty text."""
    return _bucket().probe()


def to_bucket() -> Iterator[tuple[str, bool]]:
    """
    Send every file of this machine's folder; yield each name and whether it was sent now.

    What the bucket has with the same digest is not sent again, so a copy can be continued.
    """
    bucket, root = _bucket(), folder().root
    for path in sorted(root.glob("*/**/*")):
        if path.is_file() and not path.name.startswith("."):
            name = str(path.relative_to(root))
            yield name, bucket.put(name, path)


def to_folder() -> Iterator[tuple[str, bool]]:
    """Fetch every file of the bucket into this machine's folder, as ``to_bucket`` sends them."""
    bucket, root = _bucket(), folder().root
    target = Cache(root, 0)
    for name in bucket.members():
        path = root / name
        is_here = path.is_file() and digest_of(path) == bucket.digest(name)
        if not is_here:
            bucket.fetch(name, target)
        yield name, not is_here


def damaged() -> Iterator[str]:
    """Yield the names of objects whose bytes are not those that were written; read them all."""
    bucket = _bucket()
    target = Cache(Path(settings.DATA_DIR) / "work" / "checked", 0)
    for name in bucket.members():
        try:
            bucket.fetch(name, target)
            (target.root / name).unlink()
        except StorageDamaged:
            yield name


def stored_names() -> Iterator[str]:
    """Yield the name of every stored file and folder."""
    return home().names_before(float("inf"))


def _bucket() -> Bucket:
    return cast("Bucket", home())
