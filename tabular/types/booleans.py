"""Yes and no in the languages of our users. Spec: columnType boolean."""

import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.distinct import on_distinct
from tabular.types.how import How
from tabular.types.parsed import Parsed, faults, refused

# en, de, fr, es, it, nl, pt, pl, sv, da, nb, fi, cs, hu, tr, ro; signs of spreadsheets and forms
TRUE = frozenset(
    [
        "true",
        "t",
        "yes",
        "y",
        "on",
        "1",
        "x",
        "✓",
        "✔",
        "☑",
        "ja",
        "j",
        "wahr",
        "richtig",
        "oui",
        "o",
        "vrai",
        "sí",
        "si",
        "s",
        "verdadero",
        "vero",
        "waar",
        "aan",
        "sim",
        "verdadeiro",
        "tak",
        "prawda",
        "sant",
        "kyllä",
        "kylla",
        "tosi",
        "ano",
        "pravda",
        "igen",
        "i",
        "igaz",
        "evet",
        "doğru",
        "da",
        "adevărat",
        "active",
        "enabled",
        "checked",
        "aktiv",
    ]
)
FALSE = frozenset(
    [
        "false",
        "f",
        "no",
        "n",
        "off",
        "0",
        "-",
        "✗",
        "✘",
        "☐",
        "nein",
        "falsch",
        "non",
        "faux",
        "falso",
        "onwaar",
        "nee",
        "uit",
        "não",
        "nao",
        "nie",
        "fałsz",
        "falsz",
        "nej",
        "falskt",
        "falsk",
        "nei",
        "ei",
        "epätosi",
        "ne",
        "nepravda",
        "nem",
        "hamis",
        "hayır",
        "hayir",
        "yanlış",
        "nu",
        "fals",
        "inactive",
        "disabled",
        "unchecked",
        "inaktiv",
    ]
)


def read_boolean(texts: pa.Array, how: How) -> Parsed:
    """Read booleans. texts: n tidy strings. Returns n bool."""
    return on_distinct(texts, _read, how.memory)


def _read(texts: pa.Array) -> Parsed:
    lowered = pc.utf8_lower(texts)
    true = pc.is_in(lowered, value_set=pa.array(sorted(TRUE)))
    known = pc.or_(true, pc.is_in(lowered, value_set=pa.array(sorted(FALSE))))
    values = pc.if_else(known, true, pa.scalar(None, pa.bool_()))
    return Parsed(values, faults("not_a_boolean", refused(texts, values)))
