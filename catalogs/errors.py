"""
Errors of choosing, saving and publishing a catalog.

ServiceError
├── InvalidRequest  CatalogKeyRefused     bad_catalog_key
│                   MalformedJson         malformed_json, with ``errors[].line`` and ``column``
├── NotFound        UnknownCatalog        unknown_catalog
│                   UnknownVersion        unknown_version
│                   NoSample              no_sample
├── Conflict        NoCatalogPublished    no_catalog_published
│                   CatalogKeyRequired    catalog_key_required, with the ``keys`` to choose from
│                   NoDraft               no_draft
│                   NotPublished          not_published
│                   DraftChanged          draft_changed
│                   BreakingChanges       breaking_changes, with ``errors[].pointer``
│                   TestsNotRun           tests_not_run, with ``tests``
│                   FailingTests          failing_tests, with ``errors[].test``
└── Unprocessable   SampleUnreadable      sample_unreadable
                    CatalogInvalid        catalog_invalid, with ``errors[].pointer``
    ├── DraftInvalid                      the same as 409: the request is fine, the draft is not
    └── OtherCatalog                      the same as 409: fine, but of another catalog
"""

from collections.abc import Iterable, Mapping, Sequence

from catalogs.changes import Change
from common.errors import Conflict, InvalidRequest, NotFound, Unprocessable
from common.wording.messages import Message, english_message
from tabular.model.catalog_findings import Finding


class CatalogKeyRefused(InvalidRequest):
    """A catalog key has 1 to 64 letters, digits or `.-_`, not starting with `.-_`."""

    code = "bad_catalog_key"


class MalformedJson(InvalidRequest):
    """The text is not valid JSON."""

    code = "malformed_json"

    def __init__(self, wrong: Message, *, pointer: str, line: int, column: int) -> None:
        place = {"line": line, "column": column} if line else {}
        super().__init__(wrong, errors=[{"pointer": pointer, "detail": wrong, **place}])


class UnknownCatalog(NotFound):
    """There is no published catalog with this key."""

    code = "unknown_catalog"


class UnknownVersion(NotFound):
    """The catalog has no version with this number."""

    code = "unknown_version"


class NoCatalogPublished(Conflict):
    """No catalog is published yet; publish one first."""

    code = "no_catalog_published"


class CatalogKeyRequired(Conflict):
    """Several catalogs are published; name one of them as catalogKey."""

    code = "catalog_key_required"


class NoDraft(Conflict):
    """The catalog has no draft; save one first."""

    code = "no_draft"


class NotPublished(Conflict):
    """No version of the catalog is published, so there is nothing to retire."""

    code = "not_published"


class DraftChanged(Conflict):
    """Another person changed the draft. Read it again, or send If-Match: *."""

    code = "draft_changed"


class BreakingChanges(Conflict):
    """The draft changes what hosts receive; publish it with `"confirm": ["breaking"]`."""

    code = "breaking_changes"

    def __init__(self, changes: Iterable[Change]) -> None:
        super().__init__(
            errors=[
                {
                    "pointer": change.pointer,
                    "code": change.kind,
                    "detail": english_message(change.verdict.sentence),
                    "label": change.subject.label,
                }
                for change in changes
            ]
        )


class CatalogInvalid(Unprocessable):
    """The catalog does not fit the field model."""

    code = "catalog_invalid"
    title = "title.catalog_invalid"

    def __init__(self, findings: Sequence[Finding], **at: int) -> None:
        self.findings = tuple(findings)
        first = self.findings[0]
        more = len(self.findings) - 1
        errors = [
            {"pointer": f.pointer, "code": f.code, "detail": english_message(f.sentence), **at}
            for f in self.findings
        ]
        place, why = first.pointer, english_message(first.sentence)
        if place and more:
            super().__init__(
                "catalog_invalid.at_and_more", place=place, why=why, more=more, errors=errors
            )
        elif place:
            super().__init__("catalog_invalid.at", place=place, why=why, errors=errors)
        elif more:
            super().__init__("catalog_invalid.why_and_more", why=why, more=more, errors=errors)
        else:
            super().__init__("catalog_invalid.why", why=why, errors=errors)


class DraftInvalid(CatalogInvalid):
    """The draft does not fit the field model, so it cannot be published."""

    key = "catalog_invalid.draft"

    status = Conflict.status
    title = Conflict.title


class OtherCatalog(CatalogInvalid):
    """The catalog's key differs from the key in the address. A key cannot change."""

    key = "catalog_invalid.other_key"

    status = Conflict.status
    title = Conflict.title


class NoSample(NotFound):
    """This catalog has no sample of its own."""

    code = "no_sample"


class SampleUnreadable(Unprocessable):
    """The sample is not a readable .xlsx or .csv file."""

    code = "sample_unreadable"


class TestsNotRun(Conflict):
    """The test files were not run with this draft. Run them, or confirm `tests`."""

    code = "tests_not_run"
    __test__ = False  # pytest takes the name for a class of tests

    def __init__(self, tests: Sequence[str]) -> None:
        super().__init__(members={"tests": list(tests)})


class FailingTests(Conflict):
    """Test files fail with this draft. Change what they expect, or confirm them by name."""

    code = "failing_tests"

    def __init__(self, tests: Mapping[str, Sequence[str]]) -> None:
        errors = [
            {"test": name, "detail": english_message(item)}
            for name, items in tests.items()
            for item in items
        ]
        super().__init__(members={"tests": list(tests), "errors": errors})
