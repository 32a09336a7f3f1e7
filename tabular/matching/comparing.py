"""Compare the meanings of a column and a field, as a score from 0 to 1."""

from dataclasses import dataclass

from tabular.vocabulary.lexicon import EXTRA, LIKE, NEAR, Concept, Lexicon, are_cognates, lexicon
from tabular.vocabulary.meaning import Meaning

FOREIGN = 0.45  # lost when a field names another party or thing than the entry's subject
BEHIND = 0.03  # lost for not saying that a name is the customer's
IMPLIED = 0.01  # lost for saying, or not saying, what the entry is about anyway
CONFLICT = 0.0
SOFT_CONFLICT = 0.45  # work versus home, planned versus actual
SOFT_FACETS = frozenset({"setting", "turn", "plan", "spelling", "offer", "pace", "pack"})
UNKNOWN_SAID = 0.3  # lost for each unknown word of the column
UNKNOWN_MISSING = 0.4  # lost for each unknown word of the field
HELPER = 0.6  # a field rarely means a sort order or a unit of the same name
CODED = frozenset({"id", "number", "code"})  # an "id type" says of which kind an id is
PARTLY = 0.9  # "cost" for "cost price"
WRITTEN = {"id": 0.2, "code": 0.04, "number": 0.03, "name": 0.01, "text": 0.02}
LATER_ORDINAL = 0.25  # lost for "E-mail 2" if the field has no ordinal
UNSAID = 0.96
GENERIC = 0.8  # similarity of a person to a party
PURPOSES = frozenset({"money", "side"})  # the purposes of an amount
PARTY_COST = 0.25  # lost for naming a party if the entry is about none
OF_WHAT = 0.5  # lost if only one side says that an amount is for shipping


@dataclass(frozen=True, slots=True)
class Context:
    """What is implied: the subject of the catalog's entry, or of every header of the file."""

    implied: frozenset[str] = frozenset()
    behind: frozenset[str] = frozenset()  # the parties behind it, such as an order's customer
    own: frozenset[str] = frozenset()  # heads of the fields that are about the entry itself

    @property
    def parties(self) -> frozenset[str]:
        """The implied people and organisations."""
        concepts = lexicon().concepts
        named = frozenset(name for name in self.implied if concepts[name].facet == "party")
        return named | self.behind


def compare(column: Meaning, field: Meaning, context: Context) -> float:
    """Return how well a column's meaning fits a field's meaning, 0 to 1."""
    lex = lexicon()
    score, implied = _heads(column, field, lex)
    score *= column.weight * field.weight
    if score == 0.0:
        return 0.0
    unmatched, wanted, met = _meet(column.qualifiers - implied, field.qualifiers - implied, lex)
    score *= met
    for name in sorted(wanted):
        score *= _missing(lex.concepts[name], unmatched, column, context, lex)
    for name in sorted(unmatched):
        score *= 1 - _extra(lex.concepts[name], column, context, lex)
    return score * _forms(column, field) * _unknown(column, field) * _ordinals(column, field)


def _heads(column: Meaning, field: Meaning, lex: Lexicon) -> tuple[float, frozenset[str]]:
    """Compare the heads. "Cost" matches "cost price", though neither head is the other's."""
    near = lex.near(column.head, field.head)
    if column.head != field.head and lex.concepts[column.head].things:
        unsaid = field.qualifiers - column.qualifiers
        parties = (q for q in unsaid if lex.concepts[q].facet in {"party", "part"})
        near = 0.0 if any(parties) else near
    if lex.concepts[column.head].helper or (column.head == "type" and column.forms & CODED):
        near *= HELPER
    if column.head in field.qualifiers and near < PARTLY:
        return PARTLY, frozenset({column.head})
    if field.head in column.qualifiers and (
        near >= NEAR or _says_little(column.head, field.head, lex)
    ):
        return max(near, PARTLY * PARTLY), frozenset({field.head})
    return near, frozenset()


def _says_little(head: str, other: str, lex: Lexicon) -> bool:
    """
    Return whether a head adds nothing to another: "source type", "fee amount", "diagnosis text".
    """
    values = lex.concepts[other].values
    if head == "type":
        return values == "category"
    if head == "amount":
        return values == "number"
    return head in {"description", "text"} and values not in {"date", "number", "email", "phone"}


