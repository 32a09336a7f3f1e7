"""What is installed is pinned to its very files, and follows what the engine asks for."""

import pytest

from scripts import lock_requirements
from scripts.lock_requirements import NAMES, ROOT, findings, pins_of

HASH = f"    --hash=sha256:{'0' * 64}\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_lists_of_this_tree_follow_what_is_asked_for(name):
    assert findings(ROOT, name) == []


def test_tools_are_installed_next_to_the_libraries_of_the_runtime():
    runtime, development = (
        pins_of((ROOT / f"{name}.txt").read_text("utf-8"))
        for name in ("requirements", "requirements-dev")
    )

    assert len(runtime) > 60
    assert {name: development.get(name) for name in runtime} == runtime


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "requirements.in").write_text("# why\nDjango==5.2.19  # BSD\n")
    head = lock_requirements.head(tmp_path, "requirements")
    (tmp_path / "requirements.txt").write_text(f"{head}django==5.2.19 \\\n{HASH}    # via -r\n")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("requirements.in", "# why", "# another reason", None),
        ("requirements.in", "5.2.19", "5.2.20", "requirements.in has changed"),
        ("requirements.in", "Django", "redis==8.1.0\nDjango", "requirements.in has changed"),
        ("requirements.txt", HASH, "", "django==5.2.19 has no exact pin"),
        ("requirements.txt", "==5.2.19", ">=5.2.19", "has no exact pin with hashes"),
        ("requirements.txt", "    # via", "extra==1.0\n    # via", "extra==1.0 has no exact pin"),
        ("requirements.txt", "    # via", "--index-url https://a.example\n    # via", "an address"),
    ],
)
def test_a_list_that_does_not_follow_is_named(folder, file, old, new, expected):
    assert findings(folder, "requirements") == []
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new))

    problems = findings(folder, "requirements")

    assert any(expected in line for line in problems) if expected else problems == []


def test_a_list_is_written_for_each_platform():
    text = (ROOT / "requirements.txt").read_text("utf-8")

    assert "sys_platform == 'win32'" in text  # includes what only another platform needs
    assert text.count("--hash=sha256:") > 10 * len(pins_of(text))  # the wheels of all platforms
