"""Checking a file offline: findings, report and exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.__main__ import main
from signatures.keysets import public_jwk
from tabular import versions
from tests.contracts.bundles import CONTENT, SIGNER, STRANGER, bundle

GOOD = "Order No,Amount,Mail\nA1,1.50,a@example.com\nA2,2.50,b@example.com\n"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def check(tmp_path, capsys):
    """Return a function that checks a text against a contract; returns exit status and report."""

    def check(text=GOOD, *options, name="file.csv", signed=None, keys=SIGNER, **members):
        file = tmp_path / name
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        contract, jwks = tmp_path / "bundle.json", tmp_path / "keys.json"
        contract.write_text(bundle(**members) if signed is None else signed, "utf-8")
        jwks.write_text(json.dumps({"keys": [public_jwk(keys.public_key())]}), "utf-8")
        about = ["--contract", str(contract), "--keys", str(jwks), "--json"]
        status = main(["check", str(file), *about, *options])
        return status, json.loads(capsys.readouterr().out)

    return check


def codes(report):
    return [finding["code"] for finding in report["findings"]]


def profile(**members):
    return CONTENT["profile"] | members


def policy(**members):
    return CONTENT["policy"] | members


def test_a_file_that_keeps_the_contract_is_accepted(check):
    status, report = check()

    assert status == 0
    assert report["accepted"] is True
    assert report["findings"] == report["issues"] == report["questions"] == []
    assert report["counts"]["valid"] == 2
    assert report["reading"]["encoding"] == "utf-8"
    assert report["reading"]["headerRow"] == 0
    assert report["contract"]["tenant"] == "tnt_owner"


def test_a_wrong_cell_is_named_where_it_is_in_the_file(check):
    status, report = check("Preamble\n\nOrder No,Amount,Mail\nA1,1.50,a@example.com\nA2,x,\n")

    assert status == 1
    (issue,) = report["issues"]
    assert (issue["row"], issue["fileRow"], issue["column"]) == (1, 5, "Amount")
    assert (issue["field"], issue["code"], issue["value"]) == ("order.amount", "not_a_number", "x")
    assert report["counts"]["error"] == 1


def test_names_of_columns_may_differ_in_case_and_blanks(check):
    status, report = check(GOOD.replace("Order No", "ORDER  no"))

    assert status == 0
    assert "order.number" in report["mapping"].values()


@pytest.mark.parametrize(
    ("text", "members", "code"),
    [
        pytest.param(
            GOOD.replace("Order No", "Number"), {}, "missing_column", id="a required column"
        ),
        pytest.param(GOOD, {"policy": policy(maxRows=1)}, "too_many_rows", id="too many rows"),
        pytest.param(
            GOOD.replace("A1", "Ä1").encode("utf-16"),
            {"policy": policy(encodings=["UTF8", "latin-1"])},
            "encoding_refused",
            id="another encoding",
        ),
        pytest.param(
            "x\n" + GOOD, {"profile": profile(headerRow=0)}, "header_row_differs", id="header row"
        ),
        pytest.param(
            "Amount,Mail\n1.50,a@example.com\n",
            {"policy": policy(requiredColumns=[])},
            "required_field",
            id="a required field without a column",
        ),
        pytest.param(
            "Other,Columns\n1,2\n",
            {"policy": policy(requiredColumns=[])},
            "nothing_mapped",
            id="nothing that is known",
        ),
    ],
)
def test_what_the_policy_does_not_allow_is_found(check, text, members, code):
    status, report = check(text, **members)

    assert status == 1
    assert report["accepted"] is False
    assert code in codes(report)


def test_an_encoding_goes_by_any_of_its_names(check):
    text = GOOD.replace("A1", "Müller Größe für Köln").replace("A2", "Schöne Grüße aus Österreich")

    status, report = check(text.encode("cp1252"), policy=policy(encodings=["windows-1252", "utf8"]))

    assert (status, report["reading"]["encoding"]) == (0, "cp1252")


def test_the_number_of_rows_may_reach_its_limit(check):
    assert check(policy=policy(maxRows=2))[0] == 0


def test_more_rows_than_allowed_are_not_counted(check):
    _, report = check(GOOD.replace("Order No", "Number"), policy=policy(maxRows=1))

    assert codes(report)[:2] == ["missing_column", "too_many_rows"]
    message = report["findings"][1]["message"]
    assert message == "The file has more than the 1 row that may be sent."
    assert (report["reading"]["rows"], report["counts"]) == (None, None)


def test_a_column_that_nothing_requires_may_be_absent(check):
    status, report = check("Order No,Amount\nA1,1.50\n")

    assert status == 0
    assert codes(report) == ["absent_column"]


def test_a_header_is_looked_for_where_the_contract_has_it(check):
    text = "Amounts,of,2026\nOrder No,Amount,Mail\nA1,1.50,a@example.com\n"

    assert check(text, profile=profile(headerRow=1))[0] == 0


def test_the_recipe_of_the_contract_is_carried_out(check):
    recipe = {
        "version": 1,
        "steps": [{"do": "split", "column": "Both", "separator": "/", "into": ["No", "Sum"]}],
    }
    mapping = {"No": "order.number", "Sum": "order.amount"}
    terms = {
        "profile": {"version": 1, "mapping": mapping, "recipe": recipe},
        "policy": {"requiredColumns": ["Both"]},
    }

    assert check("Both,Mail\nA1/1.50,a\n", **terms)[0] == 0
    status, report = check("Nothing,Mail\nA1/1.50,a\n", **terms)
    assert status == 1
    assert report["counts"] is None


def test_without_a_mapping_the_matcher_maps(check):
    terms = {"profile": {"version": 1}, "policy": {"requiredColumns": []}}

    status, report = check("number,amount\nA1,1.50\n", **terms)

    assert status == 0
    assert report["mapping"] == {"number": "order.number", "amount": "order.amount"}


def test_every_type_and_rule_counts_as_in_an_import(check):
    field = {
        "key": "n",
        "columnType": "int",
        "columnSize": 2,
        "validations": [{"validate": "unique"}, {"validate": "regex", "regex": "^[0-8]+$"}],
    }
    option = {
        "key": "o",
        "columnType": "category",
        "optionMappingMode": "exact",
        "dropdownOptions": [{"label": "yes", "type": "string", "value": "y"}],
    }
    terms = {
        "catalog": [{"id": "e", "fields": [field, option]}],
        "profile": {"version": 1, "mapping": {"n": "e.n", "o": "e.o"}},
        "policy": {"requiredColumns": []},
    }

    status, report = check("n,o\n1,yes\n1,no\n123,yes\n9,yes\n", **terms)

    assert status == 1
    assert set(report["counts"]["byCode"]) == {"unique", "regex", "too_long", "unknown_option"}


def test_warnings_do_not_refuse_a_file(check):
    field = {
        "key": "n",
        "columnType": "int",
        "validations": [{"validate": "unique", "severity": "warning"}],
    }
    terms = {
        "catalog": [{"id": "e", "fields": [field]}],
        "profile": {"version": 1, "mapping": {"n": "e.n"}},
        "policy": {"requiredColumns": []},
    }

    status, report = check("n,m\n1,a\n1,b\n", **terms)

    assert status == 0
    assert report["counts"]["warning"] == 1


def test_what_the_engine_would_ask_is_said(check):
    field = {"key": "d", "columnType": "date"}
    terms = {
        "catalog": [{"id": "e", "fields": [field]}],
        "profile": {"version": 1, "mapping": {"d": "e.d"}},
        "policy": {"requiredColumns": []},
    }

    status, report = check("d,m\n01/02/2026,a\n03/04/2026,b\n", **terms)

    assert status == 0
    assert [question["kind"] for question in report["questions"]] == ["date_order"]


def problem(outcome):
    status, problem_shown = outcome
    return status, problem_shown["problem"]["code"]


def test_another_pin_is_not_a_verdict_unless_it_is_allowed(check):
    engine = {"matcher": versions.MATCHER, "transform": "of long ago"}

    assert problem(check(engine=engine)) == (2, "contract_pin_mismatch")
    status, report = check(GOOD, "--allow-pin-mismatch", engine=engine)
    assert status == 0
    assert report["differingPins"] == {
        "transform": {"contract": "of long ago", "engine": versions.TRANSFORM}
    }


@pytest.mark.parametrize(
    ("members", "code"),
    [
        pytest.param({"signed": "[1"}, "malformed_bundle", id="no JSON"),
        pytest.param({"signed": "{}"}, "contract_invalid", id="no contract"),
        pytest.param(
            {"signed": bundle().replace('"title":"O', '"title":"o')},
            "contract_id_mismatch",
            id="changed",
        ),
        pytest.param({"keys": STRANGER}, "contract_key_unknown", id="another's keys"),
        pytest.param({"expiresAt": "2020-01-01T00:00:00Z"}, "contract_expired", id="expired"),
        pytest.param(
            {"profile": {"version": 1, "recipe": {"version": 9}}},
            "contract_not_usable",
            id="a recipe of another engine",
        ),
        pytest.param(
            {"profile": {"version": 1, "mapping": {"A": "order.gone"}}},
            "contract_not_usable",
            id="a field that is not there",
        ),
        pytest.param({"text": b"%PDF-1.7 broken", "name": "a.pdf"}, None, id="an unreadable file"),
        pytest.param({"text": b"PK\x03\x04broken", "name": "a.xlsx"}, None, id="a broken workbook"),
    ],
)
def test_without_a_verdict_the_exit_status_is_2(check, members, code):
    status, shown = problem(check(**members))

    assert status == 2
    assert shown == code or code is None


def test_a_contract_of_another_tenant_can_be_refused(check):
    assert problem(check(GOOD, "--tenant", "tnt_other")) == (2, "other_tenant")
    assert check(GOOD, "--tenant", "tnt_owner")[0] == 0


@pytest.mark.parametrize("arguments", [["verify", "none.json"], ["check", "none.csv"]])
def test_a_file_that_is_not_there_is_no_verdict(arguments, tmp_path, capsys):
    keys = tmp_path / "keys.json"
    keys.write_text('{"keys": []}', "utf-8")
    if arguments[0] == "check":
        arguments = [*arguments, "--contract", str(tmp_path / "no.json")]

    assert main([*arguments, "--keys", str(keys)]) == 2
    assert "no_file" in capsys.readouterr().err


def test_keys_that_are_not_keys_are_named(tmp_path, capsys):
    contract, keys = tmp_path / "b.json", tmp_path / "k.json"
    contract.write_text(bundle(), "utf-8")
    keys.write_text('{"keys": 1}', "utf-8")

    assert main(["verify", str(contract), "--keys", str(keys), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["problem"]["code"] == "unusable_keys"


def test_the_difference_of_two_bundles_is_told(tmp_path, capsys):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(bundle(), "utf-8")
    new.write_text(bundle(policy=policy(maxRows=999)), "utf-8")

    assert main(["diff", str(old), str(new)]) == 1
    assert capsys.readouterr().out == "breaking  changed  policy maxRows\n"
    assert main(["diff", str(old), str(old), "--json"]) == 0


def test_the_schema_is_printed(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].endswith("2020-12/schema")


@pytest.mark.child
def test_the_program_reads_the_file_in_a_process_of_its_own_and_tells_people(tmp_path):
    file, contract, keys = (tmp_path / name for name in ("f.csv", "b.json", "k.json"))
    file.write_text(GOOD.replace("2.50", "=1+1"), "utf-8")
    contract.write_text(bundle(), "utf-8")
    keys.write_text(json.dumps({"keys": [public_jwk(SIGNER.public_key())]}), "utf-8")
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}

    done = subprocess.run(
        [sys.executable, "-m", "contracts", "check", "f.csv", "--contract=b.json", "--keys=k.json"],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("f.csv: not accepted by “Orders” of tnt_owner\n")
    assert "row 3, Amount: “=1+1” is not a number." in done.stdout


PHONES = [{"id": "order", "fields": [{"key": "phone", "columnType": "phone"}]}]


@pytest.mark.parametrize(
    ("recipe", "questions", "issues"),
    [
        ({"region": "CH"}, [], []),
        ({"region": "US"}, [], ["not_a_phone_number"]),
        ({"version": 1, "steps": [], "region": "CH"}, [], []),
        (None, ["region"], ["not_a_phone_number"]),
    ],
)
def test_phone_numbers_are_read_in_the_region_of_the_contract(check, recipe, questions, issues):
    about = {"mapping": {"Phone": "order.phone"}} | ({"recipe": recipe} if recipe else {})

    _, report = check(
        "Phone\n044 668 18 00\n044 668 18 01\n",
        profile={"version": 1, **about},
        catalog=PHONES,
        policy={"requiredColumns": []},
    )

    assert [question["kind"] for question in report["questions"]] == questions
    assert sorted({issue["code"] for issue in report["issues"]}) == issues


def test_a_contract_of_no_country_cannot_be_checked_with(check):
    status, report = check(profile=profile(recipe={"region": "XX"}))

    assert status == 2
    assert "'XX' is not a country code" in json.dumps(report)
