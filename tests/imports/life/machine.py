"""
One import from upload to its end, with everything people and broken workers do to it.

Every call goes through the HTTP API; the worker is ``advance``. Invariants are checked after each
of them.
"""

import csv
import json
from contextlib import contextmanager, suppress
from datetime import timedelta
from io import StringIO
from urllib.parse import quote

import numpy as np
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from common.work.claims import LEASE
from deliveries import bodies
from deliveries.models import Delivery
from imports.models import ImportRecord
from sandbox import JobFailed
from staging import pages
from staging.issues import summarised
from staging.models import Revision
from staging.selectors import table_of
from tabular.model.problem import TabularProblem
from tests.imports.life.crashes import PLACES, WAYS, Died, dying
from tests.imports.life.files import PATHS, TYPED, edits, files, some_rows
from tests.imports.life.seen import Seen, plain
from workflow.worker import WAITS, advance

V1 = "/api/import/v1"
PEOPLE = st.sampled_from(["Ada", "Bob"])
SELDOM = st.sampled_from([False] * 9 + [True])
SOMETIMES = st.sampled_from([False] * 3 + [True])
WORKING = {"reading", "transforming", "applying"}
ENDED = {"applied", "cancelled"}
FAILURES = (
    lambda: RuntimeError("broken"),
    lambda: JobFailed("the child broke"),
    lambda: TabularProblem("damaged_file", "It is damaged."),
)


def when(*states):
    """Return a rule for imports in some states."""
    return precondition(lambda life: life.state in states)


in_review = when("review")
at_work = when(*WORKING)


