"""Small files whose values are easily misread, over HTTP: the value, an issue or a question."""

import zipfile
from io import BytesIO

import openpyxl
import pytest
import xlwt
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.api.test_whole_walk import V1, Person, person

__all__ = ["person"]  # fixtures
pytestmark = pytest.mark.django_db


class Importer(Person):
    """A person who publishes a catalog for a file, and imports the file."""

    def publish(self, *fields):
        full = [
            {"columnType": "string", "label": field["key"].title(), **field} for field in fields
        ]
        catalog = {"key": "c", "title": "c", "keySeparator": "."}
        catalog["entries"] = [{"id": "e", "fields": full}]
        self.call("put", "catalogs/c/draft", catalog)
        self.call("post", "catalogs/c/publish")

    def upload(self, name, content, **members):
        file = SimpleUploadedFile(name, content)
        form = {"file": file, "autoMap": "true", **members}
        made = self.call("post", "imports", data=form, expect=202)
        self.url = f"{V1}/imports/{made['recordId']}"
        return self.record()

    def questions(self, kind):
        items = self.call("get", "/questions")["items"]
        return [item for item in items if item["kind"] == kind]

    def of(self, field):
        return self.values(f"e.{field}")


@pytest.fixture
def importer(person) -> Importer:
    person.__class__ = Importer
    return person


def xlsx(rows, **formats):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for column, code in formats.items():
        for cell in book.active[column][1:]:
            cell.number_format = code
    return saved(book)


def saved(book):
    target = BytesIO()
    book.save(target)
    return target.getvalue()


def with_cell(content, before, after):
    """Return the workbook with another number in one of its cells."""
    target = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as source, zipfile.ZipFile(target, "w") as changed:
        for name in source.namelist():
            part = source.read(name).decode()
            changed.writestr(name, part.replace(f"<v>{before}</v>", f"<v>{after}</v>"))
    return target.getvalue()


SHARE = {"key": "share", "columnType": "percentage"}
NAME = {"key": "name"}
SHARES = [["Name", "Share"], ["a", 0.19], ["b", 0.07], ["c", 1.5]]


def test_the_format_of_a_cell_makes_it_a_percentage(importer):
    importer.publish(NAME, SHARE)

    importer.upload("shares.xlsx", xlsx(SHARES, B="0%"))

    assert importer.of("share") == [0.19, 0.07, 1.5]
    assert importer.questions("percent_scale") == []


def test_the_same_shares_without_a_format_are_asked_about(importer):
    importer.publish(NAME, SHARE)

    importer.upload("shares.csv", b"Name,Share\na,0.19\nb,0.07\nc,1.5\n")

    assert len(importer.questions("percent_scale")) == 1


def test_a_cell_that_holds_a_number_is_that_number_in_a_field_of_any_format(importer):
    eu = {"columnType": "float", "numberFormat": "eu"}
    importer.publish(NAME, {"key": "weight", **eu}, {**SHARE, "numberFormat": "eu"})

    importer.upload(
        "w.xlsx", xlsx([["Name", "Weight", "Share"], ["a", 5.125, 0.125], ["b", 7.5, 1]])
    )

    assert importer.of("weight") == [5.125, 7.5]
    assert importer.errors() == set()


def test_computed_numbers_have_the_digits_that_their_program_shows(importer):
    importer.publish(NAME, {"key": "count", "columnType": "int"})

    importer.upload("n.xlsx", xlsx([["Name", "Count"], ["a", 0.57 * 100], ["b", 3]]))

    assert importer.of("count") == [57, 3]


def test_long_whole_numbers_keep_every_digit_and_stay_apart(importer):
    ids = [12345678901234567890, 12345678901234567891]
    importer.publish(NAME, {"key": "id", "label": "Id"})

    content = xlsx([["Name", "Id"], ["a", 111], ["b", 222]])
    # openpyxl rounds; other programs write every digit into the sheet.
    for short, long in zip(("111", "222"), ids, strict=True):
        content = with_cell(content, short, str(long))
    importer.upload("ids.xlsx", content)

    assert importer.of("id") == [str(id_) for id_ in ids]


def test_the_file_is_the_default_of_a_question_and_nothing_is_applied_while_it_is_open(importer):
    importer.publish(NAME, *({"key": k, "columnType": "float"} for k in ("price", "amount")))

    importer.upload("p.csv", b"Name;Price;Amount\na;1.234,50;1.500\nb;99,90;2.250\n")

    (question,) = importer.questions("decimal_separator")
    assert (question["field"], question["default"]) == ("e.amount", "eu")
    assert all(candidate["effect"] for candidate in question["candidates"])
    assert importer.of("amount") == [1500, 2250]
    wish = {"applyMode": "browser"}
    assert importer.call("post", "/apply", wish, expect=409)["code"] == "open_questions"


