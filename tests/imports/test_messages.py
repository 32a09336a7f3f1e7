"""A catalog's own sentence is filled the same wherever it is shown."""

import csv
import json
from io import StringIO
from ipaddress import ip_network

import pytest

from common import clock
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services import register
from tests.imports.asked import Imported, publish_fields
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
OWN = "Row {row}: {value} is no {field} of ours {odd} {"
SAID = "Row 2: x-9 is no p.code of ours {odd} {"
CODE = {
    "key": "code",
    "validations": [{"validate": "regex", "regex": "[A-Z]-[0-9]", "errorMessage": OWN}],
}
TEXT = "Name,Code\nAda,A-1\nBob,x-9\nCyd,C-3\n"


@pytest.fixture
def reviewed(owner, client, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    publish_fields(owner, "name", CODE)
    imported = Imported(client, TEXT, autoMap=True)
    assert (imported.state, imported.record["counts"]["error"]) == ("review", 1)
    return imported


def in_rows(imported) -> list[str]:
    page = imported.client.post(imported.url("rows/query"), {}, format="json").json()
    return [issue["message"] for row in page["rows"] for issue in row["issues"]]


def in_issues(imported) -> list[str]:
    groups = imported.client.get(imported.url("issues")).json()["issues"]
    return [group["message"] for group in groups]


def in_export(imported) -> list[str]:
    answer = imported.client.get(imported.url("export?format=csv"))
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return [line["Reasons"] for line in csv.DictReader(StringIO(text, newline=""))]


def apply(imported, mode: str) -> None:
    wishes = {"invalidRows": "include", "applyMode": mode}
    answer = imported.client.post(imported.url("apply"), wishes, format="json")
    assert answer.status_code == 202, answer.json()
    assert carry_on(imported.client, imported.id)["state"] == "applied"


def test_review_issues_export_and_delivery_say_the_same_filled_sentence(reviewed):
    seen = in_rows(reviewed), in_issues(reviewed)
    (reasons,) = in_export(reviewed)
    apply(reviewed, "webhook")
    body = json.loads(bodies.content(Delivery.objects.get()))

    assert seen == ([SAID], [SAID])
    assert SAID in reasons
    assert [issue["message"] for issue in body["rowIssues"]] == [SAID]


def test_results_of_the_browser_mode_say_it_too(reviewed):
    apply(reviewed, "browser")
    results = reviewed.client.get(reviewed.url("results")).json()

    assert [issue["message"] for issue in results["rowIssues"]] == [SAID]


def test_an_edited_cell_fills_the_sentence_again_everywhere(reviewed):
    edits = [{"row": 1, "field": "p.code", "text": "y-8"}]
    change = {"revision": reviewed.record["revision"], "edits": edits}
    assert reviewed.client.patch(reviewed.url("rows"), change, format="json").status_code == 200
    renamed = SAID.replace("x-9", "y-8")

    assert (in_rows(reviewed), in_issues(reviewed)) == ([renamed], [renamed])
    assert renamed in in_export(reviewed)[0]
    apply(reviewed, "webhook")
    body = json.loads(bodies.content(Delivery.objects.get()))
    assert [issue["message"] for issue in body["rowIssues"]] == [renamed]
