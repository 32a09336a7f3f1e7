"""What a job loads: a small text file needs no catalog, no workbook and no kernel of Arrow."""

import subprocess
import sys

from sandbox.children import CODE_ROOT

HEAVY = (
    *("pandas", "numpy.ma", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet", "pyarrow.dataset"),
    *("openpyxl", "python_calamine", "pypdfium2", "pyreadstat", "msoffcrypto", "defusedxml"),
    *("phonenumbers", "babel", "email_validator", "stdnum", "rapidfuzz"),
    *("tabular.matching", "tabular.types", "tabular.vocabulary", "tabular.transforming"),
    *("tabular.model.catalog", "tabular.model.recipe", "tabular.protocol.requests"),
    *("tabular.reading.pdf", "tabular.reading.workbook", "tabular.reading.structured"),
    *("tabular.reading.archive", "tabular.reading.joining", "tabular.reading.stacking"),
)
SHOW = """
import sys
from pathlib import Path
from tabular.job import carry_out
from tabular.model.places import ReadingChoices
from tabular.protocol import forms
from tabular.protocol.files import ShowRequest
folder = Path(sys.argv[1])
request = ShowRequest(input=str(folder / "a.csv"), choices=ReadingChoices(), rows=10)
(folder / "request.json").write_bytes(forms.written(request))
carry_out(folder, lambda *line: None)
"""
PANDAS = """
import sys
import numpy as np
import pyarrow as pa
from tabular.protocol.arrow import keep_pandas_out
keep_pandas_out()
pa.array([1]), pa.array(np.arange(3)), pa.table({"a": ["x"]})
assert "pandas" not in sys.modules
import pandas
frame = pandas.DataFrame({"a": [1.5, float("nan")], "b": ["x", None]})
assert pa.Table.from_pandas(frame).to_pydict() == {"a": [1.5, None], "b": ["x", None]}
"""


def run(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=CODE_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )


def test_reading_a_small_csv_file_loads_nothing_heavy(tmp_path):
    rows = (f"K{n};Müller {n};{n},50 €;{n % 28 + 1:02}.02.2024\n" for n in range(100))
    (tmp_path / "a.csv").write_text("id;name;amount;day\n" + "".join(rows))
    code = f"{SHOW}\nprint([name for name in {HEAVY!r} if name in sys.modules])"

    assert run(code, str(tmp_path)).stdout == "[]\n"


def test_pyarrow_finds_no_pandas_and_still_takes_its_frames():
    run(PANDAS)


def test_the_server_of_jobs_holds_no_pandas():
    code = "from tabular.job.preloading import preload; preload();"
    code += "import sys; print('pandas' in sys.modules)"

    assert run(code).stdout == "False\n"
