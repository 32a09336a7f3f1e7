"""Check a file against a contract over HTTP: the offline check, run by a worker."""

from datetime import datetime

from common import clock, storage
from common.actors import Actor
from contracts import checker, signing
from contracts.refusals import NotUsable
from contracts.signing import Opened
from imports import transitions
from imports.inputs import bench_in
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.services.upload import ImportOptions, create_import
from licensing.models import Tenant
from tabular.model import i_json
from tabular.model.problem import UnusableRequest


def create_check(
    *,
    tenant: Tenant,
    opened: Opened,
    filename: str,
    stored: storage.StoredFile,
    actor: Actor,
    at: datetime,
    license_id: str = "",
) -> ImportRecord:
    """Start a check of a stored file against a verified contract; it is kept for a day."""
    return create_import(
        tenant=tenant,
        catalog_version=None,
        filename=filename,
        stored=stored,
        actor=actor,
        at=at,
        license_id=license_id,
        options=ImportOptions(
            purpose=ImportRecord.Purpose.CHECK,
            contract_id=opened.contract.id,
            contract={"bundle": i_json.write(opened.members)},
        ),
    )


def carry_out_check(record: ImportRecord, reporter: Reporter) -> None:
    """Write the report: the job of a check in the state ``reading``."""
    contract = signing.open_bundle(record.contract["bundle"].encode()).contract
    with storage.working_folder("check") as folder:
        work = checker.Work(bench_in(folder, reporter), today=record.created_at.date())
        path = storage.local_path(record.file)
        try:
            report = checker.check(path, name=record.filename, contract=contract, work=work)
        except NotUsable as refusal:
            raise UnusableRequest(refusal.code, refusal.sentence) from refusal
    transitions.report(record, report.as_json(), at=clock.now())
