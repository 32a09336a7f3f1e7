"""A small catalog, a small file, and the API's answers about them."""

import json

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from tests.imports.conftest import carry_on

V1 = "/api/import/v1"


def publish_fields(tenant, *fields, key="people", **about):
    """Publish a catalog with one entry ``p``; a field is its key, or a dict. about: its members."""
    full = [{"columnType": "string", **(f if isinstance(f, dict) else {"key": f})} for f in fields]
    document = {"key": key, "title": key, "keySeparator": ".", **about}
    document["entries"] = [{"id": "p", "fields": full}]
    text = json.dumps(document).encode()
    return catalogs.publish_document(
        tenant=tenant, key=key, text=text, at=clock.now(), actor=ENGINE
    )


class Imported:
    """One import, seen through the API."""

    def __init__(self, client, text, **members):
        self.client = client
        answer = client.post(f"{V1}/imports", {"text": text, **members}, format="json")
        assert answer.status_code == 202, answer.json()
        self.id = answer.json()["recordId"]
        self.record = carry_on(client, self.id)

    @classmethod
    def of(cls, client, record):
        """Return an import that exists already."""
        imported = cls.__new__(cls)
        imported.client, imported.id, imported.record = client, record["recordId"], record
        return imported

    @property
    def state(self):
        return self.record["state"]

    def url(self, path):
        return f"{V1}/imports/{self.id}/{path}"

    def questions(self, **filters):
        return self.client.get(self.url("questions"), filters).json()["items"]

    def question(self, kind):
        (question,) = [q for q in self.questions() if q["kind"] == kind]
        return question

    def answer(self, question, value, **members):
        answer = self.client.post(
            f"{V1}/questions/{question['id']}/answer", {"value": value, **members}, format="json"
        )
        self.record = carry_on(self.client, self.id)
        return answer

    def dismiss(self, question):
        answer = self.client.post(f"{V1}/questions/{question['id']}/dismiss")
        self.record = carry_on(self.client, self.id)
        return answer

    def apply(self, **members):
        answer = self.client.post(self.url("apply"), members, format="json")
        self.record = carry_on(self.client, self.id)
        return answer

    def finish(self, *, remember=True):
        """Confirm the proposal if there is no mapping, and apply: only that teaches anything."""
        if self.state == "mapping":
            proposed = self.mapping()["proposed"]
            self.put("mapping", {**proposed, "remember": remember, "allowMissing": True})
        wishes = {"applyMode": "browser", "invalidRows": "include", "openQuestions": "dismiss"}
        assert self.apply(**wishes).status_code == 202
        return self

    def put(self, path, body):
        answer = self.client.put(self.url(path), body, format="json")
        self.record = carry_on(self.client, self.id)
        return answer

    def mapping(self):
        return self.client.get(self.url("mapping")).json()

    def values(self, field):
        rows = self.client.post(self.url("rows/query"), {}, format="json").json()["rows"]
        return [row["values"][field] for row in rows]
