"""The installed verifiers agree about every shared vector, and keep members they do not know."""

import json
import re
from typing import Any

import pytest

from tests.packages.projects import ROOT, Installed

pytestmark = pytest.mark.packages
FILE = ROOT / "sdk" / "vectors" / "signatures.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["vectors"]
PYTHON = """
import json, sys
from import_engine import webhooks
for vector in json.load(open(sys.argv[1]))["vectors"]:
    headers = {"X-Import-Signature": vector["header"]}
    try:
        event = webhooks.verify(
            vector["body"].encode(), headers, vector["secrets"], now=vector["now"])
        print(json.dumps(["ok", event.to_dict()]))
    except webhooks.NotVerified as error:
        print(json.dumps([error.code, str(error)]))
"""
NODE = """
import {readFileSync} from 'node:fs'
import {NotVerified, verify} from '@import-engine/server/webhooks'
for (const vector of JSON.parse(readFileSync(process.argv[2], 'utf-8')).vectors) {
  const headers = {'X-Import-Signature': vector.header}
  try {
    const event = await verify(vector.body, headers, vector.secrets, {now: vector.now})
    console.log(JSON.stringify(['ok', event]))
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    console.log(JSON.stringify([error.code, error.message]))
  }
}
"""
RUBY = """
require_relative "import_signature"
JSON.parse(File.read(ARGV[0]))["vectors"].each do |vector|
  body, header, secrets, now = vector.values_at("body", "header", "secrets", "now")
  event = ImportSignature.verify(body, header, *secrets, now: now)
  puts ["ok", event].to_json
rescue ImportSignature::NotVerified => error
  puts [error.code, error.message].to_json
end
"""
PARSED_PYTHON = """
from import_engine import webhooks
webhooks.verify({"event": "import.apply"}, {}, "whsec_x")
"""
PARSED_NODE = """
import {verify} from '@import-engine/server/webhooks'
await verify({event: 'import.apply'}, {}, 'whsec_x')
"""


@pytest.fixture(scope="module")
def ruby(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("ruby")
    page = (ROOT / "docs" / "start" / "rails.md").read_text("utf-8")
    shown = re.search(r"`lib/import_signature.rb`:\n\n```ruby\n(.*?)^```$", page, re.S | re.M)
    assert shown
    (folder / "import_signature.rb").write_text(shown[1], "utf-8")
    return Installed(folder, "ruby", ending="rb")


def verdicts(project: Installed, text: str) -> list[list[Any]]:
    """Return what a program says about each vector: a code, and the delivery or a sentence."""
    finished = project.run(text, FILE)
    assert finished.returncode == 0, finished.stderr
    return [json.loads(line) for line in finished.stdout.splitlines()]


def agree(verdicts: list[list[Any]]) -> None:
    codes = {vector["name"]: code for vector, (code, _) in zip(VECTORS, verdicts, strict=True)}
    assert codes == {vector["name"]: vector["expect"] for vector in VECTORS}
    for vector, (code, shown) in zip(VECTORS, verdicts, strict=True):
        if code == "ok":  # with the members that only a newer engine sends
            sent = json.loads(vector["body"])
            assert "tomorrow" in sent
            assert {**shown, "occurredAt": sent["occurredAt"]} == sent  # Python reads a time
        if code == "wrong_signature":
            assert "pass the raw body" in shown.lower()
        if code == "stale_signature":
            assert re.search(r"is [0-9.]+ seconds (old|in the future)\. Check the clock", shown)


def test_the_package_for_python_agrees(python: Installed) -> None:
    agree(verdicts(python, PYTHON))


def test_the_package_for_node_agrees(node: Installed) -> None:
    agree(verdicts(node, NODE))


@pytest.mark.large
def test_the_file_for_rails_agrees(ruby: Installed) -> None:
    agree(verdicts(ruby, RUBY))


def test_a_parsed_body_is_refused_with_what_to_pass_in_each_framework(
    python: Installed, node: Installed
) -> None:
    of_python = python.run(PARSED_PYTHON).stderr
    of_node = node.run(PARSED_NODE).stderr

    for way in ("Pass the raw body", "request.body in Django", "FastAPI", "request.get_data()"):
        assert way in of_python
    for way in ("Pass the raw body", "express.raw()", "await request.text() in Next.js", "Nest"):
        assert way in of_node
