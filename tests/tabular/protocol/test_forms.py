"""Requests, results and problems survive being written and read; nothing else is read."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from staging.manifest import Manifest
from tabular.model.places import ReadingChoices
from tabular.protocol import forms
from tabular.protocol.jobs import Problem
from tabular.protocol.requests import (
    ReadRequest,
    ResolveRequest,
    SuggestRequest,
    TransformRequest,
    choices_kept,
    choices_of,
)
from tabular.protocol.results import (
    FileRead,
    ReadResult,
    ResolveResult,
    SuggestResult,
    TransformResult,
    file_read_kept,
)
from tests.tabular.protocol.values import values
from tests.tries import tries

BETWEEN = (
    *(ReadRequest, TransformRequest, ResolveRequest, SuggestRequest),
    *(ReadResult, TransformResult, ResolveResult, SuggestResult, Problem),
)
some = settings(max_examples=tries(25), suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("kind", BETWEEN)
def test_what_is_written_is_read_again(kind):
    @some
    @given(values(kind))
    def holds(value):
        assert forms.read(kind, forms.written(value)) == value

    holds()


@pytest.mark.parametrize("kind", BETWEEN)
def test_a_document_with_a_member_more_is_refused_wherever_it_is(kind):
    @some
    @given(values(kind), st.data())
    def holds(value, data):
        document = json.loads(forms.written(value))
        data.draw(st.sampled_from(list(_of_ours(document))))["surplus"] = 1

        with pytest.raises(forms.WrongForm):
            forms.read(kind, json.dumps(document).encode())

    holds()


def _of_ours(document):
    """Yield the outermost objects of a document that one of our types represents."""
    yield document
    for name in ("inferred", "counts", "proposal"):
        if isinstance(document.get(name), dict):
            yield document[name]
    for name in ("tables", "questions", "issues", "related"):
        yield from document.get(name) or ()


@pytest.mark.parametrize("kind", [ReadResult, TransformResult, ResolveResult, SuggestResult])
def test_a_result_without_one_of_its_members_is_refused(kind):
    @some
    @given(values(kind), st.data())
    def holds(value, data):
        document = json.loads(forms.written(value))
        del document[data.draw(st.sampled_from(sorted(document)))]

        with pytest.raises(forms.WrongForm):
            forms.read(kind, json.dumps(document).encode())

    holds()


@pytest.mark.parametrize("document", [b"", b"[]", b"null", b'{"title": 1}', b"\xff", b"[" * 9_999])
def test_what_is_not_a_document_of_ours_is_refused(document):
    with pytest.raises(forms.WrongForm):
        forms.read(SuggestResult, document)


def test_what_is_refused_is_named_by_its_place_and_not_by_its_value():
    with pytest.raises(forms.WrongForm) as refused:
        forms.read(Problem, b'{"code": "secret value", "sentence": 7, "details": {}}')

    assert "sentence: string_type" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("file", ["../other/column-000.arrow", "/etc/passwd", "a/b.arrow", ""])
@pytest.mark.parametrize("place", ["rowsFile", "issuesFile"])
@some
@given(value=values(TransformResult))
def test_a_result_names_no_file_beyond_the_folder_of_its_job(value, place, file):
    document = json.loads(forms.written(value)) | {place: file}

    with pytest.raises(forms.WrongForm):
        forms.read(TransformResult, json.dumps(document).encode())


@some
@given(values(ReadResult), st.integers(2, 9))
def test_a_result_chooses_one_of_its_tables(value, chosen):
    document = json.loads(forms.written(value)) | {"chosen": chosen}

    with pytest.raises(forms.WrongForm):
        forms.read(ReadResult, json.dumps(document).encode())


@some
@given(values(FileRead))
def test_a_reading_that_an_earlier_version_kept_is_read(value):
    kept = forms.as_json(value) | {"gone": 1}
    del kept["entries"], kept["left_out"], kept["related"]

    file_read = file_read_kept(kept)

    assert (file_read.tables, file_read.entries, file_read.left_out) == (value.tables, {}, {})
    assert file_read.related == ()


@some
@given(values(Manifest))
def test_a_manifest_is_kept_and_read_again(value):
    kept = json.loads(json.dumps(value.as_json()))

    assert Manifest.kept(kept) == value


def test_choices_that_an_import_keeps_are_those_of_the_reader():
    kept = {"tables": [1, 2], "entries": {"a": 1}, "header_rows": [], "restored": [7]}

    choices = choices_of(kept)

    assert (choices.tables, choices.entries) == ((1, 2), (("a", 1),))
    assert (choices.header_rows, choices.restored, choices.encoding) == ((), (7,), None)


@some
@given(values(ReadingChoices))
def test_choices_are_kept_and_read_again_without_what_was_not_chosen(choices):
    kept = json.loads(json.dumps(choices_kept(choices)))

    assert choices_of(kept) == replace(choices, entries=tuple(dict(choices.entries).items()))
    assert None not in kept.values()
