"""A folder on the disk as the place of a feed: real files, without a network."""

from datetime import UTC, datetime
from pathlib import Path

from feeds.sources.protocol import Entry, SourceError


class FolderSource:
    """Lists, opens and moves the files of a folder, as SFTP does it."""

    fingerprint = position = ""

    def __init__(self, folder: Path, ignored_suffix: str = ".done") -> None:
        self.folder, self.ignored_suffix = folder, ignored_suffix

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def entries(self):
        if not self.folder.is_dir():
            raise SourceError("source_folder_missing", folder="out")
        for path in sorted(self.folder.iterdir()):
            if path.is_file() and not path.name.endswith(self.ignored_suffix):
                about = path.stat()
                modified = datetime.fromtimestamp(about.st_mtime, UTC)
                yield Entry(path.name, about.st_size, modified)

    def open(self, entry):
        return (self.folder / entry.path).open("rb")

    def done(self, entry, how):
        path = self.folder / entry.path
        if not path.exists():
            return
        match how.action:
            case "move":
                (self.folder / how.to).mkdir(exist_ok=True)
                path.rename(self.folder / how.to / entry.path)
            case "rename":
                path.rename(path.with_name(path.name + how.to))
            case "delete":
                path.unlink()

    def test(self):
        return (
            ()
            if self.folder.is_dir()
            else (SourceError("source_folder_missing", folder="out").finding,)
        )

    def notes(self):
        return ()
