"""A child process starts without what it never uses."""

import subprocess
import sys


def test_a_file_is_read_without_pandas(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("name;amount\nAda;1\nBob;2\n", "utf-8")

    command = [sys.executable, "-X", "importtime", "-m", "tabular", "read", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert "pyarrow" in imported
    assert "pandas.core" not in imported
    assert "Ada" in done.stdout
