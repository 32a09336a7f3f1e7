"""Between transforming and review: find the entities that the references of the rows name."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from licensing.models import Tenant
from pipeline.run import Bench
from references import selectors as references
from references.lookup import known_elsewhere, known_for
from staging.defects import log_defects
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import ResolveRequest
from tabular.protocol.results import TransformResult

UNKNOWN = "unknown_reference"
MOST_TEXTS = 1_000  # texts of a field that are searched for in other scopes


@dataclass(frozen=True, slots=True)
class Resolver:
    """
    Resolves references by the known entities of a tenant and scope; imports of pages see none.

    The candidate entities are fetched here and passed to a child, which decides.
    """

    subject: str
    tenant: Tenant
    scope: str
    from_page: bool

    def __call__(
        self, plan: TransformPlan, made: Path, result: TransformResult, bench: Bench, /
    ) -> TransformResult:
        """Resolve the references of the rows in ``made``; return the result with them."""
        self._keep_known(plan, made, result)
        request = ResolveRequest(input=str(made), plan=plan, columns=result.columns)
        resolved, out = bench.run("resolve", request)
        log_defects(self.subject, resolved.defects)
        for path in out.iterdir():
            shutil.move(path, made / path.name)
        if resolved.counts.by_code.get(UNKNOWN):
            self._keep_elsewhere(plan, made, result.issues_file)
        questions = (*result.questions, *resolved.questions)
        return replace(result, counts=resolved.counts, questions=questions)

    def _keep_elsewhere(self, plan: TransformPlan, made: Path, issues_file: str) -> None:
        """Record which unknown texts another scope of the tenant knows; pages never see this."""
        import pyarrow as pa
        import pyarrow.compute as pc

        from tabular.protocol.tables import whole
        from tabular.resolving.files import write_elsewhere
        from tabular.resolving.pointers import pointers_of

        issues = whole(made / issues_file)
        unknown = issues.filter(pc.equal(issues["code"].cast(pa.string()), UNKNOWN))
        paths = unknown["field"].cast(pa.string())
        refs_by_set: dict[str, set[str]] = {}
        for pointer in pointers_of(plan.target, plan.used_fields):
            texts = unknown["value"].filter(pc.equal(paths, pointer.path)).unique()
            refs_by_set[pointer.path] = known_elsewhere(
                self.tenant,
                self.scope,
                pointer.entity,
                fields=pointer.match_on,
                texts=texts.drop_null().slice(0, MOST_TEXTS),
            )
        write_elsewhere(made, refs_by_set)

    def _keep_known(self, plan: TransformPlan, made: Path, result: TransformResult) -> None:
        from tabular.protocol.tables import column
        from tabular.resolving.files import write_known
        from tabular.resolving.resolution import wanted_of

        files = result.file_of
        wanted = wanted_of(
            plan.target,
            used=plan.used_fields,
            values=lambda path: column(made / files[path]),
            answers=plan.answers,
        )
        sets = {} if self.from_page else references.sets_of(self.tenant, self.scope)
        write_known(made, known_for(sets, wanted))
