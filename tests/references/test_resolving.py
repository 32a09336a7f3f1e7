"""References over HTTP: found exactly, as learned, by likeness, in the file, in any order."""

import pytest

from tests.imports.conftest import carry_on
from tests.references.conftest import EVERY_WAY, V1, bodies_of, entry, orders, reference

pytestmark = pytest.mark.django_db
WHO = "order.customer"


def columns(*customers):
    return {"order.no": [str(n) for n in range(len(customers))], WHO: list(customers)}


def test_a_text_that_no_entity_is_known_by_is_an_error(published, know, bring, issues):
    published(orders())
    know("customer", _1={"number": "C-1"}, _2={"number": "C-2"})

    record = bring(columns("C-1", "C-9", "C-2", None))

    assert issues(record) == [(1, WHO, "unknown_reference")]
    assert (record["counts"]["valid"], record["counts"]["error"]) == (3, 1)


@pytest.mark.parametrize(
    ("on_missing", "codes"),
    [("create", []), ("ignore", []), ("null", [(0, WHO, "reference_left_out")])],
)
def test_what_is_missing_is_what_the_catalog_says(published, bring, issues, on_missing, codes):
    published(orders(reference(onMissing=on_missing)))

    assert issues(bring(columns("C-9"))) == codes


def test_several_fields_are_tried_in_their_order(published, know, bring, issues):
    published(orders(reference(match_on=("number", "name"))))
    know("customer", _1={"number": "C-1", "name": "Ada"}, _2={"number": "Ada", "name": "Bob"})

    assert issues(bring(columns("C-1", "Ada", "Bob", "Eve"))) == [(3, WHO, "unknown_reference")]


def test_a_misspelt_text_is_taken_with_a_warning_and_other_digits_never(
    published, know, bring, issues
):
    published(orders(reference(match_on=("number", "name"), resolve=EVERY_WAY)))
    know("customer", _1={"number": "K-1001", "name": "Müller Maschinenbau GmbH"})

    record = bring(columns("Muller Maschinenbau GmbH", "Müler Maschinenbau Gmbh", "K-1002"))

    assert issues(record) == [
        (0, WHO, "reference_guessed"),
        (1, WHO, "reference_guessed"),
        (2, WHO, "unknown_reference"),
    ]


WAYS = {"exact": True, "fuzzy": False, "learned": False}


@pytest.mark.parametrize(
    ("ways", "refs"),
    [
        (WAYS, [(1, WHO, "unknown_reference")]),
        ({**WAYS, "fuzzy": True}, [(1, WHO, "reference_guessed")]),
        ({**WAYS, "fuzzy": True, "minScore": 99}, [(1, WHO, "unknown_reference")]),
        ({**WAYS, "exact": False}, [(0, WHO, "unknown_reference"), (1, WHO, "unknown_reference")]),
    ],
    ids=["exact", "fuzzy", "minScore", "none"],
)
def test_only_the_ways_that_are_on_are_tried(published, know, bring, issues, ways, refs):
    published(orders(reference(match_on=("name",), resolve=ways)))
    know("customer", _1={"name": "Ada Lovelace"})

    assert issues(bring(columns("Ada Lovelace", "Ada Lovelce"))) == refs


def test_an_employee_and_a_manager_may_be_in_either_order_and_in_a_circle(published, bring, issues):
    published([entry("person", "id", {"key": "boss", "reference": reference("person", ("id",))})])
    table = {"person.id": ["1", "2", "3", "4"], "person.boss": ["2", "1", "3", "7"]}

    assert issues(bring(table)) == [(3, "person.boss", "unknown_reference")]


def test_several_references_in_one_cell(published, know, bring, issues):
    published(orders(reference(cardinality="many", separator="/")))
    know("customer", _1={"number": "A"}, _2={"number": "B"})

    assert issues(bring(columns("A/B", "A / C", "A,B"))) == [
        (1, WHO, "unknown_reference"),
        (2, WHO, "unknown_reference"),
    ]


