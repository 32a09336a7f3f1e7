"""The contents of JSON strings between their quotation marks; pyarrow is loaded on first use."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
SPACE, QUOTE, BACKSLASH = 0x20, 0x22, 0x5C


def bare(values: "pa.Array[Any]") -> "pa.Array[Any] | None":
    """
    Return the contents of a column's JSON strings, without their quotation marks.

    Returns n texts without nulls, or None if some values are not JSON strings. The caller writes
    the marks itself, which saves copying every text once more. The texts are those that
    ``tabular.types.value_texts`` puts between its marks.
    """
    import pyarrow as pa

    kind = values.type
    if values.null_count:
        return None
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return escaped(values)
    if pa.types.is_date(kind):
        return values.cast(pa.string())
    return None


def escaped(texts: "pa.Array[Any]") -> "pa.Array[Any]":
    """Escape what JSON strings may not contain (RFC 8259, 7); most columns need no escapes."""
    import numpy as np
    import pyarrow.compute as pc

    characters = np.frombuffer(joined(texts), np.uint8)
    if not len(characters):
        return texts
    if (characters == BACKSLASH).any():
        texts = pc.replace_substring(texts, "\\", "\\\\")
    if (characters == QUOTE).any():
        texts = pc.replace_substring(texts, '"', '\\"')
    if characters.min() < SPACE:
        for code in np.unique(characters[characters < SPACE]):
            control = chr(code)
            texts = pc.replace_substring(texts, control, SHORT.get(control, f"\\u{code:04x}"))
    return texts


def joined(texts: "pa.Array[Any]") -> memoryview:
    """Return all texts of an array as one block of memory, without copying; nulls are empty."""
    import pyarrow as pa

    offsets, characters = texts.buffers()[1:]
    if characters is None or offsets is None:
        return memoryview(b"")
    width = 8 if pa.types.is_large_string(texts.type) else 4
    first, last = (
        int.from_bytes(offsets[width * at : width * at + width], "little")
        for at in (texts.offset, texts.offset + len(texts))
    )
    return memoryview(characters)[first:last]
