"""What happens to a page on its way through a scanner: turned, tilted, blurred, soiled."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

Way = Literal["clean", "turned", "upside_down", "tilted", "blurred", "coarse", "fax"]
WAYS: tuple[Way, ...] = (
    "clean", "turned", "upside_down", "tilted", "blurred", "coarse", "fax"
)  # fmt: skip
DOTS = 300
COARSE_DOTS = 200
MOST_PAGES = 3  # of one document


def scanned(pdf: Path, way: Way, *, seed: int) -> int:
    """Write a TIFF with the pages of a PDF next to it, as a scanner would. Return their number."""
    random = np.random.default_rng(seed)
    document = pypdfium2.PdfDocument(pdf)
    dots = COARSE_DOTS if way in {"coarse", "fax"} else DOTS
    frames = [
        _through(document[number].render(scale=dots / 72).to_pil().convert("L"), way, random)
        for number in range(len(document))
    ]
    document.close()
    frames[0].save(
        pdf.with_suffix(".tiff"),
        save_all=True,
        append_images=frames[1:],
        compression="tiff_lzw",
        dpi=(dots, dots),
    )
    return len(frames)


def _through(page: Image.Image, way: Way, random: np.random.Generator) -> Image.Image:
    match way:
        case "turned":
            return page.rotate(90 if random.random() < 0.5 else 270, expand=True)
        case "upside_down":
            return page.rotate(180)
        case "tilted":
            angle = random.uniform(0.4, 2.0) * random.choice([-1, 1])
            return page.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255)
        case "blurred":
            sharp = np.asarray(page.filter(ImageFilter.GaussianBlur(1.3)), np.float64)
            soft = 245 - (255 - sharp) * 0.8 + random.normal(0, 6, sharp.shape)
            held = io.BytesIO()
            Image.fromarray(soft.clip(0, 255).astype(np.uint8)).save(held, "JPEG", quality=60)
            return Image.open(held).convert("L")
        case "fax":
            return page.point(lambda value: 255 if value > 140 else 0).convert("1").convert("L")
        case _:
            return page
