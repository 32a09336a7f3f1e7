"""An import from upload to review: every view and every change, and what must hold after each."""

import json
from urllib.parse import quote

from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import strategies as st

from staging.views import FILTERS
from tests.imports.combinations.calls import V1, Calls
from tests.imports.combinations.catalogs import typed_by_hand
from tests.imports.combinations.texts import SOUGHT, WRONG
from workflow import tasks


class Reviewing(Calls):
    """What a person, a program and an agent do with the rows before an apply."""

    # From upload to review

    def upload(self) -> bool:
        """Send the file and map it; return whether there are rows."""
        self.know()
        file = SimpleUploadedFile(self.case.filename, self.case.content)
        about = {"catalogKey": "any", "context": json.dumps(self.case.context)}
        record_id = self.call("post", "imports", data={"file": file, **about}, expect=202)
        self.url = f"{V1}/imports/{record_id['recordId']}"
        record = self.work()
        if record["state"] != "mapping":
            return False  # the file itself is refused
        columns = {column["column"] for column in self.call("get", "/mapping")["columns"]}
        mapping, recipe = self.case.mapped(columns)
        if not mapping:
            return False  # no column has a header of ours
        body = {"mapping": mapping, "recipe": recipe}
        tried = None
        if self.maybe():
            tried = self.tool("dry_run_transform", recordId=self.record_id, limit=200, **body)
        self.call("put", "/mapping", {**body, "allowMissing": True, "remember": False}, expect=202)
        record = self.work()
        assert record["state"] == "review", record
        rows = self.rows()
        if tried is not None:
            self.reach("tried by an agent")
            # Only a transform asks for remembered answers, and for references.
            assert len(tried["rows"]) == len(rows), (tried, rows)
        return bool(rows)

    def know(self) -> None:
        """Make some entities known, which references may name."""
        for entity, values in self.case.known.items():
            items = [{"ref": str(n), "values": value} for n, value in enumerate(values)]
            self.call("put", f"references/{entity}", {"items": items}, expect=200)

    # Looking

    def look(self) -> None:
        """View the rows in some ways, and check what must hold for each."""
        rows = self.rows()
        looks = [self._filter, self._sort, self._search, self._texts, self._lists, self._explain]
        looks += [self._dry_run, self._values]
        for look in self.draw(st.lists(st.sampled_from(looks), min_size=2, max_size=4)):
            look(rows)
        self.counts_add_up()

    def _filter(self, rows) -> None:
        name = self.draw(st.sampled_from(sorted(FILTERS)))
        shown = {row["row"] for row in self.rows(filter=name)}
        truth = {
            "all": {row["row"] for row in rows},
            "changed": {row["row"] for row in rows if row["changed"]},
            "edited": {row["row"] for row in rows if row["edited"]},
        }
        assert shown <= truth["all"], name
        assert name not in truth or shown == truth[name], name

    def _sort(self, rows) -> None:
        field = self.draw(st.sampled_from([*self.case.fields]))
        for descending in (False, True):
            sorted_ = self.rows(sort={"field": field, "descending": descending})
            assert {row["row"] for row in sorted_} == {row["row"] for row in rows}

    def _search(self, rows) -> None:
        for search in self.draw(st.lists(st.sampled_from(SOUGHT), min_size=1, max_size=2)):
            field = self.draw(st.sampled_from([None, *self.case.fields]))
            matching = self.rows(search=search, field=field)
            assert {row["row"] for row in matching} <= {row["row"] for row in rows}

    def _texts(self, rows) -> None:
        field = self.draw(st.sampled_from([None, *self.case.fields]))
        body = {"texts": True, "view": {"filter": "error", "field": field}}
        broken_rows = self.call("post", "/rows/query", body, expect=200)["rows"]
        assert all(set(row["texts"]) <= set(row["values"]) for row in broken_rows)

    def _lists(self, rows) -> None:
        """Read the duplicates, fixes, history and references."""
        for by in ("unique", "all"):
            self.call("get", "/duplicates", data={"by": by}, expect=200)
        self.call("get", "/issues/fixes", expect=200)
        self.call("get", "/history", expect=200)
        self.call("get", "/references", expect=200)
        self.tool("resolved_references", recordId=self.record_id)

    def _dry_run(self, rows) -> None:
        """Check that an agent sees exactly the rows of the review, except excluded ones."""
        shown = self.tool("dry_run_transform", recordId=self.record_id, limit=200)["rows"]
        assert plain(shown) == plain(row for row in rows if not row["excluded"])

    def counts_add_up(self) -> None:
        """Check that the groups of issues match the issues of the rows."""
        shown = [issue for row in self.rows() if not row["excluded"] for issue in row["issues"]]
        groups = self.call("get", "/issues", expect=200)["issues"]
        assert sum(group["count"] for group in groups) == len(shown)

    def _explain(self, rows) -> None:
        """Check that the explanation of a row ends in its values."""
        formats = {p for p, f in self.case.fields.items() if f.get("outputFormat")}
        for row in self.draw(st.lists(st.sampled_from(rows), max_size=3, unique_by=id)):
            story = self.call("get", f"/rows/{row['row']}/explain", expect=200)
            values = {cell["field"]: cell["value"] for cell in story["cells"]}
            for path, value in row["values"].items():
                if path not in formats:
                    assert values[path] == value, (path, values[path], value)

    def answer(self) -> None:
        """Preview the answers of every question; answer some, by HTTP or as an agent."""
        for question in self.call("get", "/questions", expect=200)["items"]:
            for candidate in question["candidates"][:2]:
                value = quote(json.dumps(candidate["value"]))
                self.call("get", f"/questions/{question['id']}/preview?value={value}")
            if question["candidates"] and self.maybe():
                value = self.draw(st.sampled_from(question["candidates"]))["value"]
                if self.maybe():
                    self.tool("answer_question", questionId=question["id"], value=value)
                else:
                    body = {"value": value, "remember": False}
                    self.call("post", f"questions/{question['id']}/answer", body)
                assert self.work()["state"] == "review"
        for path in self.case.fields:
            self._settle_values(path)

    def _values(self, rows) -> None:
        self.call("get", f"/values/{quote(self.draw(st.sampled_from([*self.case.fields])))}")

    def _settle_values(self, path) -> None:
        """Decide what texts without an option mean."""
        distinct = self.call("get", f"/values/{quote(path)}")
        if not distinct.get("unmatched"):
            return
        offered = [option["value"] for option in distinct["options"]] + [None, "free", 3, 1.5]
        texts = [item["value"] for item in distinct["unmatched"]][:2]
        values = {text: self.draw(st.sampled_from(offered)) for text in texts}
        if self.maybe():
            self.call("put", f"/values/{quote(path)}", {"values": values, "remember": False})
            assert self.work()["state"] == "review"

    # Changing

    def change(self) -> None:
        """Make changes of every kind; undo and redo restore exactly the same rows."""
        ways = (self._edit, self._paste, self._replace, self._fix, self._leave_out, self._resolve)
        before = self.rows()
        for way in self.draw(st.lists(st.sampled_from(ways), min_size=1, max_size=3)):
            revision = self.revision
            way()
            after = self.rows()
            if self.revision != revision and self.maybe():
                self.reach("changed")
                self._travel("undo", before)
                self._travel("redo", after)
            before = after
        self.counts_add_up()

    def _travel(self, where, goal) -> None:
        self.call("post", f"/{where}", {"revision": self.revision}, expect=200)
        assert plain(self.rows()) == plain(goal), f"{where} leads elsewhere"

    def _cell(self):
        row = self.draw(st.sampled_from([row["row"] for row in self.rows()]))
        path = self.draw(st.sampled_from([*self.case.fields]))
        return {"row": row, "field": path, "text": self.draw(typed_by_hand(self.case, path))}

    def _send(self, **body):
        return self.call("patch", "/rows", {"revision": self.revision, **body}, expect=200)

    def _edit(self) -> None:
        self._send(edits=[self._cell()])

    def _paste(self) -> None:
        """Paste one text into the cells of a whole column, and another into a row."""
        first = self._cell()
        cells = {(row["row"], first["field"]): first["text"] for row in self.rows()}
        text = self.draw(st.sampled_from([None, *WRONG]))
        cells |= {(first["row"], path): text for path in self.case.fields}
        self._send(edits=[{"row": r, "field": p, "text": t} for (r, p), t in cells.items()])

    def _leave_out(self) -> None:
        rows = st.sampled_from([row["row"] for row in self.rows()])
        self._send(exclude=self.draw(st.lists(rows, unique=True, min_size=1, max_size=2)))

    def _in_bulk(self, path, body):
        """Change rows in bulk; a worker's changes are made at once."""
        made = self.call("post", path, body)
        if made.get("state") != "running":
            return made
        tasks.make_change("")
        made = self.call("get", f"/rows/changes/{made['changeId']}", expect=200)
        assert made["state"] == "done", made
        return made

    def _replace(self) -> None:
        paths = st.lists(st.sampled_from([*self.case.fields]), min_size=1, unique=True)
        body = {"revision": self.revision, "find": self.draw(st.sampled_from(SOUGHT[:3]))}
        body |= {"inFields": self.draw(paths), "replace": self.draw(st.sampled_from(SOUGHT))}
        preview = self.call("post", "/rows/replace", {**body, "preview": True}, expect=200)
        assert self._in_bulk("/rows/replace", body)["cells"] == preview["cells"]

    def _fix(self) -> None:
        """Fix a group of issues in an offered way, or in another one."""
        ways = [{"exclude": True}, {"text": "x"}, {"text": None}, {"readAs": "mdy"}]
        ways += [{"readAs": "eu"}]
        offered = [(g["field"], g["code"]) for g in self.call("get", "/issues")["issues"]]
        if not offered:
            return
        field, code = self.draw(st.sampled_from(offered))
        about = {"revision": self.revision, "field": field, "code": code}
        body = about | self.draw(st.sampled_from(ways))
        self.call("post", "/rows/fix", {**body, "preview": True})
        self._in_bulk("/rows/fix", body)

    def _resolve(self) -> None:
        body = {"revision": self.revision, "by": self.draw(st.sampled_from(["unique", "all"]))}
        body["keep"] = self.draw(st.sampled_from(["first", "last", "fullest", "merge"]))
        preview = self.call("post", "/duplicates", {**body, "preview": True})
        if "excluded" in preview:
            assert "revision" in self._in_bulk("/duplicates", body)

    def map_again(self) -> None:
        """Check that the same mapping makes the same rows, including edits."""
        before = self.rows()
        settled = self.call("get", "/mapping", expect=200)
        body = {name: settled[name] for name in ("mapping", "recipe")}
        self.call("put", "/mapping", {**body, "allowMissing": True, "remember": False}, expect=202)
        assert self.work()["state"] == "review"
        assert plain(self.rows()) == plain(before)


def plain(rows):
    """Return rows without the order of their issues."""
    return [
        {**row, "issues": sorted(row["issues"], key=lambda issue: sorted(issue.items(), key=str))}
        for row in rows
    ]
