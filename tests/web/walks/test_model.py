"""A model of the operator proposes; only what a person takes reaches the rows."""

from collections.abc import Callable, Iterator

import pytest

from tests.imports.advice.models import ModelServer, running_model
from tests.web.walks.engine import Engine
from tests.web.walks.hosts import Host
from tests.web.walks.test_accessibility import violations
from tests.web.walks.test_advice import rows_of
from tests.web.walks.test_editor import publish
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web
STEP = {"do": "regex_replace", "pattern": "^about ([0-9]+) .*$", "by": "\\1"}
REASON = "The model small-1 proposes it; nothing else supports it"
WEIGHTS = b"Name,Weight\nAda,about 12 (net)\nBob,about 7 (net)\nCid,about 30 (net)\nDee,5\n"
STATUSES = b"Name,Status\nAda,Open\nBob,beglichen\nCid,beglichen\n"
OPTIONS = [
    {"label": "Paid in full", "type": "string", "value": "paid"},
    {"label": "Open", "type": "string", "value": "open"},
]
SHOW_FORMS = "from licensing.models import Tenant; Tenant.objects.update(shows_models_samples=True)"


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with running_model() as serving:
        yield serving


@pytest.fixture(scope="module")
def engine(model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield an engine that asks the model."""
    served = Engine(
        tmp_path_factory.mktemp("engine"),
        IMPORT_MODEL_URL=model.url,
        IMPORT_MODEL_NAME="small-1",
        IMPORT_MODEL_ALLOW_NETWORKS="127.0.0.0/8",
    )
    try:
        served.start()
        served.manage("shell", "-c", SHOW_FORMS)
        yield served
    finally:
        served.stop()


@pytest.fixture(scope="module")
def host(engine: Engine) -> Iterator[Host]:
    with Host(engine.origin, engine.key) as serving:
        yield serving


def file(content: bytes) -> dict[str, object]:
    return {"name": "people.csv", "mimeType": "text/csv", "buffer": content}


def test_steps_of_a_model_are_shown_with_their_trial_and_added_by_a_person(
    open_widget: Callable[..., Widget], engine: Engine, model: ModelServer
) -> None:
    weight = {"key": "weight", "label": "Weight", "columnType": "int"}
    fields = [{"key": "name", "label": "Name"}, weight]
    publish(engine, "weights", title="Weights", entries=[{"id": "person", "fields": fields}])
    model.cleans("Weight", STEP)
    widget = open_widget(session={"catalogKey": "weights"}, show_all_steps="")
    widget.choose(file(WEIGHTS))
    widget.go_to("columns")

    offered = widget.element.locator(".recipe li", has_text=REASON)
    offered.get_by_text("4 sample rows: 3 fixed, 0 broken").wait_for()
    assert violations(widget) == []
    offered.get_by_role("button").click()
    offered.wait_for(state="detached")
    widget.go_to("review")

    widget.element.get_by_role("gridcell", name="12", exact=True).wait_for()
    assert [row["values"]["person.weight"] for row in rows_of(engine)] == [12, 7, 30, 5]


def test_an_option_of_a_model_is_suggested_with_its_reason(
    open_widget: Callable[..., Widget], engine: Engine, model: ModelServer
) -> None:
    status = {
        "key": "status", "label": "Status", "columnType": "category", "dropdownOptions": OPTIONS,
    }  # fmt: skip
    fields = [{"key": "name", "label": "Name"}, status]
    publish(engine, "statuses", title="Statuses", entries=[{"id": "person", "fields": fields}])
    model.chooses(xxxxxxxxx="Paid in full")
    widget = open_widget(session={"catalogKey": "statuses"}, show_all_steps="")
    widget.choose(file(STATUSES))
    widget.go_to("review")

    widget.element.get_by_text(REASON).first.wait_for()
    assert violations(widget) == []
