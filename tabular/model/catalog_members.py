"""The purpose of each member of a catalog, with an example, and the field model as JSON Schema."""

from typing import Any

from tabular.model.catalog import Catalog

SEVERITY = "`error`, the default, keeps a row back; `warning` does not."
MIN_RATIO = "The least share of a column's values that must fit, 0 to 1."
WEIGHT = "How much a fit counts, 0 to 100."
LEARNT = "Other names of this option, as files write it."

MEMBERS: dict[str, dict[str, tuple[str, Any]]] = {
    "Catalog": {
        "key": ("The stable name that imports name as `catalogKey`.", "orders"),
        "title": ("What people call the catalog.", "Orders"),
        "version": ("The number it was published under; the engine counts.", 3),
        "entries": ("The entities of the catalog.", [{"id": "order", "fields": []}]),
        "keySeparator": ("What separates entity and field in a path; `.` when absent.", "."),
        "region": (
            "The country (ISO 3166) of phone numbers without a country code, and of dates.",
            "CH",
        ),
        "secondPerson": (
            "What needs the approval of a person who did not prepare it.",
            {"above": 1000, "on": ["apply", "revert"]},
        ),
        "retentionDays": (
            "Imports are deleted after so many days without an event, never later than the engine "
            "deletes them.",
            30,
        ),
    },
    "SecondPerson": {
        "above": ("The most rows that one person may apply or revert alone.", 1000),
        "on": (
            "What it is about: `apply`, `revert`, both when absent; `publish`: no person publishes "
            "a draft of their own.",
            ["apply", "revert", "publish"],
        ),
    },
    "Entry": {
        "id": ("The entity's name, the first half of its fields' paths.", "order"),
        "label": ("What people call the entity.", "Order"),
        "aliases": ("Other names that files give it, such as a sheet's.", ["Aufträge"]),
        "fullSync": (
            "An apply with `mode: full` deletes known entities of this entry that the file does "
            "not name; see [Full sync](references.md#full-sync).",
            {"share": 0.1, "rows": 5},
        ),
        "childOf": (
            "The id of the entry whose records hold the rows of this one as a list; see "
            "[Nested entries](nested.md).",
            "order",
        ),
        "groupBy": (
            "Keys of the fields that identify one record of an entry with children; if absent, its "
            "only field that is required and unique.",
            ["number"],
        ),
        "allowCustomFields": (
            "People may keep columns that no field takes as fields of their own; see "
            "[Custom fields](#custom-fields).",
            True,
        ),
        "fields": ("Its target columns.", [{"key": "number", "columnType": "string"}]),
    },
    "FullSync": {
        "share": (
            "A person confirms when more than this share of what is known is missing; 0.1 when "
            "absent.",
            0.1,
        ),
        "rows": ("No confirmation with fewer missing ones; 5 when absent.", 5),
    },
    "Field": {
        "key": ("The field's name, the second half of its path.", "number"),
        "columnType": ("What its values are: one of 30 names, `string` when absent.", "date"),
        "label": ("What people call the field; also what a template calls its column.", "Number"),
        "required": ("Every row needs a value, and an import needs a column for it.", True),
        "description": ("Explains the field to people.", "The number on the order form."),
        "example": ("A value as a file might hold it.", "A-10231"),
        "columnSize": ("The most characters a value may have.", 20),
        "validations": ("Rules that each row must hold.", [{"validate": "unique"}]),
        "alternativeMatches": ("Other headers of the column.", ["Auftrags-Nr.", "Order no."]),
        "dropdownOptions": (
            "The values that are possible.",
            [{"label": "Open", "type": "string", "value": "open"}],
        ),
        "valueDetectors": (
            "Ways to recognise the column by its values.",
            [{"kind": "regex", "pattern": "^A-\\d+$"}],
        ),
        "reference": (
            "The entity that the values name.",
            {"entity": "customer", "matchOn": ["name"], "cardinality": "one", "onMissing": "error"},
        ),
        "isMultiSelect": ("A cell may hold several options.", True),
        "outputFormat": (
            "How a value is delivered; of a `float` also its currency: `CHF`, `CHF 0.00`.",
            "DD.MM.YYYY",
        ),
        "allowCustomOptions": ("A value that matches no option is delivered unchanged.", True),
        "numberFormat": ("How numbers are written: `eu` 1.234,56 or `us` 1,234.56.", "eu"),
        "optionMappingMode": ("`smart` finds near spellings of options, `exact` none.", "exact"),
        "hidden": ("The field is not proposed for a column.", True),
        "disabled": ("The field can be neither mapped nor delivered.", True),
        "readOnly": ("People see the values in review and cannot change them there.", True),
        "scope": ("`document`: one value holds for every row of the file.", "document"),
        "onKnown": (
            "What a value of the file does to a known one: `overwrite` when absent, `fillEmpty`, "
            "`keep` or `ask`.",
            "fillEmpty",
        ),
        "emptyCells": ("What an empty cell does to a known value: `keep` or `clear` it.", "clear"),
    },
    "Validation": {
        "validate": ("The rule.", "required_with"),
        "regex": (
            "For `regex`: a pattern that is searched in the value; `^` and `$` match all of it.",
            "^A-\\d+$",
        ),
        "columnValues": ("For rules `..._values`: fields and their values.", {"status": "paid"}),
        "columns": ("Keys of the other fields that the rule looks at.", ["paid_on"]),
        "op": ("For `compare`: how the value compares.", "lte"),
        "column": ("For `compare`: the field to compare with.", "total"),
        "value": ("For `compare`: the value to compare with.", 100),
        "fn": ("For `compare`: what is made of `columns` first.", "sum"),
        "errorMessage": (
            "The sentence of the issue; `{value}`, `{field}` and `{row}` are filled in.",
            "Row {row}: {value} is not an order number.",
        ),
        "severity": (SEVERITY, "warning"),
    },
    "OptionValidation": {
        "validate": ("What must hold when the option is chosen.", {"paid_on": {"filled": True}}),
        "errorMessage": ("The sentence of the issue.", "A paid order has a day of payment."),
    },
    **{
        f"{kind}Option": {
            "label": ("What people read.", "Open"),
            "alternativeMatches": (LEARNT, ["offen"]),
            "description": ("Explains the option to people.", "Not paid yet."),
            "validations": (
                "What must hold when it is chosen.",
                [{"validate": {"paid_on": {"filled": True}}}],
            ),
            "type": ("What kind of value is delivered.", kind.lower()),
            "value": ("What is delivered.", value),
        }
        for kind, value in (("String", "open"), ("Int", 1), ("Float", 1.5))
    },
    **{
        f"{kind}Detector": {
            "kind": ("The kind of detector.", name),
            **members,
            "minRatio": (MIN_RATIO, 0.8),
            "weight": (WEIGHT, 50),
        }
        for kind, name, members in (
            ("Builtin", "builtin", {"name": ("Values that are of this column type.", "iban")}),
            (
                "Regex",
                "regex",
                {
                    "pattern": (
                        "A pattern that is searched in each value; `^` and `$` match all of it.",
                        "^A-\\d+$",
                    ),
                    "flags": (
                        "`i` for either case, `m`, `s`; others have no effect.",
                        "i",
                    ),
                },
            ),
            (
                "OneOf",
                "oneOf",
                {
                    "values": ("Values that the column holds.", ["open", "paid"]),
                    "caseInsensitive": ("Letter case does not matter.", True),
                },
            ),
        )
    },
    "Resolve": {
        "exact": ("Find entities by equal keys.", True),
        "fuzzy": ("Find them by similar keys, too.", False),
        "learned": ("Find them by answers given before.", False),
        "minScore": ("The least likeness that counts, 0 to 100.", 85),
    },
    "Reference": {
        "entity": ("The entity that is named.", "customer"),
        "matchOn": ("Keys of its fields that a value may stand for.", ["number", "name"]),
        "cardinality": ("`many`: a cell may name several.", "one"),
        "separator": ("What separates several names in a cell.", ";"),
        "onMissing": ("What happens to a name that nothing has.", "create"),
        "resolve": (
            "How entities are found.",
            {"exact": True, "fuzzy": True, "learned": False, "minScore": 85},
        ),
    },
}


def catalog_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a catalog document."""
    schema = Catalog.model_json_schema(by_alias=True)
    for name, members in MEMBERS.items():
        properties = (schema if name == "Catalog" else schema["$defs"][name])["properties"]
        for member, (description, example) in members.items():
            # Next to a $ref, too: 2020-12 reads both.
            properties[member] |= {"description": description, "examples": [example]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
