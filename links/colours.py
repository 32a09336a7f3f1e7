"""A host's colour, made readable on light and dark pages (WCAG 2.2, 1.4.3). Pure."""

import re
from dataclasses import dataclass

COLOUR = re.compile(r"#[0-9a-f]{6}")
LEAST_CONTRAST = 4.5
LIGHT, DARK = "#ffffff", "#12161f"  # the backgrounds of the page
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
STEPS = 100
Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Accents:
    """One colour for each scheme; text on it has the colour of the background."""

    light: str
    dark: str


def accents(colour: str) -> Accents:
    """
    Return the shades of a colour that can be read on the backgrounds of the page.

    >>> accents("#ffcc00")
    Accents(light='#8f7200', dark='#ffcc00')
    """
    return Accents(_readable(colour, LIGHT, towards=BLACK), _readable(colour, DARK, towards=WHITE))


def contrast(colour: str, other: str) -> float:
    """
    Return the contrast of two colours.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    darker, lighter = sorted(_luminance(_rgb(each)) for each in (colour, other))
    return (lighter + 0.05) / (darker + 0.05)


def _readable(colour: str, on: str, *, towards: Rgb) -> str:
    """Mix a colour with black or white until it can be read; the last step always can."""
    start = _rgb(colour)
    for step in range(STEPS + 1):
        mixed = _hex(_mixed(start, towards, step / STEPS))
        if contrast(mixed, on) >= LEAST_CONTRAST:
            return mixed
    return _hex(towards)


def _mixed(start: Rgb, end: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def _rgb(colour: str) -> Rgb:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _hex(rgb: Rgb) -> str:
    return "#" + "".join(f"{part:02x}" for part in rgb)


def _luminance(rgb: Rgb) -> float:
    red, green, blue = (_linear(part / 255) for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
