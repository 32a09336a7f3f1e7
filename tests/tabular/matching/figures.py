"""Count what a matcher got right on the exports."""

from collections import Counter

from eval.matching.made_up import column
from tabular.matching import candidate_fields, propose
from tabular.model.catalog import Catalog, Entry, Field
from tests.tabular.matching.exports import CATALOGS


def catalog(name):
    fields = []
    for line in CATALOGS[name].strip().splitlines():
        key, column_type, label = line.strip().split(" ", 2)
        fields.append(
            Field(
                key=key,
                column_type=column_type,
                label=label.rstrip("!"),
                required=label.endswith("!"),
            )
        )
    return Catalog(key=name, entries=(Entry(id=name, fields=tuple(fields)),))


def proposal_of(case):
    cells = [
        column(kind, seed=header) for kind, header in zip(case.values, case.columns, strict=True)
    ]
    return propose(tuple(case.columns), cells, catalog=catalog(case.catalog))


def judge(case):
    """Return counts and the list of errors."""
    proposal = proposal_of(case)
    mapping = {c.column: c.field.split(".")[1] if c.field else "-" for c in proposal.columns}
    offered = {}
    for question in proposal.questions:
        keys = {path.split(".")[1] for path in candidate_fields(question)}
        for name in question.columns:
            offered.setdefault(name, set()).update(keys)
    counts, wrong, groups = Counter(), [], {}
    for name, truth in zip(case.columns, case.truth, strict=True):
        if truth.startswith("?"):
            *keys, group = truth[1:].split()
            hit = bool(offered.get(name, set()) & set(keys))
            groups[group] = groups.get(group, False) or hit
            continue
        counts.update(_sure(truth, mapping[name], name in offered))
        if name in offered or mapping[name] != truth:
            wrong.append((case.name, name, truth, "asked" if name in offered else mapping[name]))
    counts["ambiguous"] += len(groups)
    counts["ambiguous asked"] += sum(groups.values())
    wrong += [(case.name, group, "ask", "did not") for group, hit in groups.items() if not hit]
    return counts, wrong


def _sure(truth, mapped, is_asked):
    yield "sure"
    if is_asked:
        yield "asked needlessly"
        mapped = "-"
    if truth != "-":
        yield "fields"
    if mapped != "-":
        yield "mapped"
        if mapped == truth:
            yield "right"
    elif not is_asked:
        yield "left out"
        if truth == "-":
            yield "rightly left out"


def rates(counts):
    precision, recall = counts["right"] / counts["mapped"], counts["right"] / counts["fields"]
    return {
        "f1": 2 * precision * recall / (precision + recall),
        "asked": counts["ambiguous asked"] / max(1, counts["ambiguous"]),
        "false": counts["asked needlessly"] / counts["sure"],
        "unmapped": counts["rightly left out"] / max(1, counts["left out"]),
    }