def _meet(
    column: frozenset[str], field: frozenset[str], lex: Lexicon
) -> tuple[set[str], set[str], float]:
    """Pair equal qualifiers, then similar ones. Return the rest of both sides and the fit."""
    unmatched, wanted = set(column - field), set(field - column)
    fit = 1.0
    pairs = sorted(
        ((_nearness(item, other, lex), item, other) for item in unmatched for other in wanted),
        reverse=True,
    )
    for near, mine, other in pairs:
        if near >= NEAR and mine in unmatched and other in wanted:
            unmatched.remove(mine)
            wanted.remove(other)
            fit *= near
    for name in sorted(unmatched):
        implied = set(lex.concepts[name].implies) & wanted
        wanted -= implied
    return unmatched, wanted, fit


def _nearness(name: str, other: str, lex: Lexicon) -> float:
    """Compare two qualifiers. A "person" may be any party."""
    mine, theirs = lex.concepts[name], lex.concepts[other]
    if mine.facet == theirs.facet and (mine.generic or theirs.generic):
        return lex.near(name, other) or (0.0 if mine.body or theirs.body else GENERIC)
    return lex.near(name, other)


def _missing(
    concept: Concept, unmatched: set[str], column: Meaning, context: Context, lex: Lexicon
) -> float:
    """Return the factor for a qualifier that only the field has."""
    rivals = [
        n for n in unmatched if lex.concepts[n].facet == concept.facet and n not in context.implied
    ]
    if concept.facet and rivals:
        return SOFT_CONFLICT if concept.facet in SOFT_FACETS else CONFLICT
    of_something = concept.kind == "entity" and lex.concepts[column.head].kind == "form"
    if of_something and any(lex.concepts[n].kind == "entity" for n in unmatched):
        return CONFLICT  # a "discount code" is not an order number
    if concept.name in context.implied:
        return 1 - IMPLIED
    if concept.name in context.behind and lex.concepts[column.head].values != "code":
        return 1 - BEHIND
    if of_something:
        return 1 - _foreign(concept, column, context, lex)
    if concept.facet in PURPOSES and lex.concepts[column.head].values == "number":
        return 1 - max(concept.miss, OF_WHAT)
    return 1 - concept.miss


def _extra(concept: Concept, column: Meaning, context: Context, lex: Lexicon) -> float:
    """Return what is lost for a qualifier that only the column has."""
    if concept.name in context.implied | context.behind:
        return IMPLIED
    if concept.kind == "head" and lex.near(column.head, concept.name) >= NEAR:
        return IMPLIED  # "Phone - Mobile" is a mobile phone
    if concept.facet in PURPOSES and lex.concepts[column.head].values == "number":
        return max(concept.extra, OF_WHAT)
    if concept.facet == "party" and not context.parties:
        return min(concept.extra, PARTY_COST) if concept.extra <= EXTRA["entity"] else concept.extra
    return concept.extra


def _foreign(concept: Concept, column: Meaning, context: Context, lex: Lexicon) -> float:
    """
    Return what is lost when a bare "Name" or "No." is read as something other than the entry's.
    """
    others = context.parties if concept.facet == "party" else context.implied
    if any(lex.near(column.head, head) >= LIKE for head in context.own):
        others = context.implied or others
    kin = any(lex.near(concept.name, name) >= NEAR for name in others)
    return max(concept.miss, FOREIGN) if others and not kin else concept.miss


def _forms(column: Meaning, field: Meaning) -> float:
    factor = 1.0
    for name in sorted(column.forms ^ field.forms):
        factor *= 1 - WRITTEN.get(name, 0.0)
    return factor * (
        UNSAID
        if column.is_head_stated != field.is_head_stated and column.is_head_stated is False
        else 1.0
    )


def _unknown(column: Meaning, field: Meaning) -> float:
    """Compare the words that are not in the vocabulary by their spelling."""
    wanted = list(field.unknown)
    factor = 1.0
    for word in column.unknown:
        alike = next((w for w in wanted if are_cognates(word, w)), None)
        if alike is None:
            factor *= 1 - UNKNOWN_SAID
        else:
            wanted.remove(alike)
    return factor * (1 - UNKNOWN_MISSING) ** len(wanted)


def _ordinals(column: Meaning, field: Meaning) -> float:
    if lexicon().concepts[column.head].values in {"date", "number"}:
        return 1.0  # the first e-mail address is the main one, but a date or price is not
    if column.ordinal == field.ordinal or (column.ordinal or 1) == (field.ordinal or 1):
        return 1.0
    return 1 - LATER_ORDINAL
