"""A receipt is verified offline, with its rows or a single one of them."""

import json

import pytest

from contracts.__main__ import main
from contracts.receipts.document import opened
from contracts.receipts.rows import compare
from contracts.refusals import ContractRefused
from signatures.keysets import public_jwk, thumbprint
from tests.contracts.bundles import KEYS, SIGNER, STRANGER
from tests.contracts.receipts import CONTENT, lines, receipt, rows_of


@pytest.fixture
def run(tmp_path, capsys):
    """Return a function that runs the command in a folder; returns its exit code and output."""

    def run(*options, text=None, rows=None, key=SIGNER):
        (tmp_path / "receipt.json").write_text(text or receipt(rows_of(3)), "utf-8")
        keys = {"keys": [public_jwk(key.public_key())]}
        (tmp_path / "keys.json").write_text(json.dumps(keys), "utf-8")
        if rows is not None:
            (tmp_path / "rows.jsonl").write_text(lines(rows), "utf-8")
            options = ("--rows", str(tmp_path / "rows.jsonl"), *options)
        paths = (str(tmp_path / "receipt.json"), "--key", str(tmp_path / "keys.json"))
        code = main(["receipt", *paths, *options])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


def test_a_receipt_is_verified_without_its_rows(run):
    code, output = run()

    assert code == 0
    assert output.startswith("The receipt is authentic: tnt_owner signed it at 2026-11-20")
    assert (
        "3 rows delivered, 0 invalid, 0 excluded, 0 unselected, 3 skipped (title 2, total 1)"
        in output
    )


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        (("receipt", "counts", "delivered"), 4),
        (("receipt", "state"), "reverted"),
        (("receipt", "rows", "root"), "0" * 64),
        (("receipt", "id"), f"sha256:{'1' * 64}"),
        (("signature", "signature"), "AAAA"),
        (("signature", "protected"), "e30"),
        (("keyId",), "another"),
        (("receipt", "counts", "skipped"), {}),
    ],
)
def test_a_receipt_that_was_changed_is_refused(run, pointer, value):
    changed = json.loads(receipt(rows_of(3)))
    *way, last = pointer
    place = changed
    for name in way:
        place = place[name]
    place[last] = value

    code, output = run(text=json.dumps(changed))

    assert code == 2
    assert "receipt_" in output


@pytest.mark.parametrize("text", ["", "[]", "{", '{"receipt": {}}', '{"keyId": 1, "keyId": 1}'])
def test_a_file_that_is_not_a_receipt_is_refused(text):
    with pytest.raises(ContractRefused, match="receipt"):
        opened(text.encode(), KEYS)


def test_another_key_is_named_as_the_reason(run):
    code, output = run(key=STRANGER)

    assert code == 2
    assert thumbprint(SIGNER.public_key()) in output
    assert "(receipt_key_unknown)" in output


def test_a_receipt_of_a_contract_or_another_signer_is_refused():
    forged = json.loads(
        receipt(
            rows_of(3),
            by=STRANGER,
            issuer={"tenant": "tnt_owner", "keyId": thumbprint(STRANGER.public_key())},
        )
    )
    with pytest.raises(ContractRefused, match="not among the keys given"):
        opened(json.dumps(forged).encode(), KEYS)


def test_another_tenant_is_refused(run):
    assert run("--tenant", "tnt_other") == (2, "The receipt is one of tnt_owner. (other_tenant)\n")


@pytest.mark.parametrize("count", [0, 1, 3, 64, 65, 200])
def test_the_delivered_rows_are_recognized_in_another_spelling(run, count):
    rows = rows_of(count)
    other = [dict(reversed(row.items())) for row in rows]

    code, output = run(text=receipt(rows), rows=other)

    assert (code, output.splitlines()[-1]) == (
        0,
        "The rows of the file are the delivered rows, in their order.",
    )


LONG = rows_of(200)


