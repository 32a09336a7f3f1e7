"""Text files: the encoding, the dialect, and the rows that do not keep to it."""

import pytest

from tabular.model.places import ReadingChoices
from tabular.reading import read
from tabular.reading.text.dialect import choose
from tabular.reading.text.encoding import detect

TEXTS = {
    "cp1252": "Straße;Müller;größer;€ 12",
    "iso8859-2": "Łukasz Wójcik;Święty;Żaba;zażółć gęślą jaźń",
    "cp1250": "Čeština;žluťoučký kůň;příliš",
    "cp1251": "Привет;мир;как дела;хорошо",
    "koi8-r": "Привет;мир;как дела;хорошо",
    "iso8859-7": "Λεωνιδας;Αλεξανδρος;Μυρων",
    "shift_jis": "日本語テキスト;東京都;カタカナ",
    "gb18030": "北京;上海;广州;中文",
    "euc_kr": "서울;부산;대구",
    "utf-8": "Straße;Привет;日本語",
    "utf-8-sig": "Straße;Привет;日本語",
    "utf-16-le": "id;name;amount;Straße",
    "utf-16": "Straße;Привет;日本語",
}


@pytest.mark.parametrize("encoding", ["shift_jis", "euc_jp", "utf-16-le", "utf-16-be"])
def test_long_vowels_do_not_make_japanese_chinese(tmp_path, encoding):
    path = tmp_path / "coffee.csv"
    path.write_bytes("品名,値段\nコーヒー,450\nビール,600\n".encode(encoding))

    assert detect(path).name == encoding


@pytest.mark.parametrize("encoding", TEXTS)
def test_the_encoding_is_found_by_the_words_it_makes(tmp_path, encoding):
    path = tmp_path / "file"
    content = "\n".join([TEXTS[encoding]] * 3).encode(encoding)
    path.write_bytes(content)

    detected = detect(path)

    assert content.decode(detected.name).lstrip("\ufeff") == content.decode(encoding).lstrip(
        "\ufeff"
    )
    assert 0 < detected.confidence <= 1


def test_chinese_that_korean_could_spell_is_chinese(tmp_path):
    path = tmp_path / "file"
    path.write_bytes("编号,名称,价格\n1,螺栓螺母产品1,2.50\n".encode("gb18030"))

    assert detect(path).name == "gb18030"


@pytest.mark.parametrize(
    ("text", "delimiter", "quote"),
    [
        ("a,b\n1,2\n3,4\n", ",", None),
        ("a;b\n1,5;2\n3,5;4\n", ";", None),
        ("a\tb\n1\t2\n", "\t", None),
        ("day|city\n1988-01-01|New York, NY\n1988-01-02|Los Angeles, CA\n", "|", None),
        ("a,b\n1,'x,y'\n2,'z,w'\n", ",", "'"),
        ('a,b\n1,"x\ny"\n2,"z"\n', ",", '"'),
        ("name\nAnn Lee\nBob Ray\n", "", None),
        ("A letter of few words.\nIt has no table at all.\nEnd\n", "", None),
        ("a~b\n1~2\n3~4\n", "~", None),
        ("x y\n1.5 2.5\n3.5 4.5\n", " ", None),
    ],
)
def test_the_dialect_is_the_one_that_gives_even_rows_of_values(text, delimiter, quote):
    best = choose(text.splitlines(keepends=True), delimiter=None, quote=None)[0].dialect

    assert best.delimiter == delimiter
    assert quote is None or best.quote == quote


def rows_and_issues(tmp_path, text, **choices):
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    body = read(path, choices=ReadingChoices(**choices)).bodies[0]
    rows = [
        list(row)
        for batch in body.batches()
        for row in zip(*(column.to_pylist() for column in batch.columns[1:]), strict=True)
    ]
    return rows, [(issue.code, issue.row) for issue in body.outcome()[1]]


GOOD = "id,name,price,link\n" + "".join(
    f'{n},"part, {n}",{n}.50,https://shop.example/{n}\n' for n in range(1, 8)
)


@pytest.mark.parametrize(
    ("line", "cells", "code"),
    [
        ("8,x,9.5", ["8", "x", "9.5", None], "short_row"),
        ("8,,x,9.5,https://a.example/", ["8", "x", "9.5", "https://a.example/"], "row_realigned"),
        ('8,"x,9.5,https://a.example/', ["8", '"x', "9.5", "https://a.example/"], "broken_quotes"),
        ('8,27" x,9.5,https://a.example/', ["8", '27" x', "9.5", "https://a.example/"], None),
        (
            '8,"say "hi" x, y",9.5,https://a.example/',
            ["8", 'say "hi" x, y', "9.5", "https://a.example/"],
            "broken_quotes",
        ),
    ],
)
def test_an_odd_row_is_fitted_and_reported(tmp_path, line, cells, code):
    text = f"{GOOD}{line}\n9,y,1.50,https://b.example/\n"

    rows, issues = rows_and_issues(tmp_path, text)

    assert rows[7] == cells
    assert rows[8] == ["9", "y", "1.50", "https://b.example/"]
    assert issues == ([(code, 8)] if code else [])


