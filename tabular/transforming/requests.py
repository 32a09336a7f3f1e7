"""What columns determined, from and to the form in which it is stored between steps."""

from dataclasses import replace

from tabular.model.table import kinds_of, with_kinds
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import WrittenInferred, WrittenParseOptions
from tabular.transforming.inference import Inferred, base_parse_options


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
            number_format=field.number_format,
            date_order=field.date_order,
            bare_percent=field.bare_percent,
            region=field.region or plan.region,
        )
        for path, field in written.fields.items()
    }
    return Inferred(parse_options, with_kinds(written.documents, written.document_kinds))
