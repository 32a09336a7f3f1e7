"""One import from upload to revert; the review, files, results and deliveries show one truth."""

import csv
import json
import re
from collections import defaultdict
from io import BytesIO, StringIO

from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openpyxl import load_workbook

from changesets.follow_up import follow_due
from deliveries import bodies
from deliveries.models import Delivery
from tabular.writing.cells import written
from tests.imports.combinations.calls import MANY
from tests.imports.combinations.reviewing import Reviewing
from tests.references.conftest import host_answers
from workflow.worker import advance

LEFT_OUT = "reference_left_out"  # a warning, and the value is delivered as null


class Walk(Reviewing):
    """Calls the API as a person, a program and an agent do; no call may return 5xx."""

    def whole_way(self) -> None:
        """Walk from upload to revert, as far as the file allows."""
        self.reach("drawn")
        if not self.upload():
            return
        self.reach("review")
        self.look()
        if self.maybe():
            self.answer()
        self.change()
        if self.maybe():
            self.map_again()
        self.look()
        self.export()
        self.reach("exported")
        mode = self.draw(st.sampled_from(["webhook", "webhook", "browser"]))
        if changeset := self.apply(mode):
            self.reach("applied")
            self.restored(changeset, mode)

    # Giving away

    def export(self) -> None:
        """Check that files show the values of the review; an unchanged file changes nothing."""
        shown = {row["row"]: row for row in self.rows()}
        about = {"rows": self.draw(st.sampled_from(["all", "all", "error"]))}
        text = self.call("get", "/export", data={**about, "format": "csv"}, expect=200)
        lines = list(csv.reader(StringIO(text.decode("utf-8-sig"), newline="")))
        book = self.call("get", "/export", data={**about, "format": "xlsx"}, expect=200)
        sheet = list(load_workbook(BytesIO(book)).active.iter_rows(values_only=True))
        assert len(lines) == len(sheet)
        for line, cells in zip(lines[1:], sheet[1:], strict=True):
            row = shown[int(line[-1].split("/")[1])]
            assert line[-1] == cells[-1]
            if row["severity"] != "error":
                for value, text_, cell in zip(row["values"].values(), line, cells, strict=False):
                    assert shows(text_, value), (row, line)
                    assert shows("" if cell is None else str(cell), value), (row, cells)
        file = SimpleUploadedFile("again.csv", text) if self.maybe() else None
        self._bring_back(file or SimpleUploadedFile("again.xlsx", book))

    def _bring_back(self, file) -> None:
        made = self.call("post", "/corrections", data={"file": file}, expect=202)
        advance(made["correctionId"])
        correction = self.call("get", f"/corrections/{made['correctionId']}", expect=200)
        if correction["state"] == "mapping":
            assert correction["comparison"]["changedCells"] == 0, correction

    def apply(self, mode: str) -> str | None:
        """Apply; check that deliveries and results have the values of the review."""
        before = self.rows()
        wishes = {
            "applyMode": mode,
            "invalidRows": self.draw(st.sampled_from(["include", "include", "exclude"])),
            "openQuestions": "dismiss",
        }
        left_out = defaultdict(set)
        for item in self.call("get", "/references", expect=200)["items"]:
            if item["outcome"] == "left_out":
                left_out[item["field"]].add(item["text"])
        includes = wishes["invalidRows"] == "include"
        fields = self.case.fields
        wanted = list(delivered(before, fields, includes=includes, left_out=left_out))
        if self.maybe():
            answer = self.tool("execute_import", recordId=self.record_id, **wishes)
        else:
            answer = self.call("post", "/apply", wishes)
        if "code" in answer:
            assert not wanted or answer["code"] == "dangling_references", (answer, before)
            return None
        record = self.work()
        if record["state"] == "review":
            assert not wanted, (record, before)
            return None
        assert record["state"] == "applied", record
        results = self.call("get", "/results", data={"limit": MANY}, expect=200)
        assert results["items"] == wanted, (results["items"], wanted)
        stream = self.call("get", "/results", data={"stream": "true"}, expect=200)
        assert [json.loads(line) for line in stream.split(b"\n") if line] == results["items"]
        self.reach("results")
        if not self.case.context.get("options"):
            self._typed(results["items"], wishes["invalidRows"])
        if mode == "webhook":
            self._arrived(results)
        (changeset,) = self.call("get", "changesets", expect=200)["items"]
        seen = self.tool("get_changeset", changesetId=changeset["id"], limit=200)
        assert seen["rows"] == results["items"]
        self.call("get", f"changesets/{changeset['id']}/rows", expect=200)
        return changeset["id"]

    def _typed(self, rows, invalid: str) -> None:
        """Check that the row type of the published catalog admits every delivered row."""
        about = {"lang": "jsonschema", "invalidRows": invalid}
        schema = json.loads(self.call("get", "catalogs/any/types", data=about, expect=200))
        for row in rows:
            assert set(row) == set(schema["properties"])
            Draft202012Validator(schema).validate(row)
        self.reach("typed")

    def _arrived(self, results) -> None:
        delivery = Delivery.objects.get(record_id=self.record_id)
        body = json.loads(bodies.content(delivery))
        assert body["rows"] == results["items"]
        assert body.get("customOptions", []) == results["customOptions"]
        self.reach("delivered")

    # Taking back

    def restored(self, changeset: str, mode: str) -> None:
        """Revert once the host has the rows; check that the former known values are restored."""
        if mode == "webhook":
            refused = self.call("post", f"changesets/{changeset}/revert", {}, expect=409)
            assert refused["code"] == "still_delivering", refused
            host_answers(200)
        else:
            self.call("post", "/results/ack", {}, expect=200)
        follow_due()
        if self.maybe():
            self.tool("revert_changeset", changesetId=changeset)
        else:
            self.call("post", f"changesets/{changeset}/revert", {}, expect=202)
        self.work()
        status = self.draw(st.sampled_from([200, 200, 200, 409])) if mode == "webhook" else 200
        if mode == "webhook":
            host_answers(status, action="revert")
        follow_due()
        reverted_changeset = self.call("get", f"changesets/{changeset}", expect=200)
        reverted = status == 200
        assert reverted_changeset["state"] == ("reverted" if reverted else "applied"), (
            reverted_changeset
        )
        assert self.call("get", "", expect=200)["state"] == reverted_changeset["state"]
        if reverted:
            self.reach("reverted")
            for entity in self.case.entities:
                known = self.call("get", f"references/{entity}", expect=200)["items"]
                there = {item["ref"]: item["values"] for item in known}
                wanted = dict(enumerate(self.case.known.get(entity, ())))
                assert there == {str(n): item for n, item in wanted.items()}, entity


