"""Stored files: in one folder that web and workers share, or in a bucket (``IMPORT_S3_URL``)."""

from common.storage.errors import StorageDamaged, StorageFull, StorageUnreachable
from common.storage.files import (
    Incoming,
    StoredFile,
    adopt,
    again,
    chunks_of,
    delete,
    local_path,
    names_before,
    parts,
    size_of,
    store,
    stream,
    working_folder,
)
from common.storage.homes import root
from common.storage.in_parts import StoredParts
from common.storage.transfer import (
    damaged,
    stored_names,
    to_bucket,
    to_folder,
    what_is_wrong_with_bucket,
)

__all__ = [
    "Incoming",
    "StorageDamaged",
    "StorageFull",
    "StorageUnreachable",
    "StoredFile",
    "StoredParts",
    "adopt",
    "again",
    "chunks_of",
    "damaged",
    "delete",
    "local_path",
    "names_before",
    "parts",
    "root",
    "size_of",
    "store",
    "stored_names",
    "stream",
    "to_bucket",
    "to_folder",
    "what_is_wrong_with_bucket",
    "working_folder",
]
