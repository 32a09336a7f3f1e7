"""The operations on an import; each is one transaction."""

from imports.answers.memory import delete_profile, forget_taught, learn
from imports.bulk_changes.duplicates import duplicates, preview_duplicates
from imports.bulk_changes.request import (
    FixGroup,
    Replace,
    ResolveDuplicates,
    Wish,
    change_rows,
    preview_fix,
    preview_replace,
)
from imports.exports.corrections import compare, create_correction, merge
from imports.exports.workbooks import export
from imports.services.again import stored_again
from imports.services.answers import answer_question, dismiss_all, dismiss_question
from imports.services.choices import (
    NO_SETTINGS,
    ImportSettings,
    choose_catalog,
    choose_reading,
    confirm_mapping,
    delete,
)
from imports.services.chunks import FOLDER, WrongSize, offset_of, receive_chunk
from imports.services.new_import import start_import
from imports.services.option_values import confirm_values
from imports.services.replays import Replayed, replay, store
from imports.services.restored_rows import restore_rows
from imports.services.review import confirm_lost, edit_rows, redo, rows_as_of, rows_of, undo
from imports.services.suggestions import take_suggestions
from imports.services.upload import MOST_FILES, create_import, pack_files, receive_file

__all__ = [
    "FOLDER",
    "MOST_FILES",
    "NO_SETTINGS",
    "FixGroup",
    "ImportSettings",
    "Replace",
    "Replayed",
    "ResolveDuplicates",
    "Wish",
    "WrongSize",
    "answer_question",
    "change_rows",
    "choose_catalog",
    "choose_reading",
    "compare",
    "confirm_lost",
    "confirm_mapping",
    "confirm_values",
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
    "learn",
    "merge",
    "offset_of",
    "pack_files",
    "preview_duplicates",
    "preview_fix",
    "preview_replace",
    "receive_chunk",
    "receive_file",
    "redo",
    "replay",
    "restore_rows",
    "rows_as_of",
    "rows_of",
    "start_import",
    "store",
    "stored_again",
    "take_suggestions",
    "undo",
]
