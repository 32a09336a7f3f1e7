"""What the reader of text files asks: the encoding, where two fit."""

from __future__ import annotations

from tabular.model.question import Candidate, Question
from tabular.reading.text.encoding import Encoding


def which_encoding(encoding: Encoding) -> tuple[Question, ...]:
    """Ask which encoding a text file has, where others fit as well: by lines as each reads them."""
    if not encoding.rivals:
        return ()
    names = (encoding.name, *encoding.rivals)
    candidates = tuple(
        Candidate(name, f"{name}: {_read_as(encoding.sample, name)}", score=None) for name in names
    )
    evidence = tuple(f"{name}: {_read_as(encoding.sample, name, lines=3)}" for name in names)
    return (Question("encoding", (), candidates, evidence, default=encoding.name),)


def _read_as(sample: bytes, name: str, lines: int = 1) -> str:
    texts = sample.decode(name, "replace").splitlines()[:lines]
    return " / ".join(text.replace("\0", "")[:80] for text in texts)
