"""
Files in an S3-compatible bucket, read through a cache on this machine.

A file is one object, with the SHA-256 of its bytes in its metadata; a folder is an object per file.
Where a folder names parts of its files, one part is fetched without the others.
A write is durable when the store has confirmed it. Calls are retried with growing pauses for
``RETRY``, so that a store that restarts is not noticed.
"""

import hashlib
import json
import logging
import os
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from configparser import ConfigParser
from contextlib import suppress
from datetime import timedelta
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

from common.storage.cached import Cache
from common.storage.errors import (
    StorageDamaged,
    StorageFull,
    StorageUnreachable,
    what_is_wrong,
)
from common.storage.homes import folder, remove_local, sync_folder
from common.storage.in_parts import (
    PARTS,
    Data,
    Part,
    PartsOf,
    StoredParts,
    mapped,
    write_parts,
)
from common.storage.marker import FOREIGN, claim

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig, S3Config, S3Store

logger = logging.getLogger(__name__)

T = TypeVar("T")
RETRY: "RetryConfig" = {
    "max_retries": 8,
    "retry_timeout": timedelta(seconds=30),
    "backoff": {
        "init_backoff": timedelta(milliseconds=200),
        "max_backoff": timedelta(seconds=5),
        "base": 2,
    },
}
TIMES_OUT: "ClientConfig" = {"connect_timeout": "5s", "timeout": "60s"}  # of one try
MARKER = ".engine"  # names the database whose files these are
WHOLE = ".whole"  # in a cached folder that has all files of the stored one
CREDENTIALS = ("access_key_id", "secret_access_key", "session_token")
DIGEST = "sha256"  # in the metadata of each object
AT_ONCE = 4  # files of one folder that are sent or fetched at the same time
CHUNK_BYTES = 1 << 20


