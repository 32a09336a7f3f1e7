"""One text for one value: RFC 8785, and what the strict reading refuses."""

import hashlib
import struct

import pytest

from contracts.canonical import canonical, content_id, read_strictly
from tabular.model import i_json


@pytest.mark.parametrize(
    ("bits", "text"),
    [  # RFC 8785, appendix B
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_numbers_are_written_as_the_standard_says(bits, text):
    (number,) = struct.unpack(">d", bytes.fromhex(bits))

    assert canonical(number).decode() == text


def test_members_are_sorted_by_their_utf_16_code_units():
    value = {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\x80": 6, "ö": 7}

    assert list(i_json.read(canonical(value))) == ["\r", "1", "\x80", "ö", "€", "😀", "\ufb33"]


def test_texts_are_written_with_the_fewest_escapes():
    text = '€$\u000f\nA\'B"\\\\"/'

    assert canonical(text).decode() == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'


def test_the_id_is_the_hash_of_the_contract_without_its_id():
    expected = hashlib.sha256(b'{"a":1,"b":[]}').hexdigest()

    assert content_id({"b": [], "id": "whatever", "a": 1.0}) == f"sha256:{expected}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a":1,"a":1}', id="a member twice"),
        pytest.param("9007199254740992", id="an integer beyond 2^53-1"),
        pytest.param("NaN", id="no JSON number"),
        pytest.param("1e999", id="beyond a double"),
        pytest.param('"\\ud800"', id="an unpaired surrogate"),
        pytest.param('"\\u0000"', id="NUL"),
        pytest.param("[" * 100 + "]" * 100, id="nested too deep"),
        pytest.param("\ufeff{}", id="byte order mark"),
        pytest.param("-0", id="negative zero"),
        pytest.param("1E21", id="a large E"),
        pytest.param("1e021", id="a zero in the exponent"),
        pytest.param("0.10", id="a digit too many"),
        pytest.param("0.30000000000000005", id="another text of the same double"),
        pytest.param('"\\u00E4"', id="an escape in large letters"),
        pytest.param('{"\\u001F":1}', id="an escape in large letters in a name"),
        pytest.param("{} {}", id="two values"),
    ],
)
def test_what_two_readers_might_take_differently_is_refused(text):
    with pytest.raises(i_json.NotIJson):
        read_strictly(text.encode())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{ "b" : [ 1.0 , 1e+21, 1e-07, 1e-7 ] }', {"b": [1.0, 1e21, 1e-7, 1e-7]}),
        ('"\\u00e4\\\\u00E4\\/"', "ä\\u00E4/"),
        ("9007199254740991", 9007199254740991),
        ("-0.5", -0.5),
    ],
)
def test_what_writers_of_json_write_is_read(text, value):
    assert read_strictly(text.encode()) == value
