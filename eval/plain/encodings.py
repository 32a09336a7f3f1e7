"""The encoding of running text, ours against charset-normalizer's: ``python -m eval encodings``."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path

from charset_normalizer import from_bytes

from eval.plain.columns import pool
from eval.plain.tables import LOCALES
from tabular.model.problem import TabularProblem
from tabular.reading.text.encoding import detect

SIZES = (200, 500, 2000)
AIM = 0.97
_KINDS = ("paragraph", "sentence", "name", "company", "city", "street_address", "country")
WIDE = ("utf-8", "utf-16", "utf-16-le", "utf-16-be")


def running_text(locale: str, encoding: str, size: int, seed: int) -> str:
    """Return lines of a locale's words with ``size`` bytes; "" if it has none."""
    seeded = random.Random(f"{locale}/{encoding}/{size}/{seed}")
    lines: list[str] = []
    taken = 0
    for _ in range(5_000):
        line = seeded.choice(pool(locale, seeded.choice(_KINDS)))
        try:
            written = line.encode(encoding)
        except UnicodeEncodeError:
            continue
        lines.append(line)
        taken += len(written) + 1
        if taken >= size:
            return "\n".join(lines) + "\n"
    return ""


def main(seeds: int = 20) -> int:
    """Print the share of correctly read texts by encoding; return 1 if ours is below the aim."""
    ours, theirs, questions, total = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for locale, encodings in LOCALES.items():
        for encoding in (*encodings, *WIDE):
            for size in SIZES:
                for seed in range(seeds):
                    text = running_text(locale, encoding, size, seed)
                    if text.isascii():
                        continue
                    content = text.encode(encoding)
                    right, has_asked = _ours(content, text)
                    for key in (encoding, f"{size} bytes", "all"):
                        total[key] += 1
                        ours[key] += right or has_asked
                        questions[key] += has_asked
                        theirs[key] += _theirs(content, text)
    for key in total:
        share, other = ours[key] / total[key], theirs[key] / total[key]
        print(
            f"{key}: {share:.3f} right or asked ({questions[key] / total[key]:.3f} asked), "
            f"charset-normalizer {other:.3f}, {total[key]} texts",
            flush=True,
        )
    return int(ours["all"] < AIM * total["all"])


def _ours(content: bytes, text: str) -> tuple[bool, bool]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        path.write_bytes(content)
        try:
            encoding = detect(path)
        except TabularProblem:
            return False, False
    right = content.decode(encoding.name, "replace").lstrip("\ufeff") == text
    fits = any(content.decode(rival, "replace") == text for rival in encoding.rivals)
    return right, not right and fits


def _theirs(content: bytes, text: str) -> bool:
    best = from_bytes(content).best()
    return best is not None and str(best).lstrip("\ufeff") == text
