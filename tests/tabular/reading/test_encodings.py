"""Running text in every script and encoding that is claimed, in words not the engine's own."""

import pytest

from eval.plain.encodings import WIDE, running_text
from eval.plain.tables import LOCALES
from tabular.model.table import ReadingChoices
from tabular.reading import read
from tabular.reading.text.encoding import detect

CASES = [(place, name) for place, names in LOCALES.items() for name in (*names, *WIDE)]
LATIN_OF_OLD = {"mac-roman", "cp850", "cp437"}  # a few letters of these are told by more text only


@pytest.mark.parametrize(("place", "encoding"), CASES)
def test_running_text_is_read_as_it_was_written(tmp_path, place, encoding):
    size = 2_000 if encoding in LATIN_OF_OLD else 600
    text = running_text(place, encoding, size, seed=1)
    path = tmp_path / "text"
    path.write_bytes(text.encode(encoding))

    found = detect(path)

    readings = [
        text.encode(encoding).decode(name, "replace") for name in (found.name, *found.rivals)
    ]
    assert text in readings


@pytest.mark.parametrize("mark", ["\x01", "\x1c", "\x1d", "\x1e", "\x1f"])
def test_separators_of_exports_do_not_make_a_file_binary(tmp_path, mark):
    path = tmp_path / "export.txt"
    path.write_text(f"id{mark}name\n1{mark}Zoë\n", "utf-8")

    assert detect(path).name == "utf-8"


NAMES = "navn,by\nŽofie,Líšeň\nLukáš,Děčín\n".encode("iso8859-2")


def test_two_encodings_that_fit_are_a_question_with_lines_as_each_reads_them(tmp_path):
    path = tmp_path / "names.csv"
    path.write_bytes(NAMES)

    (question,) = [one for one in read(path).questions if one.kind == "encoding"]

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
