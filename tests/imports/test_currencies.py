"""Amounts in any currency, from the file to the delivered row."""

import pytest

from tests.imports.asked import Imported, publish_fields

pytestmark = pytest.mark.django_db

SWISS = "Name;Betrag CHF\nAda;CHF 1'234.50\nBob;Fr. 12.50\nCyd;€ 5\n"
BRITISH = "Name,Price\nAda,£12.99\nBob,1000.5 GBP\nCyd,$3\n"
JAPANESE = 'Name,価格\nAda,"¥1,200"\nBob,"JPY 300"\nCyd,"1,500円"\n'


def amount(label, output_format):
    return {"key": "total", "label": label, "columnType": "float", "outputFormat": output_format}


@pytest.mark.parametrize(
    ("label", "output_format", "text", "values", "refused"),
    [
        ("Betrag", "CHF", SWISS, [1234.5, 12.5, None], "“€ 5” is not in CHF."),
        ("Price", "GBP 0.00", BRITISH, ["GBP 12.99", "GBP 1000.50", None], "“$3” is not in GBP."),
        ("価格", "JPY", JAPANESE, [1200, 300, 1500], None),
    ],
)
def test_amounts_are_read_in_the_currency_of_the_field(
    owner, client, label, output_format, text, values, refused
):
    publish_fields(owner, "name", amount(label, output_format))

    imported = Imported(client, text, autoMap=True)

    assert imported.questions() == []
    assert imported.values("p.total") == values
    rows = client.post(imported.url("rows/query"), {}, format="json").json()["rows"]
    messages = [issue["message"] for row in rows for issue in row["issues"]]
    assert messages == ([refused] if refused else [])
