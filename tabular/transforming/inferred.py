"""What columns determined: how each field is read, and the form that is stored between steps."""

from dataclasses import dataclass, field, replace

from tabular.model.amounts import currency_of_field
from tabular.model.catalog import Field
from tabular.model.issue import Question
from tabular.model.table import kinds_of, with_kinds
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import WrittenInferred, WrittenParseOptions
from tabular.types.parse_options import ParseOptions


@dataclass(frozen=True, slots=True)
class Inferred:
    """How each field is read, and what a user may want to change about it."""

    parse_options: dict[str, ParseOptions]
    documents: dict[str, str] = field(default_factory=dict)  # field path to its one text
    questions: tuple[Question, ...] = ()
    silent: frozenset[str] = frozenset()  # settled early without evidence


def base_parse_options(path: str, field_: Field, plan: TransformPlan) -> ParseOptions:
    """Return how a field is read as far as catalog, context and answers determine it."""
    answers = plan.answers
    inferred = plan.number_formats.get(path) or field_.number_format
    return ParseOptions(
        number_format=answers.decimal_separator.get(path) or inferred or "us",
        date_order=answers.date_order.get(path) or plan.date_orders.get(path) or "dmy",
        today=plan.context.today,
        currency=currency_of_field(field_),
        region=plan.region or answers.region,
        bare_percent=answers.percent_scale.get(path) or "percent",
        options=field_.dropdown_options or (),
        exact_options=field_.option_mapping_mode == "exact",
        custom_options=bool(field_.allow_custom_options),
        multi_select=bool(field_.is_multi_select),
        answered=dict(answers.category_value.get(path) or {}),
    )


def written_inferred(inferred: Inferred) -> WrittenInferred:
    """Return what the columns determined, for storage; the questions are parts of the result."""
    return WrittenInferred(
        documents=inferred.documents,
        document_kinds=kinds_of(inferred.documents),
        fields={
            path: WrittenParseOptions(
                number_format=parse_options.number_format,
                date_order=parse_options.date_order,
                bare_percent=parse_options.bare_percent,
                region=parse_options.region,
            )
            for path, parse_options in inferred.parse_options.items()
        },
    )


def inferred_of(plan: TransformPlan, written: WrittenInferred) -> Inferred:
    """Read what ``written_inferred`` wrote."""
    parse_options = {
        path: replace(
            base_parse_options(path, plan.fields[path], plan),
            number_format=settled.number_format,
            date_order=settled.date_order,
            bare_percent=settled.bare_percent,
            region=settled.region or plan.region,
        )
        for path, settled in written.fields.items()
    }
    return Inferred(parse_options, with_kinds(written.documents, written.document_kinds))
