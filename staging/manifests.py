"""Manifests: the files of a base, by names that stand for themselves in the storage."""

from typing import Any


def qualified(result: dict[str, Any], folder: str) -> dict[str, Any]:
    """Give a step's result whose files are named with the folder they were stored in."""

    def in_folder(entry: dict[str, Any]) -> dict[str, Any]:
        return {**entry, "file": f"{folder}/{entry['file']}"}

    references = {"references": {**result.get("references", {}), "folder": folder}}
    return {
        **result,
        **(references if "references" in result else {}),
        "columns": [in_folder(column) for column in result["columns"]],
        "hashes": [in_folder(group) for group in result["hashes"]],
        "rowsFile": f"{folder}/{result['rowsFile']}",
        "issuesFile": f"{folder}/{result['issuesFile']}",
    }
