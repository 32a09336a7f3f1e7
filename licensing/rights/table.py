"""
Every operation of the API and every tool of agents, and who may call each. docs/security.md.

A view or a tool names its operation. A test fails for an operation that is missing here, or for a
member of a request that a page may send and that is not listed here. A full license key may call
everything without an entitlement.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from licensing.rights.model import (
    CANCEL,
    CLEAR,
    CONTEXT,
    CUSTOM_FIELDS,
    DELETE_KNOWN,
    DISMISS,
    EXCLUDE,
    FIX,
    INCLUDE,
    KNOWN,
    PLAIN,
    PUBLISH,
    PURGE,
    RELEASE,
    REVERT,
    REVIEW,
    SEE_CHANGES,
    SERVER,
    UNDO_OTHERS,
    Member,
    Operation,
    Pages,
)
from licensing.tokens.keys import AGENT_ACCESS, CATALOG_EDITOR, FEEDS, HOSTED_LINKS

LIST_IMPORTS = "imports.view_importrecord"
CATALOGS, EDIT = "catalogs.view_catalog", "catalogs.change_catalog"
Members = Mapping[str, Member]


def plain(*names: str) -> Members:
    """Return members that every caller of the operation may send."""
    return dict.fromkeys(names, PLAIN)


def reads(*names: str, staff: str, pages: Pages = Pages.NONE) -> Iterable[Operation]:
    """Return read-only operations on what one staff permission covers."""
    return (Operation(name, staff=staff, reads=True, pages=pages) for name in names)


def writes(*names: str, staff: str = "", entitlement: str = "") -> Iterable[Operation]:
    """Return operations that change something and that no page may call."""
    return (Operation(name, staff=staff, entitlement=entitlement) for name in names)


def in_review(
    name: str, members: Members | None = None, *, needs: tuple[str, ...] = (), when: str = ""
) -> Operation:
    """Return an operation on one import, which a page may call for those it may access."""
    return Operation(
        name, staff=REVIEW, pages=Pages.BOTH, members=members or {}, needs=needs, when=when
    )


def edits(*names: str, staff: str = EDIT) -> Iterable[Operation]:
    """Return operations that change catalogs."""
    return writes(*names, staff=staff, entitlement=CATALOG_EDITOR)


_SETTLED = Member(when="the session sets another value")
_STEPS = Member(
    (FIX, EXCLUDE),
    when="a step that the engine did not propose: `exclude` for `drop_rows`, `fix` for any other",
)
_RESOLVING = ("newestBy", "merge", "group")
_ANOTHERS = "the change is another person's"
_OVERLAY = (
    "fields",
    "extraFields",
    "emptyCells",
    "openQuestions",
    "profileId",
    "secondPerson",
)
_IMPORTS = (
    *reads("imports_list", staff=LIST_IMPORTS, pages=Pages.SESSIONS),
    in_review(
        "imports_create",
        {
            **plain("file", "text", "rows", "size", "from", "withMapping"),
            **plain("autoMap", "filename", "meta"),
            "catalogKey": _SETTLED,
            "scope": replace(_SETTLED, keys=False),
            "context": PLAIN,
            "context.defaults": Member((CONTEXT,)),
            "context.options": Member((CONTEXT,)),
            "context.region": Member((CONTEXT,)),
            "context.currency": Member((CONTEXT,)),
            "keepUnmapped": Member((CONTEXT,)),
            "contractId": Member((CONTEXT,)),
            **dict.fromkeys(_OVERLAY, Member((SERVER,))),
        },
    ),
    *reads("imports_retrieve", "imports_history", staff=LIST_IMPORTS, pages=Pages.BOTH),
    in_review("imports_destroy", needs=(PURGE,)),
    in_review("imports_file_put"),
    in_review("imports_cancel_create", needs=(CANCEL,), when="your server started the import"),
    in_review("imports_retry_create"),
    in_review("imports_steps_create", plain("step", "seconds", "left")),
    in_review("imports_password_create", plain("password")),
    *reads(
        "imports_tables_retrieve",
        "imports_catalog",
        "imports_page_retrieve",
        "imports_left_out",
        "imports_mapping_retrieve",
        "imports_rows_query_create",
        "imports_rows_explain_retrieve",
        "imports_rows_lost_retrieve",
        "imports_rows_change_read",
        "imports_issues_retrieve",
        "imports_issues_fixes",
        "imports_duplicates",
        "imports_references",
        "imports_results_retrieve",
        "imports_receipt",
        "imports_export",
        "imports_corrections_read",
        "imports_values_retrieve",
        "questions_list",
        "questions_read",
        "questions_preview",
        staff=REVIEW,
        pages=Pages.BOTH,
    ),
    in_review(
        "imports_reading_update",
        {
            **plain("table", "tables", "join", "entries", "joinedLines", "encoding", "delimiter"),
            "takeBack": Member(
                (EXCLUDE,), when="a row that was taken back is not named, or numbered otherwise"
            ),
            "headerRows": Member((EXCLUDE,), when="below the header that is in use"),
            "frames": Member((EXCLUDE,)),
        },
    ),
    in_review(
        "imports_take_back",
        {
            "takeBack": Member((EXCLUDE,), when="a row that was taken back is not named"),
            **plain("reasons"),
        },
    ),
    in_review(
        "imports_mapping_update",
        {
            **plain("mapping", "remember", "allowMissing"),
            "recipe": _STEPS,
            "customFields": Member((CUSTOM_FIELDS,)),
        },
    ),
    in_review("imports_mapping_preview", {**plain("mapping"), "recipe": _STEPS}),
    in_review("imports_values_update", {"values": Member((FIX,)), **plain("remember")}),
    in_review(
        "imports_rows_partial_update",
        {
            **plain("revision"),
            "edits": Member((FIX,)),
            "proposals": Member((FIX,)),
            "exclude": Member((EXCLUDE,)),
            "include": Member((EXCLUDE,)),
        },
    ),
    in_review("imports_rows_lost_destroy"),
    in_review(
        "imports_rows_replace_create",
        plain("revision", "view", "inFields", "find", "replace", "whole", "matchCase", "preview"),
        needs=(FIX,),
        when="`preview` is not true",
    ),
    in_review(
        "imports_rows_fix_create",
        {
            **plain("revision", "field", "code", "preview"),
            "readAs": Member((FIX,), when="`preview` is not true"),
            "text": Member((FIX,), when="`preview` is not true"),
            "exclude": Member((EXCLUDE,), when="`preview` is not true"),
        },
    ),
    in_review(
        "imports_duplicates_resolve",
        {
            **plain("revision", "by", "fields", "threshold", "preview", *_RESOLVING),
            "keep": Member((EXCLUDE, FIX), when="`preview` is not true; `fix` for `merge` alone"),
        },
    ),
    in_review("imports_rows_change_cancel", needs=(UNDO_OTHERS,), when=_ANOTHERS),
    in_review("imports_corrections_create", plain("file")),
    in_review("imports_corrections_confirm", needs=(FIX,)),
    *(
        in_review(name, plain("revision"), needs=(UNDO_OTHERS,), when=_ANOTHERS)
        for name in ("imports_undo_create", "imports_redo_create")
    ),
    in_review(
        "imports_apply_create",
        {
            "applyMode": _SETTLED,
            "invalidRows": Member((EXCLUDE, INCLUDE), when="it names that"),
            "openQuestions": Member((DISMISS,), ("dismiss",)),
            "emptyCells": Member((CLEAR,), ("clear",)),
            "only": Member((EXCLUDE,)),
            "fields": Member((CLEAR,), when="a field's `emptyCells` is `clear`; none widens"),
            "mode": Member((DELETE_KNOWN,), ("full",)),
            **plain("staged", "confirmMissing"),
        },
    ),
    in_review("imports_results_ack_create"),
    in_review("questions_accept"),
    in_review("questions_dismiss_all", needs=(DISMISS,)),
    in_review(
        "questions_answer",
        {
            "value": Member((FIX,), when="what a text means, and the question offers another"),
            **plain("remember"),
        },
    ),
    in_review("questions_dismiss"),
)
_CHANGESETS = (
    *reads("changesets_list", staff="changesets.view_changeset"),
    *reads("changesets_read", staff="changesets.view_changeset", pages=Pages.BOTH),
    *reads(
        "changesets_rows",
        "changesets_references",
        "changesets_proof",
        staff=REVIEW,
        pages=Pages.BOTH,
    ),
    replace(
        in_review("changesets_apply_create", needs=(RELEASE,)), staff="changesets.change_changeset"
    ),
    replace(
        in_review(
            "changesets_discard_create",
            needs=(RELEASE, REVERT),
            when="`release` for what is staged, `revert` for a revert that waits",
        ),
        staff="changesets.change_changeset",
    ),
    Operation(
        "changesets_revert_create",
        staff="changesets.change_changeset",
        pages=Pages.BOTH,
        needs=(REVERT,),
        members={"force": Member((SERVER,), (True,))},
    ),
)
_CATALOGS = (
    *reads(
        "listCatalogs",
        "getCatalogSchema",
        "getCatalog",
        "getCatalogTemplate",
        staff=CATALOGS,
        pages=Pages.BOTH,
    ),
    *reads(
        "listCatalogStandings",
        "exportCatalog",
        "getCatalogTypes",
        "getCatalogChanges",
        "listConfirmedNames",
        "listKeptTests",
        "getCatalogAnalytics",
        "getDraftImpact",
        "getCatalogSample",
        "getDraft",
        "listCatalogVersions",
        "getCatalogVersion",
        staff=CATALOGS,
    ),
    *edits(
        "convertCatalog",
        "inferCatalog",
        "testDraft",
        "keepTest",
        "runKeptTests",
        "expectOfTest",
        "dropTest",
        "testProposals",
        "addProposals",
        "saveDraftFromContract",
        "lookAtRows",
        "saveDraft",
        "saveCatalogSample",
        "deleteCatalogSample",
        "restoreCatalogVersion",
        "value_lists_put",
        "value_lists_delete",
    ),
    *reads("getInferredCatalog", "getTestedDraft", staff=REVIEW),  # they show cells of a file
    *edits("detectColumns", staff=REVIEW),  # it shows which cells a pattern matches
    *edits("publishCatalog", "retireCatalog", staff=PUBLISH),
)
_CONTRACTS = (
    *reads(
        "contracts_list",
        "contracts_read",
        "contracts_diff",
        "contracts_verify",
        staff="contracts.view_issuedcontract",
    ),
    *reads("contracts_check_read", staff=REVIEW),
    *writes("contracts_check", staff=REVIEW),
    *writes("contracts_create", staff="contracts.add_issuedcontract"),
    *writes("contracts_keys_rotate", "contracts_keys_revoke", staff="contracts.change_signingkey"),
    *(Operation(name, reads=True, is_open=True) for name in ("contracts_keys", "contracts_schema")),
)
_MEMORY = (
    *reads("answers_list", "answers_read", staff="ledger.change_answer"),
    *writes("answers_forget", staff="ledger.change_answer"),
    *reads("profiles_list", staff="imports.view_profile"),
    *reads("profiles_read", staff=REVIEW),
    *writes("profiles_delete", staff="imports.change_profile"),
    *reads("references_names", "value_lists_read", staff=CATALOGS),  # for catalog editors
    # It shows what is known: only for pages that the host trusts with that.
    Operation("imports_plan", staff=REVIEW, reads=True, pages=Pages.SESSIONS, needs=(SEE_CHANGES,)),
    *reads("references_list", staff=KNOWN),  # it shows values
    *writes("references_upsert", "references_delete", staff=KNOWN),
)
_HOST = (
    *reads("webhooks_list", "webhooks_read", staff="deliveries.view_registration"),
    *writes("webhooks_create", "webhooks_rotate_create", staff="deliveries.add_registration"),
    *writes("webhooks_delete", "webhooks_test_create", staff="deliveries.change_registration"),
    *reads("deliveries_list", staff="deliveries.view_delivery"),
    *reads("deliveries_read", staff="deliveries.view_delivery", pages=Pages.BOTH),
    Operation(
        "deliveries_redeliver_create",
        staff="deliveries.change_delivery",
        members=plain("reverted"),
    ),
    Operation(
        "deliveries_resend",
        staff="deliveries.change_delivery",
        members=plain("maxRowsPerDelivery", "reverted"),
    ),
    *reads("events_list", staff="common.view_event"),
    *writes("sessions_create", "sessions_end"),
    *reads("sessions_list", "sessions_read", staff=""),
    *writes("feeds_create", "feeds_change", "feeds_test", "feeds_run", entitlement=FEEDS),
    *writes("feeds_delete", "feeds_pause", "feeds_resume", entitlement=FEEDS),
    *reads("feeds_list", "feeds_read", "feeds_runs", staff=""),
    *writes("links_create", entitlement=HOSTED_LINKS),
    *writes("links_revoke"),
    *reads("links_list", "links_read", staff=""),
    Operation("verifyLicense", reads=True, pages=Pages.BOTH),
    Operation("openapi", reads=True, is_open=True),
    Operation("mcp", pages=Pages.KEYS),
)
_STAFF_APART = {"imports_destroy": "imports.delete_importrecord"}

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        import_.name: replace(import_, staff=_STAFF_APART.get(import_.name, import_.staff))
        for import_ in (*_IMPORTS, *_CHANGESETS, *_CATALOGS, *_CONTRACTS, *_MEMORY, *_HOST)
    }
)
_AGENTS = (
    *(
        Operation(name, reads=True, pages=Pages.KEYS)
        for name in (
            "list_catalogs",
            "resolved_mapping",
            "dry_run_transform",
            "resolved_references",
            "get_plan",
            "list_questions",
            "list_changesets",
            "get_changeset",
            "get_proof",
        )
    ),
    Operation("analyze_file", pages=Pages.KEYS),
    Operation(
        "propose_mapping",
        pages=Pages.KEYS,
        members={
            **plain("meta"),
            **dict.fromkeys(("scope", "context", "keepUnmapped", *_OVERLAY), Member((SERVER,))),
        },
    ),
    *(
        Operation(name, pages=Pages.KEYS, entitlement=AGENT_ACCESS)
        for name in ("execute_import", "answer_question", "dismiss_question", "revert_changeset")
    ),
)
TOOLS: Mapping[str, Operation] = MappingProxyType({agent.name: agent for agent in _AGENTS})
