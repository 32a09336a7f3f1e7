"""``python -m contracts verify|check|diff|schema|receipt``: without an engine or an account."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from contracts import checker, report, signing
from contracts.bundle import contract_schema
from contracts.comparison import compare, is_breaking
from contracts.customer import customer_of
from contracts.receipts import proofs
from contracts.receipts.document import opened
from contracts.receipts.proofs import Looked
from contracts.receipts.rows import NotRows
from contracts.receipts.rows import compare as compare_rows
from contracts.refusals import ContractRefused, PinMismatch
from contracts.signing import Opened
from sandbox import POLICY, JobFailed, reader_broke
from sandbox.bench import Bench
from sandbox.folders import temporary_folder
from sandbox.limits import limits_of
from signatures.keysets import NamedKeys, UnusableKeySet, read_named_keys
from tabular.model import i_json
from tabular.model.problem import TabularProblem
from tabular.model.table import silent

EXIT_ACCEPTED, EXIT_FINDINGS, EXIT_CANNOT = 0, 1, 2
EXIT_CUT_OFF, EXIT_INTERRUPTED = 141, 130  # as a shell reports SIGPIPE and SIGINT
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CannotCheck(Exception):
    """There is no verdict: a file cannot be read, or the contract is not accepted."""

    code: str
    sentence: str


def main(arguments: Sequence[str]) -> int:
    """Run one command. Return 0 for accepted, 1 for findings, 2 for no verdict."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except (ContractRefused, TabularProblem) as refusal:
        return _cannot(refusal.code, refusal.sentence, options)
    except CannotCheck as reason:
        return _cannot(reason.code, reason.sentence, options)
    except JobFailed:
        broken = reader_broke()
        return _cannot(broken.code, broken.sentence, options)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m contracts", description=__doc__)
    commands = parser.add_subparsers(required=True)
    verify = commands.add_parser("verify", help="verify the signature of a bundle")
    verify.add_argument("bundle", type=Path, metavar="BUNDLE")
    verify.set_defaults(run=_verify)
    check = commands.add_parser("check", help="check a file against a contract")
    check.add_argument("file", type=Path, metavar="FILE")
    check.add_argument("--contract", required=True, type=Path, metavar="BUNDLE", dest="bundle")
    check.add_argument(
        "--allow-pin-mismatch", action="store_true", help="check with another engine all the same"
    )
    check.add_argument("--today", type=date.fromisoformat, help="the day, for two-digit years")
    check.add_argument("--issues", type=int, default=checker.SHOWN_ISSUES, help="print so many")
    check.set_defaults(run=_check)
    for command in (verify, check):
        command.add_argument("--keys", required=True, type=Path, metavar="JWKS")
        command.add_argument(
            "--tenant", metavar="TNT", help="refuse a contract of any other tenant"
        )
    diff = commands.add_parser("diff", help="show how two contracts differ")
    diff.add_argument("old", type=Path, metavar="OLD")
    diff.add_argument("new", type=Path, metavar="NEW")
    diff.set_defaults(run=_diff)
    schema = commands.add_parser("schema", help="print the JSON Schema of a bundle")
    schema.set_defaults(run=_schema)
    receipt = commands.add_parser("receipt", help="verify a receipt, and rows against it")
    receipt.add_argument("receipt", type=Path, metavar="FILE")
    receipt.add_argument("--key", required=True, type=Path, metavar="JWKS", dest="keys")
    receipt.add_argument("--tenant", metavar="TNT", help="refuse a receipt of any other tenant")
    receipt.add_argument("--rows", type=Path, help="a file with all rows, one JSON object a line")
    receipt.add_argument("--prove", type=int, metavar="N", help="prove row N of --rows, from 1")
    receipt.add_argument("--row", type=Path, help="a file with one row, for --proof")
    receipt.add_argument("--proof", type=Path, help="what --prove printed")
    receipt.set_defaults(run=_receipt)
    for command in (verify, check, diff, receipt):
        command.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _verify(options: argparse.Namespace) -> int:
    contract = _authentic(options).contract
    differ = signing.differing_pins(contract)
    report = {
        "verified": True,
        "contractId": contract.id,
        "title": contract.title,
        "tenant": contract.issuer.tenant,
        "keyId": contract.issuer.key_id,
        "createdAt": contract.created_at,
        "expiresAt": contract.expires_at,
        "differingPins": sorted(differ),
        "overlayDigest": customer_of(contract.profile.recipe).digest,
    }
    until = f", until {contract.expires_at}" if contract.expires_at else ""
    lines = [f"“{contract.title}” of {contract.issuer.tenant}: verified{until}", contract.id]
    if report["overlayDigest"]:
        lines.append(f"for one customer: overlay {report['overlayDigest']}")
    lines += [f"made with another {name}: checks may differ here" for name in sorted(differ)]
    _say(report, "\n".join(lines) + "\n", options)
    return EXIT_ACCEPTED