@pytest.mark.parametrize(
    ("rule", "broken"),
    [("reference_required", [1, 2]), ("reference_exists", [2]), ("reference_unique", [3])],
)
def test_the_rules_of_references(published, know, bring, issues, rule, broken):
    rules = [{"validate": rule, "errorMessage": "No."}]
    published(orders(reference(onMissing="ignore"), validations=rules))
    know("customer", _1={"number": "A"})

    assert issues(bring(columns("A", None, "X", "A"))) == [(row, WHO, rule) for row in broken]


def test_a_column_that_names_no_entity(published, know, bring, issues):
    published(orders(reference(match_on=("number", "name"), resolve=EVERY_WAY)))
    know("customer", _1={"number": "C-1"})

    assert issues(bring(columns(None, None))) == []


def test_likeness_that_finds_nothing_alike(published, know, bring, issues):
    published(orders(reference(match_on=("name",), resolve=EVERY_WAY)))
    know("customer", _1={"name": "Ada"})

    assert issues(bring(columns("Zacharias"))) == [(0, WHO, "unknown_reference")]


def test_what_each_text_means_can_be_read(published, know, bring, client):
    ways = {"exact": True, "fuzzy": True, "learned": False}
    published(orders(reference(match_on=("number", "name"), resolve=ways)))
    know("customer", _1={"number": "C-1", "name": "Ada Lovelace"})
    record = bring(columns("C-1", "C-1", "Ada Lovelce", "Bob"))
    address = f"{V1}/imports/{record['recordId']}/references"

    page = client.get(f"{address}?limit=2").json()
    rest = client.get(f"{address}?limit=2&cursor={page['next']}").json()

    read = [
        (item["text"], item["outcome"], item["ref"], item["rows"])
        for item in page["items"] + rest["items"]
    ]
    assert read == [
        ("C-1", "known", "1", 2),
        ("Ada Lovelce", "known", "1", 1),
        ("Bob", "missing", None, 1),
    ]
    assert page["items"][1]["score"] == pytest.approx(95.7)


def test_two_of_one_name_are_asked_about_and_the_answer_settles_all_rows(
    published, know, bring, issues, client
):
    published(orders(reference(match_on=("name",))))
    know("customer", _1={"number": "C-1", "name": "Ada"}, _2={"number": "C-2", "name": "Ada"})
    record = bring(columns("Ada", "Ada"))

    questions = client.get(f"{V1}/imports/{record['recordId']}/questions").json()["items"]
    assert [(item["kind"], item["field"], item["evidence"]) for item in questions] == [
        ("reference", WHO, ["Ada", "2 rows"])
    ]
    assert [candidate["value"] for candidate in questions[0]["candidates"]] == ["1", "2"]
    assert issues(record) == [(0, WHO, "ambiguous_reference"), (1, WHO, "ambiguous_reference")]

    preview = f"{V1}/imports/{record['recordId']}/questions/{questions[0]['id']}/preview"
    shown = client.get(preview, {"value": '"2"'}).json()
    assert shown["counts"] == {"fixed": 2, "broken": 0, "changed": 0, "unchanged": 0}
    changes = [
        (item["row"], item["issuesNow"][0]["code"], item["issuesThen"]) for item in shown["items"]
    ]
    assert changes == [(0, "ambiguous_reference", []), (1, "ambiguous_reference", [])]

    answer = f"{V1}/questions/{questions[0]['id']}/answer"
    assert client.post(answer, {"value": "9"}, format="json").status_code == 400
    assert client.post(answer, {"value": "2"}, format="json").status_code == 202
    assert issues(carry_on(client, record["recordId"])) == []


def test_an_answer_of_null_means_none_of_them(published, know, bring, issues, client):
    published(orders(reference(match_on=("name",))))
    know("customer", _1={"name": "Ada"}, _2={"name": "Ada"})
    record = bring(columns("Ada"))
    (question,) = client.get(f"{V1}/imports/{record['recordId']}/questions").json()["items"]

    client.post(f"{V1}/questions/{question['id']}/answer", {"value": None}, format="json")

    assert issues(carry_on(client, record["recordId"])) == [(0, WHO, "unknown_reference")]


def test_another_scope_is_not_known(published, know, bring, issues):
    published(orders())
    know("customer", scope="shop", _1={"number": "C-1"})

    assert issues(bring(columns("C-1"))) == [(0, WHO, "unknown_reference")]
    assert issues(bring(columns("C-1"), scope="shop")) == []


