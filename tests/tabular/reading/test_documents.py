"""Tables of Word documents."""

import zipfile
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.reading import read
from tests.tabular.reading.test_structured import rows_of

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
TYPES = f"""<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Override PartName="/word/document.xml" ContentType="{WORD}"/>
</Types>"""
ROLES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = f"""<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="{ROLES}/officeDocument" Target="word/document.xml"/>
</Relationships>"""


def cell(text="", properties="", inside=""):
    paragraphs = "".join(f"<w:p><w:r><w:t>{escape(t)}</w:t></w:r></w:p>" for t in text.split("\n"))
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraphs}{inside}</w:tc>"


def row(*cells, properties=""):
    return f"<w:tr>{properties}{''.join(cells)}</w:tr>"


def table(*rows):
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def plain(*rows):
    return table(*(row(*map(cell, texts)) for texts in rows))


@pytest.fixture
def docx(tmp_path):
    """Return a function that writes a document with a body, and reads it."""

    def written(body, *, namespace=W, head="", **limits):
        path = tmp_path / "orders.docx"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("[Content_Types].xml", TYPES)
            file.writestr("_rels/.rels", RELATIONS)
            document = (
                f'{head}<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'
            )
            file.writestr("word/document.xml", document)
        return read(path, limits=Limits(**limits))

    return written


HEAD = ("No", "Customer", "Amount")
MERGED = {"restart": '<w:vMerge w:val="restart"/>', "continue": "<w:vMerge/>"}


@pytest.mark.parametrize("namespace", [W, STRICT])
def test_each_table_is_read_like_a_sheet(docx, namespace):
    orders = plain(HEAD, ("A-1", "Ada", "10"), ("A-2", "Bo", "7"))
    stock = plain(("Sku", "Name"), ("1", "Lamp"), ("2", "Desk"))

    reading = docx(f"<w:p/>{orders}<w:p/>{stock}", namespace=namespace)

    assert reading.file_format == "docx"
    assert [item.columns for item in reading.tables] == [HEAD, ("Sku", "Name")]
    assert rows_of(reading.bodies[0]) == [["A-1", "Ada", "10"], ["A-2", "Bo", "7"]]


def test_cells_merged_downwards_give_their_value_to_each_row(docx):
    rows = table(
        row(*map(cell, HEAD)),
        row(cell("A-1", MERGED["restart"]), cell("Ada"), cell("10")),
        row(cell("", MERGED["continue"]), cell("Bo"), cell("7")),
        row(cell("A-2", MERGED["restart"]), cell("Cy"), cell("3")),
    )

    assert rows_of(docx(rows).bodies[0]) == [
        ["A-1", "Ada", "10"], ["A-1", "Bo", "7"], ["A-2", "Cy", "3"]
    ]  # fmt: skip


def test_a_cell_may_cover_columns_and_a_row_may_begin_later(docx):
    rows = table(
        row(*map(cell, HEAD)),
        row(cell("A-1"), cell("Ada", '<w:gridSpan w:val="2"/>')),
        row(cell("Bo"), cell("7"), properties='<w:trPr><w:gridBefore w:val="1"/></w:trPr>'),
        row(*map(cell, ("A-3", "Cy", "3"))),
    )

    assert rows_of(docx(rows).bodies[0]) == [
        ["A-1", "Ada", None], [None, "Bo", "7"], ["A-3", "Cy", "3"]
    ]  # fmt: skip


def test_paragraphs_of_a_cell_are_joined_and_deleted_text_is_left_out(docx):
    deleted = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    rows = table(
        row(*map(cell, HEAD)),
        row(cell("A-1"), cell("Ada\nLovelace", inside=deleted), cell("10")),
        row(*map(cell, ("A-2", "Bo", "7"))),
    )

    assert rows_of(docx(rows).bodies[0])[0] == ["A-1", "Ada Lovelace", "10"]


def test_a_table_in_a_cell_is_a_table_of_its_own(docx):
    inner = plain(("Sku", "Name"), ("1", "Lamp"), ("2", "Desk"))
    rows = table(
        row(*map(cell, HEAD)),
        row(cell("A-1"), cell("Ada", inside=inner), cell("10")),
        row(*map(cell, ("A-2", "Bo", "7"))),
    )

    reading = docx(rows)

    assert sorted(item.columns for item in reading.tables) == [HEAD, ("Sku", "Name")]
    outer = next(n for n, item in enumerate(reading.tables) if item.columns == HEAD)
    assert rows_of(reading.bodies[outer])[0] == ["A-1", "Ada", "10"]


ENTITIES = '<!DOCTYPE a [<!ENTITY l "ha">]>'


@pytest.mark.parametrize(
    ("body", "head", "code"),
    [
        ("<w:p><w:r><w:t>only a letter</w:t></w:r></w:p>", "", "no_table_found"),
        (plain(HEAD), ENTITIES, "unsafe_file"),
        ("<w:tbl><w:tr>", "", "damaged_file"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(docx, body, head, code):
    with pytest.raises(UnreadableFile) as refused:
        docx(body, head=head)
    assert refused.value.code == code


def test_a_document_that_expands_too_much_is_refused(docx):
    rows = plain(HEAD, *(("A" * 1000, "Ada", "1") for _ in range(100)))

    with pytest.raises(LimitExceeded):
        docx(rows, expanded_bytes=50_000)


TEXTS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)


@given(rows=st.lists(st.tuples(TEXTS, st.integers(1, 99999)), min_size=3, max_size=8))
def test_what_is_written_is_read(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("docx") / "a.docx"
    body = plain(("Name", "Number"), *((text, str(number)) for text, number in rows))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", TYPES)
        file.writestr("_rels/.rels", RELATIONS)
        document = f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
        file.writestr("word/document.xml", document)

    reading = read(path)

    assert reading.tables[0].columns == ("Name", "Number")
    assert rows_of(reading.bodies[0]) == [[text, str(number)] for text, number in rows]
