"""Suggest a catalog from a file: from its columns' names and values.

A type is suggested only if the values leave no doubt; otherwise the column is text. A catalog that
accepts too much can be made stricter, but one that accepts too little refuses the next file.
"""

from tabular.suggesting.columns import Suggested, draft_of, looked_at

__all__ = ["Suggested", "draft_of", "looked_at"]
