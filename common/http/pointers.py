"""JSON pointers (RFC 6901) to members of a request."""


def escaped(name: str) -> str:
    """
    Escape a member's name as a part of a pointer.

    >>> escaped("PLZ/Ort")
    'PLZ~1Ort'
    """
    return name.replace("~", "~0").replace("/", "~1")
