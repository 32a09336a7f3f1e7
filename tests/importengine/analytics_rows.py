"""A month of imports into one catalog, for pictures and tests of its analytics."""

from datetime import timedelta
from typing import Any

from analytics.days import step
from analytics.models import CatalogDay, CorrectedHeader
from common import clock
from common.ids import new_id
from ledger.models import Answer, Question
from licensing.models import Tenant
from pipeline.kind import text_fingerprint
from tests.importengine.admin_rows import ADA

REACHED = {"uploaded": 40, "table": 38, "columns": 33, "review": 33, "applied": 29}
TOOK = {"table": 4, "columns": 95, "review": 3, "applied": 240}


def add_imports(tenant: Tenant, catalog: str = "orders") -> None:
    """Set the counts of thirty days of a catalog, the same each day."""
    counts = {f"reached:{name}": number for name, number in REACHED.items()}
    counts |= {f"took:{name}:{step(seconds)}": 20 for name, seconds in TOOK.items()}
    counts |= {
        "gave_up:uploaded": 1, "gave_up:table": 3, "left:table": 1, "gave_up:review": 1,
        "asked:column:": 14, "answered_s:column:": 620,
        "asked:category_value:orders.status": 22, "answered_s:category_value:orders.status": 410,
        "asked:date_order:orders.ordered_on": 3, "answered_s:date_order:orders.ordered_on": 25,
        "left_open:column:": 2, "left_open:required_field:orders.order_number": 1,
        "issues:not_a_date": 480, "issues_in:not_a_date": 9,
        "issues:unknown_option": 230, "issues_in:unknown_option": 11,
        "edited:orders.email": 64, "edited_in:orders.email": 12,
    }  # fmt: skip
    today = clock.now().date()
    for n in range(30):
        day = {"tenant": tenant.public_id, "catalog": catalog, "day": today - timedelta(days=n)}
        CatalogDay.objects.update_or_create(**day, defaults={"counts": counts})


def add_corrections(tenant: Tenant) -> None:
    """Add what people corrected in imports of the example of orders."""
    add_header(tenant, "Auftragskürzel", "orders.order_number", 14)
    add_header(tenant, "", "orders.email", 5)
    add_header(tenant, "Bemerkung intern", "", 4)
    add_text(tenant, "orders.status", "erledigt & zu", "paid", 9)
    add_questions(tenant, "orders.status", "storniert?", 7)
    add_questions(tenant, "orders.status", "in Klärung", 4)


def add_header(
    tenant: Tenant, header: str, field: str, imports: int = 2, catalog: str = "orders"
) -> None:
    """Add a header that people corrected."""
    CorrectedHeader.objects.create(
        digest=new_id("h"), tenant=tenant.public_id, catalog=catalog, header=header, field=field,
        imports=imports, last_at=clock.now(),
    )  # fmt: skip


def add_text(
    tenant: Tenant, field: str, text: str, value: Any, imports: int = 2, catalog: str = "orders"
) -> None:
    """Add a remembered answer about a text, taught by some imports."""
    Answer.objects.create(
        public_id=new_id("ans_"), tenant=tenant, kind="category_value", field=field,
        fingerprint=text_fingerprint(field, text, catalog_key=catalog), evidence=[text],
        value=value, answered_by=ADA.as_dict(), answered_at=clock.now(),
        taught_by=[new_id("rec_") for _ in range(imports)],
    )  # fmt: skip


def add_questions(
    tenant: Tenant, field: str, text: str, imports: int, catalog: str = "orders"
) -> None:
    """Add open questions of some imports, which option a text is."""
    Question.objects.bulk_create(
        Question(
            public_id=new_id("qst_"), tenant=tenant, subject=new_id("rec_"), kind="category_value",
            field=field, evidence=[text], asked_at=clock.now(), state="open",
            fingerprint=text_fingerprint(field, text, catalog_key=catalog),
        )
        for _ in range(imports)
    )  # fmt: skip
