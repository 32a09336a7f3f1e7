"""Suggest a catalog from a file: what its columns are named, what their values are.

A type is suggested only when the values leave no doubt, else the column is text: a catalog that
takes too much is made stricter by a person, one that takes too little refuses the next file.
"""

from tabular.suggesting.columns import Suggested, draft_of, looked_at

__all__ = ["Suggested", "draft_of", "looked_at"]
