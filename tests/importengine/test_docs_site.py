"""The built documentation at /docs. It is not built for these tests: a folder replaces it."""

import doctest

import pytest

from docs import hooks
from importengine.web import docs
from scripts import build_docs
from scripts.build_docs import UnusableSite, finish

pytestmark = pytest.mark.django_db  # closing an answer ends a request, which asks the database


@pytest.fixture
def site(tmp_path, settings):
    settings.BASE_DIR = tmp_path
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')
    folder = tmp_path / "docs" / "_site"
    (folder / "search").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<title>Import Engine</title>")
    (folder / "api.html").write_text("<title>API</title>")
    (folder / "search" / "search_index.json").write_text("{}")
    return folder


@pytest.fixture
def get(client):
    answers = []

    def get(path):
        answers.append(client.get(path))
        return answers[-1]

    yield get
    for answer in answers:
        answer.close()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/docs/", "Import Engine"),
        ("/docs/api.html", "API"),
        ("/docs/search/search_index.json", "{}"),
    ],
)
def test_a_built_page_is_served(site, get, path, expected):
    answer = get(path)

    assert answer.status_code == 200
    assert expected in answer.getvalue().decode()


def test_the_type_of_a_problem_leads_to_its_page(site, get):
    (site / "problems").mkdir()
    (site / "problems" / "unknown_import.html").write_text("<title>unknown_import</title>")
    problem = get("/api/import/v1/imports/rec_none").json()

    answer = get(problem["type"].replace(problem["code"], "unknown_import"))

    assert problem["type"] == f"/docs/problems/{problem['code']}"
    assert (answer.status_code, answer["Location"]) == (302, "/docs/problems/unknown_import.html")


def test_pages_have_the_policy_of_all_pages(site, get):
    answer = get("/docs/")

    policy = answer["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_the_address_without_a_slash_leads_to_the_first_page(site, get):
    answer = get("/docs")

    assert (answer.status_code, answer["Location"]) == (302, "/docs/")


@pytest.mark.parametrize("path", ["/docs/adr", "/docs/adr/"])
def test_a_folder_leads_to_its_first_page(site, get, path):
    (site / "adr").mkdir()
    (site / "adr" / "index.html").write_text("Decisions")

    answer = get(path)

    assert (answer.status_code, answer["Location"]) == (302, "/docs/adr/index.html")


@pytest.mark.parametrize("path", ["/docs/nothing.html", "/docs/../pyproject.toml", "/docs/search/"])
def test_a_page_that_is_not_there_is_404(site, get, path):
    answer = get(path)

    assert answer.status_code == 404
    assert answer.content.decode() == docs.UNKNOWN.format(start="/docs/")


@pytest.mark.parametrize("path", ["/docs/", "/docs/api.html"])
def test_a_missing_site_says_how_to_build_it(tmp_path, settings, get, path):
    settings.BASE_DIR = tmp_path
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')

    answer = get(path)

    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/plain")
    assert "make docs" in answer.content.decode()


def test_inline_scripts_move_into_files(site):
    (site / "search" / "page.html").write_text("<script>let a = 1</script><p>text</p>")

    assert finish(site) == 3

    page = (site / "search" / "page.html").read_text()
    (script,) = (site / "assets").glob("inline-*.js")
    assert page == f'<script src="../assets/{script.name}"></script><p>text</p>'
    assert script.read_text() == "let a = 1"


@pytest.mark.parametrize(
    "broken",
    [
        '<script src="https://cdn.example/a.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/a.css">',
        "<img src=http://a.example/b.png>",
        '<p style="color: red">',
        '<a onclick="go()">',
        "<style>@import url(https://a.example/b.css)</style>",
    ],
)
def test_a_page_that_the_policy_would_break_is_refused(site, broken):
    (site / "api.html").write_text(broken)

    with pytest.raises(UnusableSite, match=r"api\.html"):
        finish(site)


def test_a_page_that_shows_an_item_of_a_list_as_text_is_refused(site):
    (site / "api.html").write_text("<ul><li>One</li></ul>\n<p>More.\n- Two</p>")

    with pytest.raises(UnusableSite, match=r"api\.html: not in a list: - Two"):
        finish(site)


def test_a_link_to_another_origin_is_fine(site):
    (site / "api.html").write_text('<a href="https://www.rfc-editor.org/rfc/rfc9457">RFC</a>')

    assert finish(site) == 2


@pytest.mark.parametrize("module", [build_docs, hooks], ids=lambda module: module.__name__)
def test_the_examples_of_the_build_hold(module):
    assert doctest.testmod(module).failed == 0


def test_the_pages_of_this_tree_build_without_a_broken_link(tmp_path):
    docs = build_docs.ROOT / "docs"
    written = [page for page in docs.rglob("*.md") if build_docs.BUILT not in page.parents]

    pages = build_docs.build(tmp_path / "site")

    assert pages >= len(written) > 50
    assert (tmp_path / "site" / "search" / "search_index.json").is_file()
