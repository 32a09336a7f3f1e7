"""Pure parts of links: who may go on, colours that can be read, pictures that are safe."""

import base64
import itertools
from datetime import UTC, datetime, timedelta

import pytest

from licensing.logo import MOST_BYTES, is_logo
from links.colours import DARK, LEAST_CONTRAST, LIGHT, accents, contrast
from links.models import Link
from links.standing import Seen, standing

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("state", "kind", "seen", "shown"),
    [
        ("open", "single", Seen(), "start"),
        ("used", "single", Seen(), "used"),
        ("used", "single", Seen(is_known=True), "go_on"),
        ("used", "single", Seen(is_known=True, has_sent=True, left=0), "done"),
        ("used", "single", Seen(is_known=True, has_sent=True, is_busy=True, left=0), "go_on"),
        ("open", "dated", Seen(left=0), "full"),
        ("used", "dated", Seen(), "full"),  # one was cancelled after all were started
        ("used", "dated", Seen(is_known=True, left=0), "full"),
        ("revoked", "single", Seen(is_known=True), "revoked"),
        ("open", "single", Seen(license_is_valid=False), "revoked"),
        ("expired", "single", Seen(is_known=True), "expired"),
    ],
)
def test_a_link_is_to_each_browser_what_it_did_with_it(state, kind, seen, shown):
    link = Link(state=state, kind=kind, expires_at=NOON + timedelta(hours=1))

    assert standing(link, seen, at=NOON) == shown


def test_a_link_whose_time_is_over_is_expired_before_a_task_notes_it():
    link = Link(state="used", kind="single", expires_at=NOON)

    assert standing(link, Seen(is_known=True), at=NOON) == "expired"


def test_a_locked_link_lets_no_new_browser_in():
    link = Link(state="open", expires_at=NOON + timedelta(hours=1), locked_at=NOON)

    assert standing(link, Seen(), at=NOON) == "locked"


@pytest.mark.parametrize("parts", list(itertools.product(("00", "7f", "ff"), repeat=3)))
def test_every_colour_becomes_one_that_can_be_read(parts):
    shades = accents("#" + "".join(parts))

    assert contrast(shades.light, LIGHT) >= LEAST_CONTRAST
    assert contrast(shades.dark, DARK) >= LEAST_CONTRAST


@pytest.mark.parametrize(
    ("kind", "start"),
    [("png", b"\x89PNG\r\n\x1a\n"), ("jpeg", b"\xff\xd8\xff"), ("webp", b"RIFF\0\0\0\0WEBP")],
)
def test_a_logo_is_a_picture_of_its_kind_and_of_a_largest_size(kind, start):
    def uri(content: bytes, of: str = kind) -> str:
        return f"data:image/{of};base64,{base64.b64encode(content).decode()}"

    assert is_logo(uri(start.ljust(MOST_BYTES, b"\0")))
    assert not is_logo(uri(start.ljust(MOST_BYTES + 1, b"\0")))
    assert not is_logo(uri(b"<svg/>"))
    assert not is_logo(uri(start, "svg+xml"))
    assert not is_logo(uri(start) + '" onload="x()')
