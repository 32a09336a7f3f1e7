"""Attachments as servers describe them, and how their content is decoded."""

import base64
import quopri
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.sources.mail import Attachment, attachments_of, decoder_of
from feeds.sources.protocol import SourceError


def part(kind=b"text", subtype=b"csv", params=None, encoding=b"base64", disposition=None):
    """Return a part without parts, as the client's library parses it."""
    head = (kind, subtype, params, None, None, encoding, 10)
    return (*head, *((1,) if kind == b"text" else ()), None, disposition, None, None)


def attached(*params: bytes):
    return (b"attachment", params)


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ((b"filename", b"orders.csv"), "orders.csv"),
        ((b"FILENAME", b"orders.csv"), "orders.csv"),
        ((b"filename*", b"utf-8''gr%C3%B6%C3%9Fe.csv"), "größe.csv"),
        ((b"filename*0*", b"utf-8''gr%C3%B6", b"filename*1", b"n.csv"), "grön.csv"),
        ((b"filename*0", b"long", b"filename*1", b"name.csv"), "longname.csv"),
        ((b"filename", b"=?utf-8?B?Z3LDtsOfZS5jc3Y=?="), "größe.csv"),
        ((b"filename", b"=?iso-8859-1?Q?gr=F6=DFe.csv?="), "größe.csv"),
        ((b"filename", "größe.csv".encode()), "größe.csv"),
        ((b"filename", "größe.csv".encode("latin-1")), "größe.csv"),
        ((b"filename", b"C:\\Users\\ann\\orders.csv"), "orders.csv"),
        ((b"filename", b"../../etc/passwd"), "passwd"),
        ((b"filename", b".."), "attachment"),
        ((b"filename", b"a\x00b.csv"), "attachment"),
        ((b"filename*", b"no-charset''%FF%FE"), "ÿþ"),
        ((b"filename", b"=?no-charset?B?AAAA?="), "attachment"),
        ((), "attachment"),
    ],
)
def test_a_name_is_decoded_and_made_harmless(params, name):
    assert attachments_of(part(disposition=attached(*params))) == [Attachment("1", name, "base64")]


def test_texts_pictures_within_the_text_and_signatures_are_left_out():
    body = (
        [
            part(b"text", b"plain"),
            part(b"text", b"html"),
            part(b"image", b"png", (b"name", b"logo.png"), disposition=(b"inline", None)),
            part(b"application", b"pkcs7-signature", disposition=attached(b"filename", b"a.p7s")),
            part(b"text", b"csv", (b"name", b"orders.csv")),
        ],
        b"mixed",
    )

    assert attachments_of(body) == [Attachment("5", "orders.csv", "base64")]


def test_files_of_a_forwarded_mail_are_numbered_within_it():
    inner = (
        part(b"text", b"plain"),
        part(disposition=attached(b"filename", b"inner.csv")),
        b"mixed",
        (b"boundary", b"x"),
        None,
        None,
    )
    alone = part(disposition=attached(b"filename", b"alone.csv"))
    forwarded = (b"message", b"rfc822", None, None, None, b"7bit", 900)
    body = ([(*forwarded, (), inner, 20), (*forwarded, (), alone, 20)], b"mixed")

    assert [(file.section, file.name) for file in attachments_of(body)] == [
        ("1.2", "inner.csv"),
        ("2.1", "alone.csv"),
    ]


def test_a_mail_of_too_many_or_too_deep_parts_is_refused():
    deep = part()
    for _ in range(50):
        deep = ([deep], b"mixed")

    for body in (deep, ([part()] * 1_000, b"mixed"), (), (None,), ([()], b"mixed")):
        with pytest.raises(SourceError, match="source_mail_odd"):
            attachments_of(body)


@given(st.binary(max_size=300), st.lists(st.integers(0, 500), max_size=4))
def test_content_is_decoded_alike_wherever_it_is_cut(content, cuts):
    for encoding, encoded in (
        ("base64", base64.encodebytes(content)),
        ("quoted-printable", quopri.encodestring(content)),
        ("binary", content),
    ):
        decode = decoder_of(encoding)
        edges = [0, *sorted(min(cut, len(encoded)) for cut in cuts), len(encoded)]
        pieces = [encoded[a:b] for a, b in pairwise(edges)]
        decoded = b"".join(decode(piece, False) for piece in pieces) + decode(b"", True)

        assert decoded == content


@pytest.mark.parametrize("text", [b"abc", b"ab!=", b"YQ==YQ=="])
def test_content_that_is_not_what_it_says_is_refused(text):
    decode = decoder_of("base64")

    with pytest.raises(SourceError):
        decode(text, True)


def test_an_unknown_encoding_is_refused():
    with pytest.raises(SourceError, match="source_mail_odd"):
        decoder_of("x-uuencode")