class Bucket:
    """
    A bucket, or the part of it below a prefix.

    url: ``https://host/bucket/prefix``. The credentials come from ``AWS_ACCESS_KEY_ID`` and its
    neighbours, from a shared credentials file, or from the machine's role.
    """

    def __init__(self, url: str, region: str, cache: Cache) -> None:
        self._url = url
        self._region = region
        self._cache = cache
        self.root = cache.root
        self._named: tuple[str, dict[str, Any]] = ("", {})  # a folder, and the parts in it
        self._process: int | None = None  # the only one that may use the client

    def keep(self, name: str, parts_of: PartsOf | None = None) -> None:
        """Send a new file or folder; without a confirmation it is not kept here either."""
        path = self.root / name
        try:
            if path.is_dir():
                if parts_of is not None:
                    write_parts(path, parts_of)
                members = [f"{name}/{file.name}" for file in path.iterdir()]
                size = sum(self._each(self._send, members))
                (path / WHOLE).touch()
            else:
                size = self._send(name)
        except BaseException:
            remove_local(path)
            raise
        sync_folder(path.parent)
        self._cache.added(size)

    def ready(self, name: str) -> None:
        """Fetch a file or a folder that is not here; what does not exist stays absent."""
        if "/" not in name:
            return
        if name.count("/") == 1 and "-" not in name:
            if self._cache.use(f"{name}/{WHOLE}"):
                return
            if members := self._members_of(name):
                self._each(self._fetch, [m for m in members if not self._cache.use(m)])
                (self.root / name / WHOLE).touch()
        elif not self._cache.use(name):
            self._fetch(name)

    def parts(self, name: str) -> StoredParts | None:
        """Return the parts of a file of a folder, or None if it is here or has none."""
        if self._cache.use(name):
            return None
        folder, _, file = name.rpartition("/")
        if self._named[0] != folder:  # the files of one folder are opened together
            self._named = folder, self._parts_named(f"{folder}/{PARTS}")
        written = self._named[1].get(file)
        return StoredParts(written, partial(self._read_part, name)) if written else None

    def _parts_named(self, index: str) -> dict[str, Any]:
        """Return what can be read alone of the files of a folder."""
        if self._cache.use(index):
            with suppress(ValueError):  # it was not written whole when the machine failed
                kept: dict[str, Any] = json.loads((self.root / index).read_bytes())
                return kept
        try:
            self.fetch(index, self._cache, is_synced=False)
        except FileNotFoundError:  # it has none, which is asked once
            with self._cache.incoming(index, is_synced=False) as part:
                part.write_text("{}", encoding="utf-8")
        fetched: dict[str, Any] = json.loads((self.root / index).read_bytes())
        return fetched

    def _read_part(self, name: str, part: Part) -> Data:
        """Return the bytes of a part, from the copy of this machine or else from the store."""
        import obstore

        folder, _, file = name.rpartition("/")
        copy = f"{folder}/.{file}@{part.start}"
        if self._cache.use(copy) and part.holds(kept := mapped(self.root / copy)):
            return kept
        end = part.start + part.size
        data = bytes(
            self._ask(lambda: obstore.get_range(self._store, name, start=part.start, end=end))
        )
        if not part.holds(data):
            logger.error("the stored file %s is not what was written", name)
            raise StorageDamaged
        try:
            with self._cache.incoming(copy, is_synced=False) as path:
                path.write_bytes(data)
        except StorageFull:
            return data
        self._cache.added(part.size)
        return mapped(self.root / copy)

    def copy(self, name: str, other: str) -> bool:
        """Copy the object in the store."""
        import obstore

        self._ask(lambda: obstore.copy(self._store, name, other))
        return True

    def remove(self, name: str) -> None:
        """
        Remove the objects, and the copies of this machine.

        A store that refuses or does not answer is only logged: no row names the file any more, and
        the daily sweep tries again.
        """
        import obstore

        remove_local(self.root / name)
        remove_local(folder().root / name)
        try:
            names = [name] if "-" in name else [item["path"] for item in self._objects(f"{name}/")]
            if names:
                self._ask(lambda: obstore.delete(self._store, names))
        except StorageUnreachable as error:
            logger.warning("a stored file is not deleted yet: %s", error)

    def size(self, folder: str) -> int:
        """Return the size of the folder's objects."""
        return sum(item["size"] for item in self._objects(f"{folder}/"))

    def names_before(self, moment: float) -> Iterator[str]:
        """Yield names by the time of their last object."""
        objects = (item for item in self._objects("") if item["path"].count("/") >= 1)
        for name, members in groupby(objects, lambda o: "/".join(o["path"].split("/")[:2])):
            if max(item["last_modified"].timestamp() for item in members) < moment:
                yield name

    def marker(self, engine: str) -> str:
        """Return the id of the engine whose files these are: ``engine``, if there was none."""
        import obstore
        from obstore.exceptions import AlreadyExistsError

        def take() -> None:
            with suppress(AlreadyExistsError):
                obstore.put(self._bare, MARKER, engine.encode(), mode="create")

        with suppress(FileNotFoundError):
            return self._ask(lambda: bytes(obstore.get(self._bare, MARKER).bytes()).decode())
        self._ask(take)
        return self._ask(lambda: bytes(obstore.get(self._bare, MARKER).bytes()).decode())

    def put(self, name: str, path: Path) -> bool:
        """Send a local file, unless the store has it. Return whether it was sent."""
        import obstore

        digest = digest_of(path)
        if self.digest(name) == digest:
            return False
        attributes = {DIGEST: digest}
        self._ask(lambda: obstore.put(self._store, name, path, attributes=attributes))
        return True

    def digest(self, name: str) -> str:
        """Return the SHA-256 that was sent with an object, or an empty text if there is none."""
        import obstore

        try:
            got = self._ask(lambda: obstore.get(self._store, name, options={"head": True}))
        except FileNotFoundError:
            return ""
        return str(got.attributes.get(DIGEST, ""))

    def fetch(self, name: str, to: Cache, *, is_synced: bool = True) -> None:
        """Copy one object to a folder. Raise StorageDamaged if it is not what was sent."""
        import obstore

        digest = hashlib.sha256()

        def write(part: Path) -> str:
            got = obstore.get(self._store, name)
            with part.open("wb") as file:
                for chunk in got.stream(min_chunk_size=CHUNK_BYTES):
                    digest.update(chunk)
                    file.write(chunk)
            return str(got.attributes.get(DIGEST, ""))

        with to.incoming(name, is_synced=is_synced) as part:
            expected = self._ask(lambda: write(part))
            if digest.hexdigest() != expected:
                logger.error("the stored file %s is not what was written", name)
                raise StorageDamaged

    def members(self) -> Iterator[str]:
        """Yield the names of all objects, those of the files in folders included."""
        yield from (item["path"] for item in self._objects("") if "/" in item["path"])

    def probe(self) -> str:
        """Write, read and delete an object. Return what is wrong, or an empty text."""
        import obstore
        from obstore.exceptions import BaseError

        name = f".probe-{secrets.token_hex(6)}"
        try:
            obstore.put(self._store, name, b"ok")
            obstore.get(self._store, name).bytes()
            obstore.delete(self._store, name)
        except StorageUnreachable as error:
            return what_is_wrong(error.__cause__) if error.__cause__ else FOREIGN
        except (BaseError, FileNotFoundError) as error:
            return what_is_wrong(error)
        return ""

    def _send(self, name: str) -> int:
        """Send one new local file; return its size."""
        import obstore

        path = self.root / name
        attributes = {DIGEST: digest_of(path)}
        self._ask(lambda: obstore.put(self._store, name, path, attributes=attributes))
        return path.stat().st_size

    def _fetch(self, name: str) -> None:
        """Fetch one file, and compare it with the digest that was sent with it."""
        try:
            self._fetch_once(name)
        except StorageFull:
            self._cache.sweep(0)  # all that is not in use
            self._fetch_once(name)

    def _fetch_once(self, name: str) -> None:
        try:
            self.fetch(name, self._cache)
        except FileNotFoundError:
            self._from_folder(name)
            return
        self._cache.added((self.root / name).stat().st_size)

    def _members_of(self, name: str) -> list[str]:
        """Return the files of a folder, with those that were not moved into the bucket yet."""
        members = {item["path"] for item in self._objects(f"{name}/")}
        not_moved = folder().root / name
        if not_moved.is_dir():
            members |= {f"{name}/{file.name}" for file in not_moved.iterdir()}
        return sorted(members)

    def _from_folder(self, name: str) -> None:
        """Take a file of this machine that was not moved into the bucket yet."""
        path = folder().root / name
        if path.is_file():
            with self._cache.incoming(name) as part:
                part.write_bytes(path.read_bytes())

    def _objects(self, prefix: str) -> Iterator[Any]:
        import obstore

        pages = obstore.list(self._store, prefix or None, chunk_size=1000)
        while page := self._ask(lambda: next(pages, None)):
            yield from (item for item in page if item["path"].startswith(prefix))

    def _each(self, do: Callable[[str], T], names: list[str]) -> list[T]:
        self._claim()  # in this thread, which has the database
        if len(names) < 2:
            return [do(name) for name in names]
        with ThreadPoolExecutor(min(AT_ONCE, len(names))) as pool:
            return list(pool.map(do, names))

    def _ask(self, call: Callable[[], T]) -> T:
        from obstore.exceptions import BaseError

        if self._process not in (None, os.getpid()):  # its threads stayed behind: it would hang
            raise RuntimeError("the bucket was used before this process was forked")
        try:
            return call()
        except BaseError as error:
            logger.warning("the file store: %s", what_is_wrong(error))
            raise StorageUnreachable from error

    def _claim(self) -> "S3Store":
        return self._store

    @cached_property
    def _store(self) -> "S3Store":
        """The bucket, once it is known to be this engine's own."""
        claim(self)
        return self._bare

    @cached_property
    def _bare(self) -> "S3Store":
        from obstore.store import S3Store

        self._process = os.getpid()
        parts = urlsplit(self._url)
        bucket, _, prefix = parts.path.strip("/").partition("/")
        return S3Store(
            bucket,
            prefix=prefix or None,
            endpoint=f"{parts.scheme}://{parts.netloc}",
            region=self._region,
            client_options={**TIMES_OUT, "allow_http": parts.scheme == "http"},
            retry_config=RETRY,
            config=_credentials(),
        )


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a local file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _credentials() -> "S3Config":
    """
    Return the credentials of the environment, or of a shared file if it has none.

    A variable may come from a file that ends a line, which no header may have.
    """
    if os.environ.get("AWS_ACCESS_KEY_ID", "").strip():
        given = {name: os.environ.get(f"AWS_{name.upper()}", "").strip() for name in CREDENTIALS}
        return cast("S3Config", {name: value for name, value in given.items() if value})
    path = os.environ.get("AWS_SHARED_CREDENTIALS_FILE") or Path.home() / ".aws" / "credentials"
    file = ConfigParser()
    file.read(path)
    profile = os.environ.get("AWS_PROFILE", "default")
    if not file.has_section(profile):
        return {}
    keys = file[profile]
    config: S3Config = {
        "access_key_id": keys.get("aws_access_key_id", ""),
        "secret_access_key": keys.get("aws_secret_access_key", ""),
    }
    if token := keys.get("aws_session_token"):
        config["session_token"] = token
    return config