@pytest.mark.parametrize(
    ("rows", "output"),
    [
        (LONG[:69] + LONG[70:], "1 row missing, among rows 65 to 128."),
        (LONG[:-1], "1 row missing, among rows 193 to 200."),
        (LONG[:2] + LONG[9:], "7 rows missing, the first of them among rows 1 to 64."),
        ([*LONG[:69], {"a": 1}, *LONG[69:]], "Row 70 is additional: the receipt has no such row."),
        ([{"a": 1}, *LONG], "Row 1 is additional: the receipt has no such row."),
        ([*LONG, {"a": 1}], "Row 201 is additional: the receipt has no such row."),
        ([*LONG, {}, {}], "2 rows too many, the first of them among rows 193 to 200."),
        ([*LONG[:70], {"a": 1}, *LONG[71:]], "Rows 65 to 128 were changed, or in another order."),
        ([LONG[1], LONG[0], *LONG[2:]], "Rows 1 to 64 were changed, or in another order."),
        ([], "200 rows missing, the first of them among rows 1 to 64."),
    ],
)
def test_the_rows_that_differ_are_named(run, rows, output):
    code, printed = run(text=receipt(LONG), rows=rows)

    assert (code, printed.splitlines()[-1]) == (1, output)


def test_rows_behind_a_full_block_are_additional(run):
    rows = rows_of(64)

    code, printed = run(text=receipt(rows), rows=[*rows, {"a": 1}])

    assert (code, printed.splitlines()[-1]) == (
        1,
        "Row 65 is additional: the receipt has no such row.",
    )


@pytest.mark.parametrize("line", ["[1]\n", "{\n", '{"a": NaN}\n', '{"a": 12345678901234567890}\n'])
def test_a_line_that_is_not_a_row_is_named(tmp_path, run, line):
    rows = tmp_path / "odd.jsonl"
    rows.write_text(lines(rows_of(1)) + line, "utf-8")

    code, output = run("--rows", str(rows))

    assert (code, output.split(":")[0]) == (2, "Line 2 is not a row")


@pytest.mark.parametrize("number", [1, 64, 65, 200])
def test_a_single_row_is_proven_without_the_others(tmp_path, run, number):
    code, proof = run("--prove", str(number), text=receipt(LONG), rows=LONG)
    assert code == 0
    (tmp_path / "proof.json").write_text(proof, "utf-8")

    for row, outcome in ((LONG[number - 1], 0), ({"order.number": "another"}, 1)):
        (tmp_path / "row.json").write_text(json.dumps(row), "utf-8")
        paths = ("--row", str(tmp_path / "row.json"), "--proof", str(tmp_path / "proof.json"))
        assert run(*paths, text=receipt(LONG))[0] == outcome
    assert run(*paths, text=receipt(LONG[:-1]))[0] == 1


def test_no_row_is_proven_with_rows_that_differ_or_end_before_it(run):
    assert run("--prove", "4", rows=rows_of(3))[0] == 2
    assert run("--prove", "0", rows=rows_of(3))[0] == 2
    assert run("--prove", "1", rows=rows_of(4))[0] == 1
    assert run("--prove", "1")[0] == 2


@pytest.mark.parametrize("proof", ["", "{}", '{"row": "1", "rows": 3, "path": []}', "[]"])
def test_a_proof_in_another_form_is_refused(tmp_path, run, proof):
    (tmp_path / "row.json").write_text("{}", "utf-8")
    (tmp_path / "proof.json").write_text(proof, "utf-8")

    code, output = run("--row", str(tmp_path / "row.json"), "--proof", str(tmp_path / "proof.json"))

    assert code == 2
    assert output.startswith("The proof is not what --prove prints.")


def test_everything_is_one_json_document_for_programs(run):
    code, printed = run("--json", rows=rows_of(2))

    assert code == 1
    (difference,) = json.loads(printed)["differences"]
    assert (difference["kind"], difference["first"], difference["last"]) == ("missing", 1, 3)


def test_a_receipt_has_no_member_for_texts_of_the_file():
    signed = json.loads(receipt(rows_of(3)))["receipt"]

    assert signed.keys() == CONTENT.keys() | {"id", "receiptVersion", "rows"}


def test_a_large_file_is_compared_in_bounded_memory(tmp_path):
    import tracemalloc

    rows = rows_of(30_000)
    committed = opened(receipt(rows).encode(), KEYS).rows
    path = tmp_path / "rows.jsonl"
    path.write_text(lines(rows), "utf-8")
    del rows

    tracemalloc.start()
    assert compare(path, committed) == ()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 300_000
