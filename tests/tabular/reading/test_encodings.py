"""Running text in every script and encoding that is claimed, in words not the engine's own."""

import pytest

from eval.plain.encodings import WIDE, running_text
from eval.plain.tables import LOCALES
from tabular.model.places import ReadingChoices
from tabular.model.problem import UnreadableFile
from tabular.reading import read
from tabular.reading.text.encoding import detect

CASES = [(place, name) for place, names in LOCALES.items() for name in (*names, *WIDE)]
LATIN_OF_OLD = {"mac-roman", "cp850", "cp437"}  # a few of their letters need more text


@pytest.mark.parametrize(("place", "encoding"), CASES)
def test_running_text_is_read_as_it_was_written(tmp_path, place, encoding):
    size = 2_000 if encoding in LATIN_OF_OLD else 600
    text = running_text(place, encoding, size, seed=1)
    path = tmp_path / "text"
    path.write_bytes(text.encode(encoding))

    detected = detect(path)

    readings = [
        text.encode(encoding).decode(name, "replace") for name in (detected.name, *detected.rivals)
    ]
    assert text in readings


@pytest.mark.parametrize("mark", ["\x01", "\x1c", "\x1d", "\x1e", "\x1f"])
def test_separators_of_exports_do_not_make_a_file_binary(tmp_path, mark):
    path = tmp_path / "export.txt"
    path.write_text(f"id{mark}name\n1{mark}Zoë\n", "utf-8")

    assert detect(path).name == "utf-8"


@pytest.mark.parametrize(
    ("encoding", "lines"),
    [
        ("mac-roman", ["key§net§band", "§25.5§8-12", "a§3.5§"]),  # the € of ISO 8859-15
        ("cp850", ["DISCOUNT§QUANTITY", "25,5 %§426603", "§814705", "3,5 %§5"]),  # a letter of KOI8
        ("cp850", ["cap§colour", "74549§", "11669§", "72445§"]),  # a column without a value
        ("euc_kr", ['"id"§"score"', '"7"§""', '""§"8"']),
        ("gb18030", ['"id"¦"score"', '"7"¦""', '""¦"8"']),
    ],
)
def test_a_sign_that_parts_all_lines_tells_the_encoding(tmp_path, encoding, lines):
    path = tmp_path / "parted.csv"
    path.write_bytes("\n".join(lines).encode(encoding))

    table = read(path).tables[0]

    assert table.columns == tuple(lines[0].replace('"', "").replace("¦", "§").split("§"))


@pytest.mark.parametrize(
    "lines",
    [
        ["Artikel;Preis €", "Stuhl;12,50 €", "Tisch;99,00 €", "Lampe;7,25 €"],
        ["Preis €;Menge", "12€;5", "13€;6", "17€;9"],  # in every line, but a semicolon parts them
        ["Preis", "12,50 €", "13,25 €", "17,00 €"],
    ],
)
def test_a_currency_in_every_line_parts_nothing(tmp_path, lines):
    path = tmp_path / "prices.csv"
    path.write_bytes("\n".join(lines).encode("iso8859-15"))

    assert detect(path).name == "iso8859-15"


def test_where_no_reading_makes_words_the_encoding_is_asked_for(tmp_path):
    path = tmp_path / "cities.csv"
    text = "Image,City\nsit,خميسberg\nrem,North كاظم\ntbd,أبا الخيلmouth\n"
    path.write_bytes(text.encode("cp1256"))

    (question,) = [item for item in read(path).questions if item.kind == "encoding"]

    assert "cp1256" in [candidate.value for candidate in question.candidates]


NAMES = "navn,by\nŽofie,Líšeň\nLukáš,Děčín\n".encode("iso8859-2")


def test_two_encodings_that_fit_are_a_question_with_lines_as_each_reads_them(tmp_path):
    path = tmp_path / "names.csv"
    path.write_bytes(NAMES)

    (question,) = [item for item in read(path).questions if item.kind == "encoding"]

    assert question.default == "iso8859-2"
    assert [candidate.label for candidate in question.candidates] == [
        "iso8859-2: Žofie,Líšeň",
        "cp1252: ®ofie,Lí¹eò",
    ]


def test_an_encoding_that_a_person_chose_is_not_asked_about(tmp_path):
    path = tmp_path / "names.csv"
    path.write_bytes(NAMES)

    reading = read(path, choices=ReadingChoices(encoding="cp1252"))

    assert reading.tables[0].preview[0] == ("®ofie", "Lí¹eò")
    assert "encoding" not in {question.kind for question in reading.questions}


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "имя,город\nИван,Москва\n", "名前,都市\n太郎,東京\n"]
)
def test_wide_text_without_a_byte_order_mark_is_read(tmp_path, encoding, text):
    path = tmp_path / "wide.csv"
    path.write_bytes(text.encode(encoding))

    table = read(path).tables[0]

    assert table.columns == tuple(text.split("\n")[0].split(","))
    assert "without a byte order mark" in detect(path).reason


@pytest.mark.parametrize(
    "content", [bytes(64), b"\x00\x00\x00\x41" * 8 + b"\xff" * 8, b"PK" + bytes(62)]
)
def test_bytes_that_are_not_characters_are_still_refused(tmp_path, content):
    path = tmp_path / "noise.csv"
    path.write_bytes(content)

    with pytest.raises(UnreadableFile):
        read(path)
