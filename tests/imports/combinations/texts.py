"""Texts for the cells of every column type: right ones, wrong ones and empty ones."""

from hypothesis import strategies as st

RIGHT: dict[str, tuple[str, ...]] = {
    "string": ("red", "Blue shirt", "=1+1", "a;b", "Ünïcode 😀"),
    "int": ("1", "42", "-7", "1,234", "1.234", "007"),
    "float": ("1.5", "1,5", "-0.25", "1.234,50", "1e3", "9007199254740993"),
    "percentage": ("19 %", "0.19", "12,5%", "150"),
    "boolean": ("yes", "no", "true", "0", "x"),
    "category": ("red", "One", "blue"),
    "date": ("01/02/2001", "13.02.2001", "2001-12-24", "02/13/2001"),
    "date_dmy": ("01.02.2001", "31/12/2024"),
    "date_mdy": ("02/13/2001", "12/31/2024"),
    "date_iso": ("2001-12-24", "2024-02-29"),
    "datetime": ("2024-02-29 08:30", "2024-02-29T08:30:00Z", "01.02.2001 09:00", "2024-02-29"),
    "time_hms": ("08:30:15", "8:30:15 PM"),
    "time_hms_24": ("08:30:15", "23:59:59"),
    "time_hm": ("08:30", "8:30 pm"),
    "time_hm_24": ("08:30", "23:59"),
    "email": ("a@b.de", "Ada@Example.com"),
    "url": ("https://example.com/a", "example.com"),
    "url_www": ("www.example.com", "https://www.example.com"),
    "url_https": ("https://example.com", "http://example.com"),
    "phone": ("+49 30 1234567", "030 1234567", "+1 650 253 0000 ext. 12"),
    "iban": ("GB82 WEST 1234 5698 7654 32", "DE89370400440532013000"),
    "bic": ("DEUTDEFF", "DEUTDEFF500"),
    "vat_eu": ("DE136695976", "ATU13585627"),
    "gtin": ("4006381333931", "96385074"),
    "zip_code_de": ("10115", "D-80331"),
    "country_code_alpha_2": ("DE", "Germany", "FRA"),
    "country_code_alpha_3": ("DEU", "Austria", "FR"),
    "currency_code": ("EUR", "$", "usd"),
    "currency_eur": ("12,50 €", "1234.5", "-3"),
    "currency_usd": ("$12.50", "1,234.50", "7"),
}
WRONG = (
    "nope",
    "99999999999999999999",
    "1e999",
    "NaN",
    "a\x01b\x0b",
    "-",
    "n/a",
    "0",
    "31.02.2024",
    "25:61",
    "red;blue",
    "1;2",
    "One|Two",
    "'=x",
    "x" * 300,
)
EMPTY = ("", "", " ", "\u00a0")
SOUGHT = ("1", "red", "", "e", ".", "nope", "\x01", "(", "%", "0")


def cells(column_type: str, spellings: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return a strategy for texts of a column: valid, invalid or empty, or spellings of options."""
    right = st.sampled_from(RIGHT[column_type] + spellings)
    some = [right, right, st.sampled_from(WRONG), st.sampled_from(EMPTY)]
    if spellings:
        some += [st.sampled_from(spellings), st.lists(right, min_size=2, max_size=3).map(";".join)]
    return st.one_of(some)
