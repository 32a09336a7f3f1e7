"""The built elements belong to the engine that serves them, or the engine reports it."""

import json
import os
import shutil
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from common.release import release_in
from importengine.checks import check_deployment
from importengine.web.elements import StaticFiles
from scripts import build_elements

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = ("service-import", "service-catalog-editor")


@pytest.fixture
def tree(tmp_path, settings):
    """Yield a copy of the files that define the engine's release; its elements are not built."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "frontend" / "src" / "ui", tmp_path / "frontend" / "src" / "ui")
    for name in ("package.json", "package-lock.json", "vite.config.js", "tsconfig.types.json"):
        shutil.copy(ROOT / "frontend" / name, tmp_path / "frontend")
    settings.BASE_DIR, settings.WHITENOISE_AUTOREFRESH = tmp_path, False  # as at work
    yield tmp_path
    release_in.cache_clear()


@pytest.fixture
def build(tree, monkeypatch):
    """Return the last steps of a build: publish and serve the scripts of a bundler."""
    monkeypatch.setattr(build_elements, "ROOT", tree)
    monkeypatch.setattr(build_elements, "FRONTEND", tree / "frontend")
    monkeypatch.setattr(build_elements, "BUILT", tree / "static" / "elements")
    monkeypatch.setattr(build_elements, "NEW", tree / "static" / "elements.new")

    def build(says: str = "export {}") -> None:
        build_elements.NEW.mkdir(parents=True)
        for entry in ENTRIES:
            (build_elements.NEW / f"{entry}.js").write_text(says)
        build_elements.publish_all()
        build_elements.put_in_place()
        release_in.cache_clear()

    return build


@pytest.fixture
def both_checks(settings, db):
    """Return a function with the findings of ``/readyz`` and ``check --deploy`` on the elements."""
    settings.BROKER_DIR = settings.DATA_DIR / "broker"
    (settings.BROKER_DIR / "queue").mkdir(parents=True)

    def say() -> tuple[str, list[str]]:
        messages = [
            message for message in check_deployment(None) if message.id == "importengine.E007"
        ]
        for item in messages:
            assert "python scripts/build_elements.py" in item.hint
        return Client().get("/readyz").json()["checks"]["elements"], [item.msg for item in messages]

    return say


def test_elements_that_are_not_built_are_named(tree, both_checks):
    ready, deployed = both_checks()

    assert ready == "not built"
    assert deployed == ["The elements of /elements/: not built."]


def test_the_same_build_leaves_served_files_in_place_and_satisfies_make(build):
    build()
    served = build_elements.BUILT / "service-import.js"
    manifest = build_elements.BUILT / "manifest.json"
    os.utime(manifest, (0, 0))
    file = served.stat().st_ino
    build()

    assert served.stat().st_ino == file
    assert manifest.stat().st_mtime > 0
    assert not build_elements.NEW.exists()


def test_another_build_replaces_served_files(build):
    build("export {}")
    build("export const other = 1")

    assert (build_elements.BUILT / "service-import.js").read_text() == "export const other = 1"


def test_elements_of_this_engine_pass(build, both_checks):
    build()

    assert both_checks() == ("ok", [])


def test_elements_of_another_version_are_named(tree, build, both_checks):
    build()
    about = tree / "pyproject.toml"
    about.write_text(about.read_text("utf-8").replace('version = "0.1.0"', 'version = "0.2.0"'))
    release_in.cache_clear()  # the engine starts again, with the code of the upgrade

    ready, deployed = both_checks()

    assert ready == "built for engine 0.1.0; this is 0.2.0"
    assert len(deployed) == 1


def test_elements_of_other_sources_are_named(tree, build, both_checks):
    build()
    source = next((tree / "frontend" / "src").rglob("*.ts"))
    source.write_text(source.read_text("utf-8") + "\n// changed\n")
    release_in.cache_clear()

    assert both_checks()[0] == "built from other sources than this engine's"


def test_elements_that_came_without_their_sources_are_known_by_their_version(
    tree, build, both_checks
):
    build()
    shutil.rmtree(tree / "frontend")
    release_in.cache_clear()

    assert both_checks() == ("ok", [])


def test_an_upgrade_below_a_running_engine_is_named_until_it_is_started_again(
    tree, build, both_checks, monkeypatch
):
    build()
    StaticFiles(lambda request: HttpResponse(status=404))  # the process starts
    running = release_in(tree)
    source = next((tree / "frontend" / "src").rglob("*.ts"))
    source.write_text(source.read_text("utf-8") + "\n// the next version\n")

    assert release_in(tree) == running  # it is still the release it started with
    release_in.cache_clear()
    build("export const next = 1")  # another process builds
    monkeypatch.setattr("importengine.web.elements.release_in", lambda root: running)
    assert both_checks()[0] == "built from other sources than this engine's"
    monkeypatch.undo()
    assert both_checks() == ("ok", [])


def test_a_script_that_is_missing_is_named(tree, build, both_checks):
    build()
    (tree / "static" / "elements" / "service-import.js").unlink()

    assert both_checks()[0] == "service-import.js is missing"


@pytest.mark.parametrize("text", ["", "[]", '{"elements": 3, "integrity": {}}', "\x00"])
def test_a_broken_manifest_is_named(tree, build, both_checks, text):
    build()
    (tree / "static" / "elements" / "manifest.json").write_text(text)

    assert both_checks()[0] == "their manifest cannot be read"


def test_elements_are_served_once_they_are_built_without_a_restart(build):
    served = StaticFiles(lambda request: HttpResponse(status=404))
    get = RequestFactory().get
    assert served(get("/elements/service-import.js")).status_code == 404

    build("export const first = 1")
    first = served(get("/elements/service-import.js"))
    build("export const second_and_longer = 2")
    second = served(get("/elements/service-import.js"))

    read = [b"".join(answer.streaming_content) for answer in (first, second)]
    assert read == [b"export const first = 1", b"export const second_and_longer = 2"]
    assert second["Content-Length"] == "34"
    for answer in (first, second):
        answer.file_to_stream.close()


def test_a_script_that_the_next_build_replaced_is_not_found(tree, build):
    served = StaticFiles(lambda request: HttpResponse(status=404))
    build("export const first = 1")
    manifest = json.loads((tree / "static" / "elements" / "manifest.json").read_text("utf-8"))
    build("export const second = 2")
    twin = manifest["elements"]["service-import"]["file"]

    assert served(RequestFactory().get(f"/elements/{twin}")).status_code == 404


def test_the_engine_and_the_build_in_this_tree_agree_on_its_sources():
    assert release_in(ROOT).sources.startswith("sha256-")
    assert release_in(ROOT).engine == "0.1.0"
