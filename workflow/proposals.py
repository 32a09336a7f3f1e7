"""
Additions that imports suggest for a catalog: proposed, tested, and added to its draft.

``analytics`` counts what people correct, ``previews`` tests with files; neither knows the other.
An addition is offered once every regression file of the catalog was tested with it. Where there are
such files, additions are added one by one, because each was tested alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from analytics.by_catalog.proposals import Proposal, proposals
from analytics.by_catalog.report import Report
from catalogs import selectors as catalogs
from catalogs import services
from catalogs.additions import with_addition
from catalogs.errors import CatalogInvalid
from catalogs.models import CatalogVersion
from common.actors import Actor
from common.errors import Conflict, NotFound
from common.rows import the_only
from imports.mapping.confirmed_names import mapped_headers
from licensing.models import Tenant
from previews import proposal_tests
from previews.proposal_tests import Tests
from tabular.model.catalog import Catalog

MOST = 10  # that are offered or wait for tests, and as many that differ
STATES = UNTESTED, RUNNING, PASSES, DIFFERS = "untested", "running", "passes", "differs"


class UnknownProposal(NotFound):
    """There is no such proposal; the catalog or the counts have changed."""

    code = "unknown_proposal"


class ProposalNotTested(Conflict):
    """The proposal has not passed the test files of the catalog. Test it first."""

    code = "proposal_not_tested"


@dataclass(frozen=True, slots=True)
class Difference:
    """A test file, and what is different with the addition."""

    test: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A proposal, and what its tests gave."""

    proposal: Proposal
    state: str
    differences: Sequence[Difference]
    has_failed: bool = False  # a test file could not be tested with it

    @property
    def may_be_tested(self) -> bool:
        """Return whether a test could say more."""
        return self.state == UNTESTED or self.has_failed

    @property
    def is_offered(self) -> bool:
        """Return whether it may be added to the draft."""
        return self.state == PASSES


@dataclass(frozen=True, slots=True)
class Offers:
    """The proposals for one version of a catalog. base: None where none can be made."""

    base: CatalogVersion | None = None
    tests: int = 0  # files that each proposal is tested with
    items: Sequence[Offered] = ()


def offers(tenant: Tenant, key: str, report: Report, *, cells: bool, at: datetime) -> Offers:
    """
    Return what a catalog could gain. cells: whether texts of cells may be shown.

    The draft is what is added to, or what is published where there is no draft. Test keys see no
    draft, so nothing is proposed to them.
    """
    base = None if tenant.is_test else _base(tenant, key)
    catalog = None if base is None else _parsed(base)
    if base is None or catalog is None:
        return Offers()
    texts = report.texts if cells else ()
    tests = proposal_tests.newest(base, at)
    mapped = mapped_headers(tenant, key)
    suggested = proposals(catalog, report.headers, texts, mapped)
    items = _first(_offered(proposal, tests) for proposal in suggested)
    return Offers(base, len(tests.files), list(items))


def _first(offered: Iterable[Offered]) -> Iterator[Offered]:
    """Yield the first ones; those that differ take no place of others."""
    places = {True: MOST, False: MOST}
    for item in offered:
        differs = item.state == DIFFERS
        if places[differs]:
            places[differs] -= 1
            yield item


def start_tests(*, offers: Offers, actor: Actor, at: datetime, license_id: str = "") -> None:
    """Start the tests of all proposals that were not tested yet, or could not be."""
    untested = [item.proposal.addition for item in offers.items if item.may_be_tested]
    if offers.base is not None and untested:
        proposal_tests.start(
            base=offers.base, additions=untested, actor=actor, at=at, license_id=license_id
        )


def add(*, offers: Offers, ids: Sequence[str], actor: Actor, at: datetime) -> CatalogVersion:
    """
    Save the draft with additions that passed their tests; with a single one, where there are tests.

    Raise UnknownProposal, ProposalNotTested, DraftChanged, or CatalogInvalid.
    """
    base, by_id = offers.base, {item.proposal.addition.id: item for item in offers.items}
    if base is None or not set(ids) <= by_id.keys():
        raise UnknownProposal
    chosen = [by_id[name] for name in dict.fromkeys(ids)]
    if not all(item.is_offered for item in chosen):
        raise ProposalNotTested
    if len(chosen) > 1 and offers.tests:
        raise ProposalNotTested("proposal_not_tested.together")
    text = base.document
    for item in chosen:
        text = with_addition(text, item.proposal.addition)
    if wrong := proposal_tests.faults(base.document, text):
        raise CatalogInvalid(wrong)
    is_draft = base.state == CatalogVersion.State.DRAFT
    return services.save_draft(
        tenant=base.catalog.tenant,
        key=base.catalog.key,
        text=text,
        at=at,
        actor=actor,
        expected=base.etag if is_draft else services.NONE,
        note=base.note if is_draft else "From what people corrected",
    )


def _base(tenant: Tenant, key: str) -> CatalogVersion | None:
    draft = catalogs.draft(tenant, key)
    if draft is not None:
        return draft
    return the_only(catalogs.published_catalogs(tenant).filter(catalog__key=key))


def _parsed(version: CatalogVersion) -> Catalog | None:
    """Return the catalog; None for a draft that is not a catalog yet."""
    try:
        return version.as_catalog()
    except ValidationError:
        return None


def _offered(proposal: Proposal, tests: Tests) -> Offered:
    name = proposal.addition.id
    given = {
        test.name: tests.results[test.public_id][name]
        for test in tests.files
        if name in tests.results.get(test.public_id, {})
    }
    differences = [
        Difference(test, sentence) for test, sentences in given.items() for sentence in sentences
    ]
    if differences:
        return Offered(proposal, DIFFERS, differences, tests.has_failed(name))
    if len(given) == len(tests.files):
        return Offered(proposal, PASSES, ())
    is_running = any(name in running for running in tests.running.values())
    return Offered(proposal, RUNNING if is_running else UNTESTED, ())
