"""The names of months that are kept are those of the Unicode CLDR."""

import json
import subprocess
import sys

import pytest

from scripts.make_months import TARGET, names
from tabular.values.months import month_number


def test_the_kept_names_are_those_of_the_installed_cldr():
    assert json.loads(TARGET.read_text("utf-8")) == names()


@pytest.mark.parametrize(
    ("name", "number"), [("Mrz", 3), ("déc.", 12), ("MAJ", 5), ("października", 10), ("Ada", None)]
)
def test_a_name_is_a_month_in_any_of_the_languages_or_none(name, number):
    assert month_number(name) == number


def test_no_locales_are_loaded_to_read_a_text_with_words_and_days(tmp_path):
    path = tmp_path / "days.csv"
    rows = "".join(f"{n},3 Mai 2024,Ada Lovelace\n" for n in range(250_000))
    path.write_text(f"id,day,name\n{rows}", "utf-8")
    script = (
        "import sys; from pathlib import Path; from tabular.reading import read\n"
        f"rows = sum(b.num_rows for b in read(Path({str(path)!r})).bodies[0].batches())\n"
        "print(rows, 'babel.core' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stdout.strip() == "250000 False", done.stderr
