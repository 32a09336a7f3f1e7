"""Text recognition: the program that turns pictures of text into words, and what it answers."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Recognition:
    """
    The program a job may use, as its parent found it when it started.

    program: its path. folder: its language data. page_seconds: the most time for one picture.
    """

    program: str
    folder: str
    languages: tuple[str, ...]
    version: str
    page_seconds: int = 60

    @property
    def named(self) -> str:
        """The program's name, version and languages, for people."""
        return f"tesseract {self.version} ({', '.join(self.languages)})"


@dataclass(frozen=True, slots=True)
class Picture:
    """
    A picture of text. pixels: one byte each, 0 black, row by row.

    is_sparse: its text is in no particular order; otherwise it is a block of lines.
    """

    width: int
    height: int
    pixels: bytes
    dots_per_inch: int
    is_sparse: bool = True


class RecognitionFailed(Exception):
    """The program did not recognise a picture: it is missing, was killed, hangs or fails."""


class Recogniser(Protocol):
    """Recognises the text of pictures, one at a time."""

    named: str

    def words(self, picture: Picture) -> str:
        """
        Return the words of a picture with their boxes and confidences, as TSV.

        Raise RecognitionFailed.
        """
        ...
