"""Which texts are sentences of the engine in English: the catalogues, read backwards."""

import re
from functools import cache

from tabular.model.sentences import catalogue, translated

PLACE = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)\}")


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what each template with places looks like, with a part that it must contain."""
    templates = [
        t for t in catalogue("de") if PLACE.search(t) and re.search("[a-z]", PLACE.sub("", t))
    ]
    return tuple(
        (max(PLACE.split(t)[::2], key=len), re.compile(shape(t), re.DOTALL)) for t in templates
    )


def shape(template: str) -> str:
    parts = PLACE.split(template)
    return "".join(
        (r"-?\d[\d,.]*" if re.fullmatch(r"n\d", part) else ".+") if number % 2 else re.escape(part)
        for number, part in enumerate(parts)
    )


def is_english(text: str) -> bool:
    """Return whether a text is one of the engine's sentences, or several of them, in English."""
    if translated(text, "de") != text:
        return True
    parts = [text, *text.split("; ")]
    return any(key in p and pattern.fullmatch(p) for p in parts for key, pattern in patterns())