def test_an_entity_that_no_entry_describes_is_known_by_its_upload_alone(
    published, know, bring, issues
):
    published([entry("order", "no", {"key": "depot", "reference": reference("depot", ("code",))})])
    know("depot", _1={"code": 7})

    table = {"order.no": ["1", "2"], "order.depot": ["7", "8"]}
    assert issues(bring(table)) == [(1, "order.depot", "unknown_reference")]


def test_an_edit_is_judged_and_an_edited_key_reaches_who_refers_to_it(
    published, know, bring, issues, client
):
    published([entry("person", "id", {"key": "boss", "reference": reference("person", ("id",))})])
    know("person", _1={"id": "known"})
    record = bring({"person.id": ["1", "2", "3"], "person.boss": ["2", None, "2"]})
    address = f"{V1}/imports/{record['recordId']}/rows"

    def edit(row, field, text, **more):
        revision = client.get(f"{V1}/imports/{record['recordId']}").json()["revision"]
        edits = [{"row": row, "field": field, "text": text}] if field else []
        body = {"revision": revision, "edits": edits, **more}
        answer = client.patch(address, body, format="json")
        assert answer.status_code == 200, answer.content
        return issues(record)

    lost = [(0, "person.boss", "unknown_reference"), (2, "person.boss", "unknown_reference")]
    assert edit(1, "person.id", "9") == lost
    assert edit(0, "person.boss", "known") == lost[1:]  # it had not been searched before
    assert edit(2, "person.boss", "9") == []
    assert edit(None, None, None, exclude=[1]) == lost[1:]
    assert edit(None, None, None, include=[1]) == []


def test_a_page_sees_nothing_that_is_known(published, know, client_of, mint_key):
    published(orders())
    know("customer", _1={"number": "C-1"})
    page = client_of(mint_key(origins=("https://shop.example",)))
    made = page.post(
        f"{V1}/imports", {"text": "no,customer\n1,C-1\n", "autoMap": True}, format="json"
    ).json()
    token = made["importToken"]
    page.credentials(
        **{**page._credentials, "HTTP_X_IMPORT_TOKEN": token},
    )

    record = carry_on(page, made["recordId"])

    assert record["counts"]["byCode"] == {"unknown_reference": 1}


def test_rows_that_disagree_about_one_entity_are_warned_and_name_each_other(
    published, bring, issues, client
):
    published(orders())
    table = {"order.no": ["1", "2", "3", "4"], WHO: ["C-1", "C-1", "C-2", "C-1"],
             "customer.number": ["C-1", "C-1", "C-2", "C-1"],
             "customer.name": ["Ada", None, "Ada", "Eve"]}  # fmt: skip

    record = bring(table)

    assert issues(record) == [(3, "customer.name", "entity_differs")]
    (group,) = client.get(f"{V1}/imports/{record['recordId']}/issues").json()["issues"]
    assert group["severity"] == "warning"
    assert group["message"] == "“Eve” differs from “Ada” in row 1 for the same customer."


def test_an_edit_that_makes_rows_agree_takes_the_warning_away(published, bring, issues, client):
    published(orders())
    table = {"order.no": ["1", "2"], WHO: ["C-1", "C-1"],
             "customer.number": ["C-1", "C-1"], "customer.name": ["Ada", "Eve"]}  # fmt: skip
    record = bring(table)
    assert issues(record) == [(1, "customer.name", "entity_differs")]

    body = {"revision": 1, "edits": [{"row": 0, "field": "customer.name", "text": "Eve"}]}
    client.patch(f"{V1}/imports/{record['recordId']}/rows", body, format="json")

    assert issues(record) == []


def test_an_apply_says_what_the_later_row_says(published, bring, apply, webhook):
    published(orders())
    webhook("submit")
    table = {"order.no": ["1", "2"], WHO: ["C-1", "C-1"],
             "customer.number": ["C-1", "C-1"], "customer.name": ["Ada", "Eve"]}  # fmt: skip

    (body,) = bodies_of(apply(bring(table)))

    assert body["entities"]["customer"][0]["values"] == {"number": "C-1", "name": "Eve"}
