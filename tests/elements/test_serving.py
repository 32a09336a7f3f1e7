"""The built elements at their URLs. They are not built for these tests: a folder replaces them."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from importengine.web.elements import StaticFiles


@pytest.fixture
def get(tmp_path, settings):
    built = tmp_path / "static" / "elements"
    (built / "chunks").mkdir(parents=True)
    for name in (
        "service-import.js",
        "service-import-0.1.0-2c3f0dd4.js",
        "chunks/review-Dk3_x-9a.js",
    ):
        (built / name).write_text("export {}")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.1.0"\n')
    settings.BASE_DIR, settings.WHITENOISE_AUTOREFRESH = tmp_path, False  # as at work
    served = StaticFiles(lambda request: HttpResponse(status=404))
    answers = []

    def get(path):
        answers.append(served(RequestFactory().get(path, HTTP_ORIGIN="https://host.example")))
        return answers[-1]

    yield get
    for answer in answers:
        if answer.streaming:
            answer.file_to_stream.close()  # the answer's own close() ends a request


def test_an_element_is_loaded_by_any_page(get):
    answer = get("/elements/service-import.js")

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_the_stable_address_is_asked_for_again_soon(get):
    answer = get("/elements/service-import.js")

    assert answer["Cache-Control"] == "max-age=60, public"


@pytest.mark.parametrize("name", ["service-import-0.1.0-2c3f0dd4.js", "chunks/review-Dk3_x-9a.js"])
def test_what_is_named_by_its_content_is_kept_for_good(get, name):
    assert "immutable" in get(f"/elements/{name}")["Cache-Control"]


def test_nothing_else_is_served_there(get):
    assert get("/elements/../settings.py").status_code == 404
    assert get("/elements/service-catalog.js").status_code == 404
