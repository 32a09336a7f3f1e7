"""Undo goes step by step to the beginning, whatever the steps were, and redo to the end."""

import pytest

from tests.imports.asked import publish_fields
from tests.imports.conftest import carry_on
from workflow import tasks

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
TEXT = "Id;Status;Note\nK1;open;red\nK2;wibble;blue\nK3;closed;green\n"
OPTIONS = [{"label": word, "type": "string", "value": word.lower()} for word in ("Open", "Closed")]
FIELDS = (
    {"key": "id"},
    {"key": "status", "columnType": "category", "dropdownOptions": OPTIONS},
    {"key": "note"},
)
MAPPING = {"Id": "p.id", "Status": "p.status", "Note": "p.note"}


class Review:
    """One import in review, over HTTP."""

    def __init__(self, client, text=TEXT) -> None:
        self.client = client
        body = {"text": text, "autoMap": True}
        made = client.post(f"{V1}/imports", body, format="json").json()
        self.id = made["recordId"]
        self.url = f"{V1}/imports/{self.id}"
        if carry_on(client, self.id)["state"] == "mapping":
            self.map(MAPPING)

    def send(self, method, path, body=None, who="Ada"):
        url = f"{V1}/{path}" if path.startswith("questions/qst_") else f"{self.url}/{path}"
        send = getattr(self.client, method)
        return send(url, body, format="json", HTTP_X_IMPORT_ACTOR=who)

    @property
    def revision(self):
        return self.client.get(self.url).json()["revision"]

    def edit(self, row, field, text, who="Ada"):
        edit = {"row": row, "field": field, "text": text}
        answer = self.send("patch", "rows", {"revision": self.revision, "edits": [edit]}, who)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def map(self, mapping, recipe=None, who="Ada"):
        body = {"mapping": mapping, "recipe": recipe, "remember": False}
        assert self.send("put", "mapping", body, who).status_code == 202
        assert carry_on(self.client, self.id)["state"] == "review"

    def travel(self, way, who="Ada"):
        return self.send("post", way, {"revision": self.revision}, who)

    def seen(self):
        """Return everything an import shows: rows, counts, mapping, recipe and questions."""
        rows = self.send("post", "rows/query", {}).json()["rows"]
        mapping = self.client.get(f"{self.url}/mapping").json()
        questions = self.client.get(f"{self.url}/questions").json()["items"]
        return {
            "rows": rows,
            "counts": self.client.get(self.url).json()["counts"],
            "mapping": (mapping["mapping"], mapping["recipe"]),
            "asked": sorted(
                (item["id"], item["state"], item["answer"])
                for item in questions
                if item["state"] != "superseded"
            ),
            "lost": self.client.get(f"{self.url}/rows/lost").json(),
        }

    def explain(self, row):
        return self.client.get(f"{self.url}/rows/{row}/explain").json()["edits"]


@pytest.fixture
def review(owner, client) -> Review:
    publish_fields(owner, *FIELDS)
    return Review(client)


UPPER = {"version": 1, "steps": [{"do": "case", "columns": ["Note"], "to": "upper"}]}


def every_kind_of_step(review):
    yield lambda: review.edit(0, "p.note", "RED")
    yield lambda: review.map(MAPPING, UPPER)
    yield lambda: review.edit(1, "p.note", "navy", who="Bob")

    def settle():
        body = {"values": {"wibble": "closed"}, "remember": False}
        assert review.send("put", "values/p.status", body).status_code == 202
        assert carry_on(review.client, review.id)["state"] == "review"

    yield settle
    yield lambda: review.map({"Id": "p.id", "Status": "p.status"})
    yield lambda: review.edit(2, "p.id", "K33")

    def read_again():
        body = {"table": 0, "headerRows": [0, 1]}
        assert review.send("put", "reading", body).status_code == 202
        if carry_on(review.client, review.id)["state"] == "mapping":
            columns = review.client.get(f"{review.url}/mapping").json()["columns"]
            review.map({columns[0]["column"]: "p.id"})

    yield read_again


def test_undo_leads_to_the_beginning_and_redo_to_the_end(review):
    seen = [review.seen()]
    for step in every_kind_of_step(review):
        step()
        seen.append(review.seen())

    for expected in seen[-2::-1]:
        assert review.travel("undo").status_code == 200
        assert review.seen() == expected
    assert review.travel("undo").json()["code"] == "nothing_to_undo"
    for expected in seen[1:]:
        assert review.travel("redo").status_code == 200
        assert review.seen() == expected
    assert review.travel("redo").json()["code"] == "nothing_to_redo"


def test_an_answer_is_one_step_and_its_question_is_open_again_after_undo(review):
    question = next(
        item
        for item in review.client.get(f"{review.url}/questions").json()["items"]
        if item["kind"] == "category_value"
    )
    before = review.seen()
    answer = {"value": "open", "remember": False}
    sent = review.send("post", f"questions/{question['id']}/answer", answer)
    assert sent.status_code == 202
    carry_on(review.client, review.id)
    after = review.seen()
    assert after["rows"][1]["values"]["p.status"] == "open"

    review.travel("undo")

    assert review.seen() == before
    review.travel("redo")
    assert review.seen() == after