def test_japanese_with_long_vowels_is_not_chinese(importer):
    importer.publish(NAME, {"key": "city", "label": "City"})
    text = "Name,City\nコーヒー,東京\nスーパー,大阪\nケーキ,京都\n"

    importer.upload("j.csv", text.encode("shift_jis"))

    assert importer.of("name") == ["コーヒー", "スーパー", "ケーキ"]


@pytest.mark.parametrize("nothing", ["n/a", "-", "none", "k. A.", "#N/A", "N/A"])
def test_a_placeholder_is_neither_a_country_nor_a_flag(importer, nothing):
    country = {"key": "country", "columnType": "country_code_alpha_2"}
    importer.publish(NAME, country, {"key": "paid", "columnType": "boolean"})
    text = f"Name,Country,Paid\na,{nothing},{nothing}\nb,Germany,yes\nc,France,no\n"

    importer.upload("c.csv", text.encode())

    assert importer.of("country") == [None, "DE", "FR"]
    assert importer.of("paid") == [None, True, False]


def test_a_fix_of_many_rewrites_percentages_exactly(importer):
    importer.publish(NAME, {**SHARE, "numberFormat": "us"})
    importer.upload("s.csv", b"Name;Share\na;29,5 %\nb;28,25 %\nc;7,1 %\n")
    assert importer.errors() == {(row, "not_a_percentage") for row in range(3)}

    fix = {"field": "e.share", "code": "not_a_percentage", "readAs": "eu"}
    importer.change("post", "/rows/fix", **fix)

    texts = [importer.call("get", f"/rows/{row}/explain")["cells"][1]["read"] for row in range(3)]
    assert importer.of("share") == [0.295, 0.2825, 0.071]
    assert texts == ["29.5 %", "28.25 %", "7.1 %"]


TWENTY = "".join(f"{n},Name {n},n{n}@example.org\n" for n in range(1, 21))


@pytest.mark.parametrize("last", [",NoId,", ",Summe AG,sum@example.org"])
def test_a_sparse_last_row_is_a_row(importer, last):
    importer.publish({"key": "id", "label": "Id"}, NAME, {"key": "mail", "label": "Mail"})

    importer.upload("m.csv", f"Id,Name,Mail\n{TWENTY}{last}\n".encode())

    assert importer.of("name")[-1] == last.split(",")[1]


def test_a_total_that_was_left_out_is_shown_and_taken_back(importer):
    importer.publish({"key": "id", "label": "Id"}, {"key": "sold", "columnType": "float"})
    rows = "".join(f"k{n},{n}.5\n" for n in range(1, 5))
    importer.upload("t.csv", f"Id,Sold\n{rows}Total,12.0\n".encode())

    (left,) = importer.call("get", "/left-out")["items"]
    assert (left["row"], left["reason"], left["text"]) == (5, "total", "Total | 12.0")
    importer.call("put", "/left-out", {"takeBack": [5]}, expect=202)
    importer.record()

    assert importer.of("id")[-1] == "Total"


def test_an_error_cell_of_an_old_workbook_is_an_issue(importer):
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    for row, cells in enumerate([["Name", "Sold"], ["a", 5], ["b", xlwt.Formula("1/0")]]):
        for column, cell in enumerate(cells):
            sheet.write(row, column, cell)
    sheet.row(3).write(0, "c")
    sheet.row(3).set_cell_error(1, "#DIV/0!")
    importer.publish(NAME, {"key": "sold", "columnType": "float"})

    importer.upload("e.xls", saved(book))

    issues = importer.call("get", "/tables")["issues"]
    assert [(issue["code"], issue["value"], issue["row"]) for issue in issues] == [
        ("error_cell", "#DIV/0!", 3)
    ]


def test_as_many_columns_as_allowed_are_allowed(importer):
    importer.publish(NAME)
    names = ",".join(["Name", *(f"c{n}" for n in range(1, 5_000))])
    row = ",".join(["a"] * 5_000)

    importer.upload("wide.csv", f"{names}\n{row}\n{row}\n".encode())

    assert importer.of("name") == ["a", "a"]


def test_a_name_is_split_in_the_order_of_its_header(importer):
    importer.publish({"key": "first", "label": "Vorname"}, {"key": "last", "label": "Nachname"})
    text = 'Nr;"Name, Vorname"\n1;"Bär, Karl-Heinz"\n2;"Dubois, Rita"\n3;"Lee, Ann"\n'

    importer.upload("n.csv", text.encode())
    (question,) = importer.questions("column")
    assert question["default"] == ["e.last", "e.first"]
    assert "Karl-Heinz" in str(question["candidates"])
    importer.call("post", "/questions/dismiss", expect=202)
    assert importer.record()["state"] == "review"

    assert importer.of("first") == ["Karl-Heinz", "Rita", "Ann"]
    assert importer.of("last") == ["Bär", "Dubois", "Lee"]
