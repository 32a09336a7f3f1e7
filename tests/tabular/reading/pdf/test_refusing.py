import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.places import ReadingChoices
from tabular.model.problem import LimitExceeded, Limits, TabularProblem
from tabular.reading.pdf import read_pdf
from tabular.reading.pdf.pages.decompression_limits import refuse_decompression_bombs
from tabular.reading.pdf.pages.document import refuse_cut_off

from .papers import Sheet, assembled, document, locked, ruled, saved, stream

ROWS = [["Name", "Amount"], ["Oak", "1.50"], ["Ash", "2.50"], ["Elm", "3.50"]]
HINT = b"%PDF-1.5\n1 0 obj\n<< /Linearized 1 /L 99999 >>"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"


def priced() -> Sheet:
    sheet = Sheet()
    ruled(sheet, ROWS, xs=[60, 160, 240], top=80)
    return sheet


def packed_blanks(megabytes: int) -> bytes:
    content = zlib.compress(b" " * (megabytes << 20), 9)
    return one_page(stream(content, "/Filter /FlateDecode"))


def one_page(content: bytes, *others: bytes, resources: str = "") -> bytes:
    page = (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        f" /Resources << /Font << /F1 5 0 R >> {resources} >> >>"
    )
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    catalog = b"<< /Type /Catalog /Pages 2 0 R >>"
    return assembled([catalog, pages, page.encode(), content, FONT, *others])


def forms_in_forms(depth: int) -> bytes:
    forms = [
        stream(
            b"/Y Do " * 10,
            "/Type /XObject /Subtype /Form /BBox [0 0 600 800]"
            f" /Resources << /XObject << /Y {7 + level} 0 R >> >>",
        )
        for level in range(depth)
    ]
    last = stream(b"0 0 1 1 re f", "/Type /XObject /Subtype /Form /BBox [0 0 600 800]")
    return one_page(stream(b"/X Do"), *forms, last, resources="/XObject << /X 6 0 R >>")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "malformed"),
        (b"hello world", "malformed"),
        (document(priced())[:900], "malformed"),
        (document(priced()).partition(b"xref\n0")[0], "malformed"),
        (document(Sheet(image=True)), "scanned_no_text"),
        (document(Sheet()), "no_table_found"),
        (document(Sheet(size=(20_000, 800), drawn=priced().drawn)), "too_large"),
        (forms_in_forms(7), "too_large"),
        (locked(document(Sheet()), password="open sesame"), "password_protected"),
        (locked(document(Sheet()), password="", permissions=-1 - 16), "extraction_forbidden"),
    ],
    ids=[
        "empty",
        "text",
        "half",
        "endless",
        "picture",
        "blank",
        "wide",
        "laughs",
        "locked",
        "forbidden",
    ],
)
def test_what_cannot_be_read_is_refused_by_name(read, content, code):
    with pytest.raises(TabularProblem) as refusal:
        read(content)

    assert refusal.value.code == code


def test_the_right_password_opens_a_locked_file(read):
    paper = locked(document(Sheet()), password="open sesame")

    with pytest.raises(TabularProblem) as refusal:
        read(paper, password="open sesame")

    assert refusal.value.code == "no_table_found"  # its pages are empty, but they were read


def test_a_stream_that_unpacks_beyond_the_limit_is_refused(read):
    with pytest.raises(LimitExceeded) as refusal:
        read(packed_blanks(4), limits=Limits(expanded_bytes=1 << 20))

    assert refusal.value.details["limit"] == "expanded_bytes"


def test_a_few_forms_in_forms_are_read(read):
    with pytest.raises(TabularProblem) as refusal:
        read(forms_in_forms(2))

    assert refusal.value.code == "scanned_no_text"  # drawings only, but it was opened


def test_a_part_of_a_linearised_file_is_refused_though_it_ends_well():
    whole = document(priced()).replace(
        b"%PDF-1.5\n", b"%PDF-1.5\n1 0 obj\n<< /Linearized 1 /L 99999 >>"
    )

    with pytest.raises(TabularProblem) as refusal:
        refuse_cut_off(whole)

    assert refusal.value.code == "malformed"


@pytest.mark.parametrize(
    "texts",
    [
        ["The quick brown fox jumps over the lazy dog near the river bank"] * 30,
        [f"{n}. Calculate the distance of each trip in the sample" for n in range(1, 9)],
        ["- 12 -"],
    ],
    ids=["prose", "list", "page number"],
)
def test_text_alone_is_not_a_table(read, texts):
    sheet = Sheet()
    for index, text in enumerate(texts):
        sheet.write(60, 80 + 12 * index, text)

    with pytest.raises(TabularProblem) as refusal:
        read(sheet)

    assert refusal.value.code == "no_table_found"


def test_more_pages_than_allowed_are_refused_with_the_setting_to_raise(read):
    with pytest.raises(LimitExceeded) as refusal:
        read(priced(), priced(), limits=Limits(pages=1))

    assert refusal.value.details["setting"] == "IMPORT_LIMIT_PAGES"


def test_time_that_is_used_up_is_a_timeout(read):
    with pytest.raises(LimitExceeded) as refusal:
        read(priced(), limits=Limits(seconds=0))

    assert (refusal.value.code, refusal.value.details["limit"]) == ("timeout", "seconds")


def test_more_rows_than_allowed_are_refused(read):
    with pytest.raises(LimitExceeded) as refusal:
        read(priced(), limits=Limits(rows=2))

    assert refusal.value.details["limit"] == "rows"


@given(st.binary(max_size=400))
def test_random_bytes_end_in_a_named_refusal(tmp_path_factory, noise):
    path = saved(tmp_path_factory.mktemp("noise"), b"%PDF-1.5\n" + noise + b"startxref\n9\n%%EOF")

    with pytest.raises(TabularProblem):
        read_pdf(path, choices=ReadingChoices(), limits=Limits(), progress=lambda *_: None)


@given(st.binary(max_size=300))
def test_looking_for_bombs_never_fails(noise):
    refuse_decompression_bombs(
        b"1 0 obj << /Filter /FlateDecode >> stream\n" + noise + b"endstream", Limits()
    )