def _check(options: argparse.Namespace) -> int:
    contract = _authentic(options).contract
    if not options.allow_pin_mismatch:
        try:
            signing.check_pins(contract)
        except PinMismatch as mismatch:
            raise CannotCheck(
                mismatch.code, f"{mismatch.sentence} --allow-pin-mismatch checks all the same."
            ) from mismatch
    if not options.file.is_file():
        raise CannotCheck("no_file", f"There is no file {options.file}.")
    if not os.access(options.file, os.R_OK):
        raise CannotCheck("no_file", f"{options.file} cannot be read: permission denied.")
    with temporary_folder() as folder:
        work = checker.Work(
            bench=Bench(folder, limits_of(), progress=_progress if sys.stderr.isatty() else silent),
            today=options.today or datetime.now(UTC).date(),
            shown=max(0, options.issues),
        )
        checked = checker.check(
            options.file, name=options.file.name, contract=contract, work=work
        ).as_json()
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    _say(checked, report.for_people(checked), options)
    return EXIT_ACCEPTED if checked["accepted"] else EXIT_FINDINGS


def _diff(options: argparse.Namespace) -> int:
    old, new = (signing.open_bundle(_bytes(path)).contract for path in (options.old, options.new))
    changes = compare(old, new)
    report = {
        "breaking": is_breaking(changes),
        "changes": [
            {name: getattr(change, name) for name in type(change).__slots__} for change in changes
        ],
    }
    lines = [
        f"{'breaking' if c.breaking else 'harmless'}  {c.kind}  {c.place} {c.member}".rstrip()
        for c in changes
    ] or ["no difference"]
    _say(report, "\n".join(lines) + "\n", options)
    return EXIT_FINDINGS if report["breaking"] else EXIT_ACCEPTED


def _receipt(options: argparse.Namespace) -> int:
    receipt = opened(_bytes(options.receipt), _keys(options.keys))
    if options.tenant not in {None, receipt.issuer.tenant}:
        raise CannotCheck("other_tenant", f"The receipt is one of {receipt.issuer.tenant}.")
    if (options.row is None) != (options.proof is None):
        raise CannotCheck("no_proof", "A row is verified by --row and --proof together.")
    if options.prove is not None and options.rows is None:
        raise CannotCheck("no_rows", "--prove needs the file of all rows: --rows.")
    try:
        differences = compare_rows(options.rows, receipt.rows) if options.rows else ()
        if options.prove is not None and not differences:
            print(json.dumps(proofs.proof_of(options.rows, options.prove, receipt)))
            return EXIT_ACCEPTED
        is_proven = options.row and proofs.is_proven(
            _bytes(options.row), _bytes(options.proof), receipt
        )
    except NotRows as error:
        raise CannotCheck("not_rows", str(error)) from error
    except OSError as error:
        raise CannotCheck("no_file", f"{options.rows} cannot be read: {error.strerror}.") from error
    looked = Looked(options.rows is not None, differences, is_proven)
    _say(looked.as_json(receipt), looked.for_people(receipt), options)
    return EXIT_ACCEPTED if looked.is_right else EXIT_FINDINGS


def _schema(options: argparse.Namespace) -> int:
    print(json.dumps(contract_schema(), ensure_ascii=False, indent=2))
    return EXIT_ACCEPTED


def _authentic(options: argparse.Namespace) -> Opened:
    """Open and verify the named bundle. Raise an error if anything is unproven."""
    opened = signing.open_bundle(_bytes(options.bundle))
    signing.verify(opened, _keys(options.keys))
    signing.check_time(opened.contract, datetime.now(UTC))
    tenant = opened.contract.issuer.tenant
    if options.tenant not in {None, tenant}:
        raise CannotCheck("other_tenant", f"The contract is one of {tenant}.")
    return opened


def _keys(path: Path) -> NamedKeys:
    try:
        return read_named_keys(i_json.read(_bytes(path)))
    except (UnusableKeySet, i_json.NotIJson) as error:
        raise CannotCheck("unusable_keys", f"{path} {error}.") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CannotCheck("no_file", f"{path} cannot be read: {error.strerror}.") from error


def _cannot(code: str, sentence: str, options: argparse.Namespace) -> int:
    if getattr(options, "json", False):
        print(json.dumps({"problem": {"code": code, "detail": sentence}}, ensure_ascii=False))
    else:
        print(f"{sentence} ({code})", file=sys.stderr)
    return EXIT_CANNOT


def _say(report: Json, text: str, options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        sys.stdout.write(text)


def _progress(stage: str, done: int, total: int | None) -> None:
    of = f" of {total:,}" if total else ""
    sys.stderr.write(f"\r\x1b[K{stage} {done:,}{of}")


if __name__ == "__main__":
    POLICY.is_forking = False  # a check has two to four jobs
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has closed it, as ``head`` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = EXIT_CUT_OFF
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    sys.exit(code)