def test_a_cell_too_many_gets_a_column_of_its_own(tmp_path):
    rows, issues = rows_and_issues(tmp_path, "a,b\n1,2\n1,2,3\n4,5\n")

    assert rows == [["1", "2", None], ["1", "2", "3"], ["4", "5", None]]
    assert issues == [("long_row", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nid;name\n1;x\n2;y\n",
        "id;name\r\n1;x\r2;y\n",
        "\ufeffid;name\n1;x\n2;y\n",
        'id;name\n1;"x"\n2;y',
        "id;name\n1; \"x\"\n2;y\n",
        "# made by us\nid;name\n1;x\n2;y\n",
    ],
)  # fmt: skip
def test_everyday_variants_give_the_same_rows(tmp_path, text):
    rows, issues = rows_and_issues(tmp_path, text)

    assert [[cell.strip() for cell in row] for row in rows] == [["1", "x"], ["2", "y"]]
    assert issues == []


def test_an_escaped_quote_and_delimiter_stay_in_their_cell(tmp_path):
    rows, _ = rows_and_issues(tmp_path, 'a,b,c\n1,"say \\"hi\\"",2\n3,one\\, two,4\n5,x,6\n')

    assert rows == [["1", 'say "hi"', "2"], ["3", "one, two", "4"], ["5", "x", "6"]]


def test_fixed_width_columns_are_cut_at_their_gaps(tmp_path):
    text = (
        "ID    Name          Amount Day\n"
        "1     Miller Ann     12.50 2020-01-01\n"
        "20    van der Berg 1234.00 2020-03-01\n"
    )

    rows, _ = rows_and_issues(tmp_path, text)

    assert rows == [
        ["1", "Miller Ann", "12.50", "2020-01-01"],
        ["20", "van der Berg", "1234.00", "2020-03-01"],
    ]


def test_a_chosen_delimiter_and_header_are_kept(tmp_path):
    rows, _ = rows_and_issues(tmp_path, "a;b,c\n1;2,3\n", delimiter=",", header_rows=())

    assert rows == [["a;b", "c"], ["1;2", "3"]]


def test_blanks_and_nul_characters_inside_cells_are_kept(tmp_path):
    rows, _ = rows_and_issues(tmp_path, "id,name,x\n1,  two  ,a\x00b\n2,three,c\n3,four,d\n")

    assert rows[0] == ["1", "  two  ", "a\x00b"]


def rows_of(path):
    table, body = read(path).tables[0], read(path).bodies[0]
    columns = [list(batch.columns[1:]) for batch in body.batches()]
    return table, [len(batch[0]) for batch in columns]


@pytest.mark.parametrize(
    "lines",
    [
        ["Preis", "41,75", "29,90", "8,00"],
        ["Discount", "29 %", "7 %", "n/a"],
        ["Created at", "2024-05-01 12:00:00", "2024-05-02 13:30:00"],
        ["Phone", "+49 30 123456", "(06) 82451865", "0221 109756"],
        ["Website", "https://a.example/", "https://b.example/x"],
        ["Last seen", "January 19, 2007", "October 9, 2023"],
        ["Name", "Dubois, Rita", "Lee, Ann"],
        ["Address", "Hill Road 4", "Long Street 12", "Mill Lane 7 b"],
        ["Weight", "429 kg", "456 kg", "83 mm"],
    ],
)
def test_one_column_is_not_cut_at_a_mark_inside_its_values(tmp_path, lines):
    path = tmp_path / "one.csv"
    path.write_text("\n".join(lines), "utf-8")

    table, counts = rows_of(path)

    assert table.columns == (lines[0],)
    assert counts == [len(lines) - 1]


@pytest.mark.parametrize(
    ("lines", "width"),
    [
        (["price,count", "41,75", "29,90"], 2),
        (["site;day", "https://a.example/;2024-05-01", "https://b.example/;2024-05-02"], 2),
        (["Report", "site;day", "https://a.example/;2024-05-01", "https://b.example/;"], 2),
        (["day:start", '2024-05-01:"10:30"', '2024-05-02:"11:00"'], 2),
        (['"first" "last"', '"Ann" "Lee"', '"Bob ""B""" "Ray"'], 2),
        (['"seen at" "group"', '"2029-01-10 12:11" "1-10"'], 2),
        (['"WHEN" "SHARE" "MARKET"', '"2029-01-10 12:11:04" "" "Oman"'], 3),
    ],
)
def test_a_mark_that_the_first_line_holds_too_parts_columns(tmp_path, lines, width):
    path = tmp_path / "two.csv"
    path.write_text("\n".join(lines), "utf-8")

    assert len(rows_of(path)[0].columns) == width


@pytest.mark.parametrize("nuls", [1, 2, 5])
def test_a_few_nuls_in_plain_text_do_not_make_it_utf_16(tmp_path, nuls):
    lines = [f"A-{number};Ada;open" for number in range(40)]
    lines[:nuls] = [line.replace("Ada", "Ad\0a") for line in lines[:nuls]]
    file = tmp_path / "orders.csv"
    file.write_text("\n".join(["No;Name;Status", *lines]))

    table = read(file).tables[0]

    assert (table.encoding, table.columns) == ("utf-8", ("No", "Name", "Status"))


@pytest.mark.parametrize("ending", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_whatever_bytes_its_letters_and_line_ends_have(
    tmp_path, encoding, ending
):
    path = tmp_path / "wide.csv"
    lines = ["id,name,by", *(f"{n},不上下車不上,Ada" for n in range(9))]
    path.write_bytes(ending.join(lines).encode(encoding))

    assert read(path).tables[0].columns == ("id", "name", "by")
