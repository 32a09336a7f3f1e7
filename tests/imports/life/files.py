"""Small ugly files, the catalog they are meant for, and what a person may type into cells."""

from hypothesis import strategies as st

OPTIONS = [
    {"label": "Open", "type": "string", "value": "open"},
    {"label": "Closed", "type": "string", "value": "closed"},
]
FIELDS = (
    {
        "key": "id",
        "validations": [{"validate": "unique"}, {"validate": "unique", "columns": ["note"]}],
    },
    {"key": "amount", "columnType": "float"},
    {"key": "born", "columnType": "date"},
    {
        "key": "until",
        "columnType": "date",
        "validations": [{"validate": "compare", "op": "gte", "column": "born"}],
    },
    {"key": "status", "columnType": "category", "dropdownOptions": OPTIONS},
    {
        "key": "mail",
        "columnType": "email",
        "required": True,
        "validations": [{"validate": "unique", "columns": ["status"], "severity": "warning"}],
    },
    {"key": "note", "columnSize": 8},
)
PATHS = tuple(f"p.{field['key']}" for field in FIELDS)
HEADERS = ("Id", "Amount", "Born", "Until", "Status", "Mail", "Note", "Extra")
TEXTS = {
    "Id": ("K1", "K2", "k1", "", " K1 "),
    "Amount": ("1.5", "1,5", "1.234", "12", "zwei", "", "1.234,50"),
    "Born": ("01/02/2001", "13/02/2001", "2001-12-24", "02/13/2001", "soon", ""),
    "Until": ("03/04/2002", "24.12.2000", "2001-02-01", "", "never"),
    "Status": ("open", "Closed", "wibble", "wobble", ""),
    "Mail": ("a@b.de", "c@d.de", "nope", ""),
    "Note": ("red", "far too long a note", "", '"a;b"', "a"),
    "Extra": ("x", "", "1"),
}
TYPED = st.one_of(
    st.none(),
    st.sampled_from(sorted({text for texts in TEXTS.values() for text in texts})),
    st.text("aK1.,/ é\U0001f600", max_size=6),
)


def edits(rows, paths, most=5):
    """Return a strategy for edits of some cells."""
    cells = st.tuples(st.integers(0, max(0, rows - 1)), st.sampled_from(paths))
    changes = st.dictionaries(cells, TYPED, min_size=1, max_size=most)
    return changes.map(
        lambda texts: [{"row": r, "field": f, "text": text} for (r, f), text in texts.items()]
    )


def some_rows(rows):
    """Return a strategy for some rows of a table."""
    return st.lists(st.integers(0, max(0, rows - 1)), max_size=3, unique=True)


@st.composite
def files(draw) -> str:
    """Return drawn columns of the header, sometimes below a title, and up to eight rows."""
    chosen = draw(st.lists(st.sampled_from(HEADERS), min_size=2, max_size=8, unique=True))
    row = st.tuples(*(st.sampled_from(TEXTS[name]) for name in chosen))
    rows = draw(st.lists(row, min_size=1, max_size=8))
    title = draw(st.sampled_from(("", "", "Our list;;\n\n")))
    return title + "".join(";".join(cells) + "\n" for cells in (chosen, *rows))