def shows(text: str, value) -> bool:
    """Return whether a cell of an export shows a value of the review."""
    if isinstance(value, bool):
        return text == json.dumps(value)
    if isinstance(value, int | float):
        return float(text) == value
    if isinstance(value, list):
        return all(map(shows, text.split(", "), value))
    return text == written(value)


def delivered(rows, fields, *, includes, left_out):
    """
    Yield the values of the rows that an apply delivers; a value with an error is null.

    left_out: the texts of each field that are delivered as null, because they are unresolved.
    """
    for row in rows:
        if row["excluded"] or (row["severity"] == "error" and not includes):
            continue
        values = dict(row["values"])
        for issue in row["issues"]:
            path = issue["field"]
            if issue["code"] == LEFT_OUT and values[path] is not None:
                values[path] = without(values[path], fields[path]["reference"], left_out[path])
        failed = {issue["field"] for issue in row["issues"] if issue["severity"] == "error"}
        yield {path: None if path in failed else value for path, value in values.items()}


def without(value, reference, left_out):
    """Return the rest of a cell; of several references, unknown ones are removed."""
    if reference["cardinality"] == "one" or not isinstance(value, str | list):
        return None
    if isinstance(value, list):
        return [item for item in value if as_named(item) not in left_out] or None
    if re.fullmatch(r"\d\d:\d\d", value) and f"{value}:00" in left_out:  # a time is one reference
        return None
    mark = re.escape(reference["separator"]) if "separator" in reference else "[,;|\n]"
    stays = ""
    for before, part in re.findall(f"({mark}|^)(.*?)(?={mark}|$)", value, re.DOTALL):
        if part.strip() and part.strip() not in left_out:
            stays += (before if stays else "") + part
    return stays.strip() or None


def as_named(value) -> str:
    """Return the text of a reference to a value."""
    return value if isinstance(value, str) else json.dumps(value)
