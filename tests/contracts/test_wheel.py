"""What a counterparty installs: one wheel, without Django, that checks files without a network."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts import build_wheel
from signatures.keysets import public_jwk
from tests.contracts.bundles import SIGNER, bundle
from tests.contracts.receipts import lines, receipt, rows_of

GOOD = "Order No,Amount,Mail\nA1,1.50,a@example.com\n"
BAD = "Order No,Amount,Mail\nA1,one fifty,a@example.com\n"
OF_THE_ENGINE = {"django", "djangorestframework", "celery", "psycopg", "redis", "granian"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel.build(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_pure_packages_and_nothing_of_the_engine(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    rooms = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert rooms == {"tabular", "pipeline", "sandbox", "signatures", "contracts"}
    assert {"contracts/__main__.py", "contracts/receipts/document.py"} <= set(names)
    assert "contracts/models.py" not in names
    assert any(name.endswith(".json") and name.startswith("tabular/") for name in names)


def test_the_wheel_asks_for_what_it_imports_at_the_pins_of_the_engine(wheel):
    requirements = {pin.split("==")[0].lower() for pin in build_wheel.requirements()}
    pins = (build_wheel.ROOT / "requirements.in").read_text("utf-8").splitlines()

    assert {"pyarrow", "pydantic", "josepy", "rfc8785", "pypdfium2", "psutil"} <= requirements
    assert not OF_THE_ENGINE & requirements
    assert all(any(line.startswith(pin) for line in pins) for pin in build_wheel.requirements())


def test_the_same_files_make_the_same_wheel(wheel, tmp_path):
    assert build_wheel.build(tmp_path).read_bytes() == wheel.read_bytes()


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory) -> Path:
    """Install the wheel into a fresh virtual environment; return its Python."""
    folder = tmp_path_factory.mktemp("counterparty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    interpreter = folder / "bin" / "python"
    install = [str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, str(wheel)], check=True)
    return interpreter


@pytest.fixture
def folder(tmp_path) -> Path:
    """Return a folder with what the counterparty got, and the files it would send."""
    (tmp_path / "bundle.json").write_text(bundle(), "utf-8")
    keys = {"keys": [public_jwk(SIGNER.public_key())]}
    (tmp_path / "keys.json").write_text(json.dumps(keys), "utf-8")
    (tmp_path / "receipt.json").write_text(receipt(rows_of(3)), "utf-8")
    (tmp_path / "all.jsonl").write_text(lines(rows_of(3)), "utf-8")
    (tmp_path / "two.jsonl").write_text(lines(rows_of(2)), "utf-8")
    (tmp_path / "good.csv").write_text(GOOD, "utf-8")
    (tmp_path / "bad.csv").write_text(BAD, "utf-8")
    return tmp_path


def alone(python: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program without environment variables and, where the kernel allows it, network."""
    cut_off = ["unshare", "--map-root-user", "--net"]
    can = shutil.which("unshare") and not subprocess.run([*cut_off, "true"]).returncode
    command = [*(cut_off if can else []), str(python), *arguments]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.counterparty
@pytest.mark.parametrize(("name", "status"), [("good.csv", 0), ("bad.csv", 1)])
def test_a_counterparty_checks_a_file_before_sending_it(python, folder, name, status):
    about = ["--contract", "bundle.json", "--keys", "keys.json", "--json"]

    done = alone(python, "-m", "contracts", "check", name, *about, folder=folder)

    assert (done.returncode, done.stderr) == (status, "")
    report = json.loads(done.stdout)
    assert report["accepted"] == (status == 0)
    assert [issue["code"] for issue in report["issues"]] == ["not_a_number"] * status


@pytest.mark.counterparty
@pytest.mark.parametrize(("rows", "status"), [("all.jsonl", 0), ("two.jsonl", 1)])
def test_a_counterparty_verifies_a_receipt_and_its_rows(python, folder, rows, status):
    about = ["--key", "keys.json", "--rows", rows]

    done = alone(python, "-m", "contracts", "receipt", "receipt.json", *about, folder=folder)

    assert (done.returncode, done.stderr) == (status, "")


@pytest.mark.counterparty
def test_there_is_no_django_where_the_wheel_is(python, folder):
    looked = "import importlib.util as u; print([n for n in %r if u.find_spec(n)])"

    done = alone(python, "-c", looked % sorted(OF_THE_ENGINE | {"licensing"}), folder=folder)

    assert done.stdout == "[]\n"