def test_all_suggestions_are_one_call_and_one_step(owner, client):
    publish_fields(owner, *FIELDS)
    review = Review(client, "Id;Status;Note\nK1;oppen;red\nK2;closd;blue\nK3;wibble;green\n")
    states = {
        item["evidence"][0]: item["state"]
        for item in review.client.get(f"{review.url}/questions").json()["items"]
        if item["kind"] == "category_value"
    }
    assert "wibble" in states
    before = review.seen()

    taken = review.send("post", "questions/accept")
    assert taken.status_code == 202, taken.content
    carry_on(review.client, review.id)

    for item in taken.json()["items"]:
        assert (item["state"], item["answeredBy"]["label"]) == ("answered", "Ada")
    left = [a for a in review.seen()["asked"] if a[1] == "open"]
    assert len(left) + len(taken.json()["items"]) == len(before["asked"])
    if review.seen() != before:
        review.travel("undo")
        assert review.seen() == before


@pytest.mark.parametrize(
    ("default", "scores", "expected"),
    [
        ("dmy", {"dmy": None, "mdy": None}, "dmy"),
        (None, {"open": 75.0, "closed": 20.0}, "open"),
        (None, {"open": 74.9, "closed": 20.0}, None),  # not likely enough: a person decides
        (None, {"open": 90.0, "closed": 90.0}, None),  # a tie has no suggestion
        (None, {}, None),
    ],
)
def test_a_suggestion_is_the_default_or_what_stands_out(default, scores, expected):
    from imports.services.suggestions import suggestion_of
    from ledger.models import Question

    candidates = [{"value": value, "score": score} for value, score in scores.items()]
    suggestion = suggestion_of(Question(default=default, candidates=candidates))

    assert (suggestion.value if suggestion else None) == expected


def test_a_new_mapping_after_an_undo_gives_up_what_could_be_redone(review):
    review.edit(0, "p.note", "RED")
    review.travel("undo")
    review.map(MAPPING, UPPER)

    assert review.travel("redo").json()["code"] == "nothing_to_redo"
    assert review.travel("undo").status_code == 200
    assert review.seen()["rows"][0]["values"]["p.note"] == "red"


def test_edits_brought_over_keep_their_author_and_their_time(review):
    review.edit(0, "p.note", "navy", who="Bob")
    (made,) = review.explain(0)

    review.map(MAPPING, UPPER, who="Ada")
    review.edit(0, "p.id", "K9", who="Eve")
    review.map(MAPPING, who="Ada")

    assert [
        (item["by"]["label"], item["previous"], item["text"]) for item in review.explain(0)
    ] == [
        ("Bob", "red", "navy"),
        ("Eve", "K1", "K9"),
    ]
    assert review.explain(0)[0] == made


def test_an_edit_without_a_cell_is_lost_with_its_author_and_is_back_after_undo(review):
    review.edit(0, "p.note", "navy", who="Bob")
    drop = {"do": "drop_rows", "columns": ["Id"], "where": "matches", "value": "^K1$"}
    review.map(MAPPING, {"version": 1, "steps": [drop]}, who="Ada")

    (lost,) = review.seen()["lost"]["items"]
    assert (lost["by"]["label"], lost["field"], lost["text"]) == ("Bob", "p.note", "navy")
    assert review.explain(0) == []

    review.travel("undo")
    assert review.seen()["lost"]["items"] == []
    assert review.seen()["rows"][0]["values"]["p.note"] == "navy"
    review.travel("undo")
    assert review.seen()["rows"][0]["values"]["p.note"] == "red"


@pytest.mark.parametrize("limit", [0, 10_000])  # as files, and as an overlay
def test_a_change_in_bulk_says_who_from_what_and_to_what(review, monkeypatch, limit):
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", limit)
    body = {"inFields": ["p.note"], "find": "e", "replace": "E"}
    answer = review.send("post", "rows/replace", {"revision": review.revision, **body}, "Bob")
    assert answer.status_code == (202 if limit == 0 else 200), answer.content
    tasks.make_change("")  # where a worker makes it
    review.map(MAPPING, UPPER)

    (change,) = review.explain(1)

    assert (change["by"]["label"], change["previous"], change["text"]) == ("Bob", "blue", "bluE")
    assert (change["kind"], change["about"]["find"]) == ("replace", "e")
    history = review.client.get(f"{review.url}/history").json()["items"]
    (bulk_change,) = [item for item in history if item["about"].get("kind") == "replace"]
    assert (
        bulk_change["actor"]["label"],
        bulk_change["about"]["find"],
        bulk_change["about"]["replace"],
    ) == (
        "Bob",
        "e",
        "E",
    )


def test_an_edit_over_rows_of_another_transform_is_refused(review):
    seen = review.revision
    review.map({"Note": "p.note"})

    body = {"revision": seen, "edits": [{"row": 0, "field": "p.note", "text": "x"}]}

    assert review.send("patch", "rows", body).json()["code"] == "view_outdated"


def test_of_two_who_undo_at_once_one_is_told(review, monkeypatch):
    from imports.services import review as reviews

    review.edit(0, "p.note", "RED")
    review.map(MAPPING, UPPER)
    at = review.revision
    real, first = reviews.rows_of, []

    def rows_of(record, number=None):
        rows = real(record, number)
        if not first:
            first.append(True)
            first.append(review.send("post", "undo", {"revision": at}, "Bob"))
        return rows

    monkeypatch.setattr(reviews, "rows_of", rows_of)
    late = review.send("post", "undo", {"revision": at}, "Ada")

    assert first[1].status_code == 200
    assert (late.status_code, late.json()["code"]) == (409, "stale_state")
    assert review.revision == first[1].json()["revision"]


def test_what_was_settled_goes_with_the_import(review):
    from imports.models import ImportSnapshot

    review.map(MAPPING, UPPER)
    assert ImportSnapshot.objects.count() == 1

    review.client.delete(review.url)

    assert ImportSnapshot.objects.count() == 0
