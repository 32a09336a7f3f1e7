"""
Checking a million rows against a contract, compared with the jobs of an import alone.

Both are separate processes with their jobs in limited children; figures are the CPU time of a
process and its children, measured in turn.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from bench.peers.generated import generate
from bench.transforming.workload import request

ROUNDS = 3
ROOT = Path(__file__).resolve().parent.parent
ALLOWED = 1.2
TODAY = "2026-01-02"


def main() -> None:
    """Print the ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = generate(1_000_000, folder)
        about = _write_contract(folder)
        check = ["-m", "contracts", "check", str(file), *about, "--today", TODAY, "--json"]
        bare = ["-m", "bench.contracts", str(file), str(folder / "content.json")]
        rounds = [(_cpu(bare), _cpu(check)) for _ in range(ROUNDS)]
    floor, ours = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio = statistics.median(ours / floor for floor, ours in rounds)
    print(
        f"1,000,000 rows checked: CPU {ours:.2f} s, read and transformed alone {floor:.2f} s, "
        f"ratio {ratio:.2f} (allowed {ALLOWED})"
    )


def pipeline(file: Path, content: Path) -> None:
    """Read and transform a file as an import does, without anything else."""
    from sandbox import run_job
    from tabular.model.catalog import Catalog, Context
    from tabular.model.table import silent
    from tabular.protocol.jobs import JobRequest
    from tabular.protocol.plan import TransformPlan
    from tabular.protocol.requests import ReadRequest, TransformRequest

    content_json = json.loads(content.read_text("utf-8"))
    document = {"key": "contract", "entries": content_json["catalog"]}
    plan = TransformPlan(
        catalog=Catalog.model_validate_json(json.dumps(document)),
        mapping=content_json["profile"]["mapping"],
        context=Context(today=date.fromisoformat(TODAY)),
    )

    def run(folder: Path, request: JobRequest[Any]) -> None:
        folder.mkdir()
        run_job(folder, request, progress=silent, cancelled=lambda: False)

    with tempfile.TemporaryDirectory() as name:
        read, made = Path(name) / "read", Path(name) / "made"
        run(read, ReadRequest(input=str(file), catalog=plan.catalog))
        run(made, TransformRequest(input=str(read / "out" / "source.arrow"), plan=plan))


def _write_contract(folder: Path) -> list[str]:
    """Sign the workload as a contract; return the options that name it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    from contracts import signing
    from contracts.content import ContractDraft, content_of
    from signatures.keysets import public_jwk, thumbprint

    plan = request(folder).plan
    key = ec.generate_private_key(ec.SECP256R1())
    draft = ContractDraft(
        title="Customers",
        catalog=plan.catalog,
        profile={"version": 1, "mapping": plan.mapping},
        policy={"requiredColumns": list(plan.mapping), "maxRows": 1_000_000},
        created_at="2026-01-02T00:00:00Z",
    )
    content = content_of(draft, tenant="tnt_bench", key_id=thumbprint(key.public_key()))
    (folder / "content.json").write_text(json.dumps(content), "utf-8")
    (folder / "bundle.json").write_text(signing.sign(content, key), "utf-8")
    keys = {"keys": [public_jwk(key.public_key())]}
    (folder / "keys.json").write_text(json.dumps(keys), "utf-8")
    return ["--contract", str(folder / "bundle.json"), "--keys", str(folder / "keys.json")]


def _cpu(arguments: list[str]) -> float:
    """Run a program; return the CPU seconds of it and its children."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1}:
        raise RuntimeError(f"{arguments} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    pipeline(Path(sys.argv[1]), Path(sys.argv[2]))
