"""The operations on an import; each is one transaction."""

from imports.services.again import start_again, stored_again
from imports.services.answering import answer_question, dismiss_all, dismiss_question
from imports.services.bulk import (
    FixGroup,
    Replace,
    ResolveDuplicates,
    Wish,
    change_rows,
    preview_fix,
    preview_replace,
)
from imports.services.changing import (
    cancel,
    choose_catalog,
    choose_reading,
    delete,
    retry,
    settle_mapping,
)
from imports.services.correcting import compare, create_correction, merge
from imports.services.deduplicating import duplicates, preview_duplicates
from imports.services.exporting import export
from imports.services.freezing import Frozen, NotReady, freeze, unfreeze
from imports.services.learning import forget_taught, learn
from imports.services.profiles import delete_profile
from imports.services.receiving import announce_import, create_import, receive_file
from imports.services.replaying import Replayed, replay, store
from imports.services.reviewing import confirm_lost, edit_rows, redo, rows_as_of, rows_of, undo
from imports.services.suggesting import take_suggestions
from imports.services.taking_back import take_back
from imports.services.uploading import FOLDER, WrongSize, offset_of, receive_chunk
from imports.services.valuing import settle_values

__all__ = [
    "FOLDER",
    "FixGroup",
    "Frozen",
    "NotReady",
    "Replace",
    "Replayed",
    "ResolveDuplicates",
    "Wish",
    "WrongSize",
    "announce_import",
    "answer_question",
    "cancel",
    "change_rows",
    "choose_catalog",
    "choose_reading",
    "compare",
    "confirm_lost",
    "create_correction",
    "create_import",
    "delete",
    "delete_profile",
    "dismiss_all",
    "dismiss_question",
    "duplicates",
    "edit_rows",
    "export",
    "forget_taught",
    "freeze",
    "learn",
    "merge",
    "offset_of",
    "preview_duplicates",
    "preview_fix",
    "preview_replace",
    "receive_chunk",
    "receive_file",
    "redo",
    "replay",
    "retry",
    "rows_as_of",
    "rows_of",
    "settle_mapping",
    "settle_values",
    "start_again",
    "store",
    "stored_again",
    "take_back",
    "take_suggestions",
    "undo",
    "unfreeze",
]
