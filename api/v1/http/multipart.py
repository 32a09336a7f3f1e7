"""Files of a multipart form are streamed into storage: one copy, hashed while it is written."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from rest_framework.parsers import MultiPartParser

from common import storage
from common.errors import ServiceError
from imports import services

if TYPE_CHECKING:
    _UploadedFile = UploadedFile[bytes]
else:
    _UploadedFile = UploadedFile


FILE = "file"  # the member with the files


class StoredUpload(_UploadedFile):
    """A file that is already in storage; closing it deletes it unless it was taken."""

    def __init__(self, stored: storage.StoredFile, name: str, **about: Any) -> None:
        super().__init__(file=None, name=name, size=stored.size, **about)
        self.stored = stored
        self._taken = False

    def chunks(self, chunk_size: int | None = None) -> Iterable[bytes]:  # type: ignore[override]  # any iterable will do
        """Yield the stored bytes."""
        return storage.stream(self.stored.name)

    def take(self) -> storage.StoredFile:
        """Keep the file, because a row now names it, and return it."""
        self._taken = True
        return self.stored

    def close(self) -> None:
        """Delete the file if it was not taken."""
        if not self._taken:
            storage.delete(self.stored.name)


def stored(file: Any) -> StoredUpload:
    """Return an uploaded file as stored. Raise EmptyFile, and delete it, if it is empty."""
    if isinstance(file, StoredUpload):
        return file
    return StoredUpload(services.receive_file(file.chunks()), file.name)


def packed(files: Sequence[Any]) -> StoredUpload:
    """Return several files of a form as one stored archive. Raise EmptyFile if one is empty."""
    parts = [stored(file) for file in files]
    archive = services.pack_files([(part.name or "", part.stored) for part in parts])
    stem = (parts[0].name or "").rpartition(".")[0] or "files"
    return StoredUpload(archive, f"{stem} +{len(parts) - 1}.zip")


class SeveralFiles(ServiceError):
    """The form holds more than one file. Send each in a request of its own."""

    code = "several_files"


class TooManyFiles(ServiceError):
    """The form holds more files than an import takes. Send several imports."""

    code = "too_many_files"


class StorageHandler(FileUploadHandler):
    """
    Writes each file of a form to storage while it arrives.

    most: how many files the form may have; more than one only in the member ``file``. The limit of
    bytes is that of all of them together.
    """

    file: storage.Incoming

    def __init__(self, request: Any = None, *, most: int = 1) -> None:
        super().__init__(request)
        self._most = most
        self._members: set[str] = set()
        self._made: list[StoredUpload] = []

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Start the next file. Raise SeveralFiles or TooManyFiles."""
        super().new_file(*args, **kwargs)
        self._members.add(self.field_name or "")
        if self._made and (self._most == 1 or self._members != {FILE}):
            raise SeveralFiles
        if len(self._made) == self._most:
            raise TooManyFiles
        left = settings.MAX_FILE_BYTES - sum(made.stored.size for made in self._made)
        self.file = storage.Incoming(services.FOLDER, max_bytes=max(0, left))

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write bytes. Raise TooLarge if they exceed the limit."""
        self.file.write(raw_data)

    def file_complete(self, file_size: int) -> StoredUpload:
        """Return the stored file."""
        stored = self.file.finish()
        made = StoredUpload(stored, self.file_name or "", content_type=self.content_type)
        self._made.append(made)
        return made

    def upload_interrupted(self) -> None:
        """Delete a file whose upload was interrupted."""
        self.file.close()

    def drop(self) -> None:
        """Delete the files of a form that cannot be parsed completely."""
        if hasattr(self, "file"):
            self.file.close()
        for made in self._made:
            made.close()


class StoredMultiPart(MultiPartParser):
    """``multipart/form-data`` whose files are ``StoredUpload``."""

    most_files: ClassVar[int] = 1

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """Parse with StorageHandler only."""
        request = parser_context["request"]._request
        handler = StorageHandler(request, most=self.most_files)
        request.upload_handlers = [handler]
        try:
            return super().parse(stream, media_type, parser_context)
        except Exception:
            handler.drop()
            raise


class SeveralStored(StoredMultiPart):
    """The same with several files, in the member ``file``."""

    most_files = services.MOST_FILES