class Life(RuleBasedStateMachine):
    """The rules: what may happen to an import."""

    def __init__(self, client, time) -> None:
        super().__init__()
        self._undone = transaction.atomic()
        self._undone.__enter__()
        self.client = client
        self.time = time
        time.reset()
        self.id = self.state = ""
        self.revision = 0
        self.seen = Seen()
        self.frozen = None

    def teardown(self) -> None:
        try:
            if self.id:
                self.comes_to_rest()
        finally:
            transaction.set_rollback(True)
            self._undone.__exit__(None, None, None)

    # What people do

    def call(self, method, path, body=None, *, who="Ada", **more):
        """Call the API; check that a refused call changed nothing."""
        before = self.record() if self.id and method != "get" else None
        is_elsewhere = path.startswith(("questions/", "imports")) and "/preview?" not in path
        address = f"{V1}/{path}" if is_elsewhere and path != "questions/accept" else self.url(path)
        send = getattr(self.client, method)
        more = more or ({} if body is None else {"data": body, "format": "json"})
        answer = send(address, HTTP_X_IMPORT_ACTOR=who, **more)
        assert answer.status_code < 500, (path, body, answer.content)
        if answer.status_code >= 400 and before is not None:
            assert self.record() == before, f"{path} was refused and changed something"
        elif before is not None:
            self.refresh()
        return answer

    def refresh(self) -> None:
        """Read the state, and check the rows."""
        record = ImportRecord.objects.get(public_id=self.id)
        is_made = self.state in WORKING and record.state == "review"
        if is_made and self.revision not in {0, record.revision}:
            # Transformed again, with the edits brought over: one step.
            self.seen.follows(self.revision, record.revision)
        self.state, self.revision = record.state, record.revision
        assert (record.state in WORKING) == (record.due_at is not None), "nobody will take it up"
        self.look()

    def url(self, path):
        return f"{V1}/imports/{self.id}{'/' if path else ''}{path}"

    def record(self):
        """Return every column of the import."""
        return ImportRecord.objects.values().get(public_id=self.id)

    @initialize(text=files(), auto=st.booleans(), announced=st.integers(0, 2), is_rough=SOMETIMES)
    def upload(self, text, auto, announced, is_rough) -> None:
        """Upload the file at once, or announced and in parts; mostly the path leads to review."""
        content = text.encode()
        body = {"size": len(content)} if announced else {"text": text}
        answer = self.call("post", "imports", {**body, "autoMap": auto, "filename": "f.csv"})
        assert answer.status_code == 202, answer.content
        self.id = answer.json()["recordId"]
        self.refresh()
        if announced:
            half = len(content) // announced
            for start in range(0, half * announced, half):
                end = start + half if start < half * (announced - 1) else len(content)
                span = f"bytes {start}-{end - 1}/{len(content)}"
                data = {"data": content[start:end], "content_type": "text/csv"}
                sent = self.call("put", "file", HTTP_CONTENT_RANGE=span, **data)
                assert sent.status_code in {200, 202}, sent.content
        if not is_rough:
            self.go_on()

    @rule()
    @precondition(lambda life: life.state not in {"review", *ENDED})
    def go_on(self) -> None:
        """Run the worker, and map as proposed, until there are rows to check."""
        for _ in range(3):
            self.time.pass_by(LEASE + timedelta(seconds=1))
            if self.state in WORKING:
                self.work()
            proposed = self.client.get(self.url("mapping")).json().get("proposed")
            if self.state == "mapping" and proposed["mapping"]:
                wishes = {"remember": False, "allowMissing": True}
                self.call("put", "mapping", {**proposed, **wishes})

    @rule(data=st.data(), odd=SELDOM, cleaned=st.booleans(), knowing=SOMETIMES)
    @when("mapping", "review")
    def map(self, data, odd, cleaned, knowing) -> None:
        """Map as proposed, or map some columns to random fields."""
        proposed = self.call("get", "mapping").json()
        names = [column["column"] for column in proposed["columns"]]
        mapping = {c["column"]: c["field"] for c in proposed["columns"] if c["field"]}
        if odd:
            mapping = data.draw(st.dictionaries(st.sampled_from(names), st.sampled_from(PATHS)))
        step = {"do": "case", "columns": names[:1], "to": "upper"}
        recipe = {"version": 1, "steps": [step]} if cleaned else None
        body = {"mapping": mapping, "recipe": recipe, "allowMissing": odd or knowing}
        self.call("put", "mapping", {**body, "remember": False})

    @rule(sure=SOMETIMES)
    @in_review
    def map_as_before(self, sure) -> None:
        """Transform again with the same mapping: the rows are the same, including edits."""
        if not sure:
            return
        before = plain(self.page()[0])
        settled = self.call("get", "mapping").json()
        as_before = {name: settled[name] for name in ("mapping", "recipe")}
        body = {**as_before, "remember": False, "allowMissing": True}
        assert self.call("put", "mapping", body).status_code == 202
        self.work()
        assert self.state == "review"
        assert plain(self.page()[0]) == before
        assert self.call("get", "rows/lost").json() == {"items": []}

    @rule(header=st.sampled_from([[0], [1], [2], [], [0, 1]]), sure=SELDOM)
    @when("mapping", "review")
    def read_again(self, header, sure) -> None:
        """Choose another header row."""
        if sure:
            self.call("put", "reading", {"table": 0, "headerRows": header})

    @rule(data=st.data(), dismiss=SELDOM)
    @when("mapping", "review")
    def settle_a_question(self, data, dismiss) -> None:
        """Answer any question, even an answered one, or dismiss it."""
        questions = self.call("get", "questions").json()["items"]
        if not questions:
            return
        question = data.draw(st.sampled_from(questions))
        address = f"questions/{question['id']}"
        if dismiss:
            self.call("post", f"{address}/dismiss")
            return
        values = [candidate["value"] for candidate in question["candidates"]]
        value = data.draw(st.sampled_from([*values, question["default"], None]))
        if question["columns"] and data.draw(SELDOM):
            value = {c: data.draw(st.sampled_from(PATHS)) for c in question["columns"]}
        self.call("post", f"{address}/answer", {"value": value, "remember": False})

    @rule(data=st.data())
    @in_review
    def preview_an_answer(self, data) -> None:
        """Preview any answer: the counted rows exist, and nothing changed."""
        questions = [q for q in self.call("get", "questions").json()["items"] if q["candidates"]]
        if not questions:
            return
        question = data.draw(st.sampled_from(questions))
        value = data.draw(
            st.sampled_from([candidate["value"] for candidate in question["candidates"]])
        )
        query = f"preview?value={quote(json.dumps(value))}"
        before = self.record()
        preview = self.call("get", f"questions/{question['id']}/{query}")
        if question["state"] != "superseded":
            assert preview.status_code == 200, preview.content
            counts = preview.json()["counts"] or {}
            assert sum(counts.values()) <= self.shape()[0]
        assert self.record() == before

    @rule(sure=SOMETIMES)
    @when("mapping", "review")
    def take_suggestions(self, sure) -> None:
        """Answer all open questions as suggested."""
        if sure:
            self.call("post", "questions/accept")

    @rule(by=st.sampled_from(["unique", "all"]), keep=st.sampled_from(["first", "last", "merge"]))
    @in_review
    def resolve_duplicates(self, by, keep) -> None:
        """Keep one row of each duplicate group; the preview has the number of excluded rows."""
        body = {"revision": self.revision, "by": by, "keep": keep}
        with self.changing():
            preview = self.call("post", "duplicates", {**body, "preview": True}).json()
            out = preview["excluded"]
            before = sum(row["excluded"] for row in self.page()[0])
            self.call("post", "duplicates", body)
            assert sum(row["excluded"] for row in self.page()[0]) == before + out

    @rule(value=st.sampled_from(["open", "closed", None, "nothing of the kind"]))
    @in_review
    def settle_a_value(self, value) -> None:
        """Decide which option a text means."""
        body = {"values": {"wibble": value}, "remember": False}
        self.call("put", "values/p.status", body)

    @rule(data=st.data(), behind=st.integers(0, 2), who=PEOPLE)
    @in_review
    def edit(self, data, behind, who) -> None:
        """Edit cells, exclude rows or include them again, possibly from an older revision."""
        rows, paths = self.shape()
        cells = data.draw(edits(rows, paths))
        exclude = data.draw(some_rows(rows))
        include = [row for row in data.draw(some_rows(rows)) if row not in exclude]
        body = {"edits": cells, "exclude": exclude, "include": include}
        with self.changing():
            seen = max(1, self.revision - behind)
            self.call("patch", "rows", {"revision": seen, **body}, who=who)

    @rule(data=st.data(), who=PEOPLE)
    @in_review
    def edit_one(self, data, who) -> None:
        """Edit one cell."""
        cells = data.draw(edits(*self.shape(), most=1))
        with self.changing():
            self.call("patch", "rows", {"revision": self.revision, "edits": cells}, who=who)

    @rule(data=st.data(), way=st.sampled_from(["exclude", "include"]))
    @in_review
    def leave_out(self, data, way) -> None:
        """Exclude rows, or include them again."""
        rows = data.draw(some_rows(self.shape()[0]))
        with self.changing():
            self.call("patch", "rows", {"revision": self.revision, way: rows})

    @rule(
        find=st.sampled_from(["K1", "a", ".", "", "wibble"]),
        by=st.sampled_from(["K2", "", "x@y.de"]),
        data=st.data(),
        only=st.sampled_from(["all", "error", "edited", "valid"]),
        whole=st.booleans(),
    )
    @in_review
    def replace(self, find, by, data, only, whole) -> None:
        """Find and replace; the preview matches the result."""
        paths = data.draw(st.lists(st.sampled_from(self.shape()[1]), min_size=1, unique=True))
        body = {"revision": self.revision, "find": find, "replace": by, "whole": whole}
        body |= {"inFields": paths, "view": {"filter": only}}
        with self.changing():
            preview = self.call("post", "rows/replace", {**body, "preview": True}).json()
            assert self.call("post", "rows/replace", body).json()["cells"] == preview["cells"]

    @rule(
        data=st.data(),
        way=st.sampled_from([{"exclude": True}, {"text": "x"}, {"text": None}, {"readAs": "mdy"}]),
    )
    @in_review
    def fix(self, data, way) -> None:
        """Fix one group of issues."""
        groups = self.call("get", "issues").json()["issues"]
        if groups:
            group = data.draw(st.sampled_from(groups))
            body = {"revision": self.revision, "field": group["field"], "code": group["code"]}
            with self.changing():
                self.call("post", "rows/fix", {**body, **way})

    @rule(where=st.sampled_from(["undo", "undo", "redo"]), times=st.integers(1, 3), who=PEOPLE)
    @in_review
    def travel(self, where, times, who) -> None:
        """Undo or redo, and arrive at exactly the former rows."""
        for _ in range(times):
            self.step(where, who)

    @rule(sure=SOMETIMES, who=PEOPLE)
    @in_review
    def travel_to_both_ends(self, sure, who) -> None:
        """Undo to the beginning, and redo to the former end."""
        if not sure:
            return
        for way in ("undo", "redo"):
            while self.step(way, who):
                pass

    def step(self, where, who) -> bool:
        """Undo or redo one step; return whether there was one."""
        goal = self.seen.goal(where, self.revision)
        answer = self.call("post", where, {"revision": self.revision}, who=who)
        if answer.status_code == 200:
            assert answer.json()["revision"] == goal
            return True
        assert (goal, answer.json()["code"]) == (None, f"nothing_to_{where}")
        return False

    @rule(data=st.data(), name=st.sampled_from(["a.csv", "b.csv"]))
    @in_review
    def correct(self, data, name) -> None:
        """Upload the failed rows with some cells corrected, and merge them."""
        exported = self.client.get(self.url("export"), {"format": "csv"})
        text = b"".join(exported.streaming_content).decode("utf-8-sig")
        lines = list(csv.DictReader(StringIO(text, newline="")))
        if not lines:
            return
        for line in lines:
            column = data.draw(st.sampled_from(list(line)[:-2]))  # reasons and key come last
            line[column] = data.draw(TYPED) or ""
        sent = StringIO(newline="")
        writer = csv.DictWriter(sent, lines[0])
        writer.writeheader()
        writer.writerows(lines)
        file = SimpleUploadedFile(name, sent.getvalue().encode())
        made = self.call("post", "corrections", data={"file": file}).json()
        advance(made["correctionId"])
        with self.changing():
            confirmed = self.call("post", f"corrections/{made['correctionId']}/confirm")
            assert confirmed.json().get("code") in {None, "no_corrections"}, confirmed.content

    @rule(
        mode=st.sampled_from(["webhook", "browser"]),
        invalid=st.sampled_from(["block", "exclude", "include"]),
        sure=SOMETIMES,
    )
    @in_review
    def apply(self, mode, invalid, sure) -> None:
        """Apply; rarely, because that is nearly the end."""
        if sure:
            self.call("post", "apply", {"applyMode": mode, "invalidRows": invalid})

    @rule(sure=SELDOM, surer=SELDOM)
    def give_up(self, sure, surer) -> None:
        """Cancel; rarely, because that is the end."""
        if sure and surer:
            self.call("post", "cancel")

    @rule()
    @when("failed")
    def try_again(self) -> None:
        """Retry a failed import."""
        self.call("post", "retry")

    @rule(data=st.data(), sure=SELDOM)
    @precondition(lambda life: life.state != "review")
    def ask_at_the_wrong_time(self, data, sure) -> None:
        """Check that impossible calls are refused and change nothing: ``call`` checks it."""
        if not sure:
            return
        at = {"revision": self.revision or 1}
        cell = {"row": 0, "field": PATHS[0], "text": "x"}
        method, path, body = data.draw(
            st.sampled_from(
                [
                    ("patch", "rows", {**at, "edits": [cell]}),
                    ("post", "rows/fix", {**at, "field": PATHS[0], "code": "x", "text": "y"}),
                    ("post", "undo", at),
                    ("post", "redo", at),
                    ("post", "apply", {"applyMode": "browser"}),
                    ("put", "values/p.status", {"values": {"wibble": "open"}}),
                ]
            )
        )
        assert self.call(method, path, body).status_code >= 400

    # What the machines do

    @rule()
    @at_work
    def work(self) -> None:
        """Run the worker; it leaves claimed work alone."""
        advance(self.id)
        self.refresh()

    @rule()
    @at_work
    def time_passes(self) -> None:
        """Let every lease and every wait expire."""
        self.time.pass_by(LEASE + timedelta(seconds=1))

    @rule(data=st.data(), way=st.sampled_from(WAYS))
    @at_work
    def worker_dies(self, data, way) -> None:
        """Kill the worker where it writes; its lease expires later."""
        place = data.draw(st.sampled_from(PLACES[self.state]))
        with dying(place, way, Died()), suppress(Died):
            advance(self.id)
        self.refresh()

    @rule(data=st.data(), way=st.sampled_from(WAYS), why=st.sampled_from(FAILURES))
    @at_work
    def step_fails(self, data, way, why) -> None:
        """Let a step fail, by the machine's fault or by the file's."""
        place = data.draw(st.sampled_from(PLACES[self.state]))
        error = why()
        with dying(place, way, error), suppress(type(error)):
            advance(self.id)
        self.refresh()

    @rule(data=st.data(), way=st.sampled_from(WAYS))
    @in_review
    def web_process_dies(self, data, way) -> None:
        """Kill the web process within an edit: all of it is stored, or nothing."""
        place = data.draw(st.sampled_from(PLACES["review"]))
        body = {"revision": self.revision, "edits": data.draw(edits(*self.shape()))}
        before = self.record()
        with dying(place, way, Died()), suppress(Died):
            self.client.patch(self.url("rows"), body, format="json")
        assert self.record() == before
        self.refresh()

    # Invariants

    def page(self):
        """Return every row of the newest revision, as in a page."""
        table = table_of(Revision.objects.get(subject=self.id, number=self.revision))
        return pages.shown(table, np.arange(table.row_count, dtype=np.int64)), summarised(table)

    def shape(self):
        """Return the number of rows, and the fields."""
        rows, _ = self.page()
        return len(rows), list(rows[0]["values"]) if rows else list(PATHS)

    @contextmanager
    def changing(self):
        """Record a change of the rows as the next one to undo."""
        before, highest = self.revision, self.seen.highest
        yield
        if self.revision != before:
            assert self.revision > highest, "a number is never used twice"
            self.seen.follows(before, self.revision)

    def look(self) -> None:
        """Check all rows against what this revision showed before."""
        if self.revision:
            self.seen.look(self.revision, *self.page(), self.record()["counts"])
        if self.state == "review":
            self.seen.compare_inputs(self.revision, self.inputs())

    def inputs(self):
        """Return the inputs of the rows in review."""
        record = self.record()
        parsed, decided = record["parsed"], record["decided"]
        mapped = {"mapping": decided.mapping, "recipe": decided.recipe, "choices": parsed.choices}
        return {**mapped, "source": record["source"], "counts": record["counts"]}

    @invariant()
    def counts_add_up(self) -> None:
        counts = self.record()["counts"]
        if self.state == "review":
            assert counts["sourceRows"] == counts["skipped"] + counts["rows"]
        if self.state == "applied":
            whole = counts["imported"] + counts["excluded"] + counts["failed"]
            assert counts["rows"] == whole

    @invariant()
    def nothing_changes_after_the_end(self) -> None:
        if self.state in ENDED:
            now = {k: v for k, v in self.record().items() if k != "deliveries"}
            self.frozen = self.frozen or now
            assert now == self.frozen

    def comes_to_rest(self) -> None:
        """Run the worker; then a person can act, or the import has ended."""
        for _ in range(2 * len(WAITS) + 2):
            if self.state not in WORKING:
                break
            self.time.pass_by(LEASE + timedelta(seconds=1))
            self.work()
        assert self.state not in WORKING, "it is stuck"
        if self.state == "applied":
            self.delivers_what_it_counts()
        if self.state not in ENDED:
            assert self.call("post", "cancel").status_code == 200

    def delivers_what_it_counts(self) -> None:
        """Check that the rows a host gets are those that were counted."""
        delivery = Delivery.objects.filter(record_id=self.id).first()
        if delivery is None:
            body = self.client.get(self.url("results"), {"limit": 500}).json()
            body["rows"] = body["items"]
        else:
            body = json.loads(bodies.content(delivery))
        assert len(body["rows"]) == body["rowCount"] == self.record()["counts"]["imported"]
