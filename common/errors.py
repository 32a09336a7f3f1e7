"""Errors in a caller's request, as RFC 9457 problems.

ServiceError                400, the root: a sentence, a stable code, a status
├── InvalidRequest          400
│   └── WrongHeader         one of its headers is not accepted
├── NotAuthenticated        401
├── NotAllowed              403
├── NotFound                404
├── Conflict                409
│   ├── StaleState          another worker or person changed the object first
│   └── IllegalMove         the object is in a state that has no such move
├── TooLarge                413
├── UnsupportedMediaType    415
├── Unprocessable           422
│   └── AnswerTooLarge      what was asked for does not fit into one answer
├── TooManyRequests         429
├── Unavailable             503
│   └── OutOfMemory         the process met the bound of its memory
└── InsufficientStorage     507

An Issue (their data) is a value, never an exception; anything else is our bug and flies.
"""

from typing import Any

MOST_LISTED = 100  # listed faults; a person reads the first ones
LONGEST_ECHO = 500  # characters of one text: a request is not echoed in full


class ServiceError(Exception):
    """The request could not be completed."""

    code = "bad_request"
    status = 400
    title = "Bad request"

    def __init__(self, sentence: str = "", *, code: str = "", **members: Any) -> None:
        self.sentence = bounded(sentence) or (self.__doc__ or "").strip()
        self.code = code or self.code
        self.members = bounded(members)
        super().__init__(self.sentence)

    def as_problem(self) -> dict[str, Any]:
        """Return the problem+json body."""
        return {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": self.sentence,
            **self.members,
        }


def bounded(value: Any) -> Any:
    """
    Truncate what goes out with an error: long texts, and lists after their first hundred items.

    >>> len(bounded({"errors": [{"detail": "a" * 10_000}] * 10_000})["errors"])
    100
    """
    match value:
        case str():
            return value if len(value) <= LONGEST_ECHO else f"{value[:LONGEST_ECHO]}…"
        case dict():
            first = list(value.items())[:MOST_LISTED]
            return {bounded(name): bounded(member) for name, member in first}
        case list() | tuple():
            return [bounded(item) for item in value[:MOST_LISTED]]
    return value


class InvalidRequest(ServiceError):
    """The request has members or values that are not accepted."""

    code = "invalid_request"
    title = "Invalid request"


class WrongHeader(InvalidRequest):
    """A header of the request is not accepted."""

    def __init__(self, header: str, sentence: str) -> None:
        super().__init__(sentence, errors=[{"header": header, "detail": sentence}])


class NotAuthenticated(ServiceError):
    """The license key is missing or not accepted."""

    code = "license_rejected"
    status = 401
    title = "Not authenticated"


class NotAllowed(ServiceError):
    """The license does not allow this."""

    code = "not_allowed"
    status = 403
    title = "Not allowed"


class NotFound(ServiceError):
    """Nothing was found for this license."""

    code = "not_found"
    status = 404
    title = "Not found"


class Conflict(ServiceError):
    """The object is in a state that does not allow this."""

    code = "conflict"
    status = 409
    title = "Conflict"


class StaleState(Conflict):
    """The object was changed in the meantime. Read it again, then retry."""

    code = "stale_state"


class IllegalMove(Conflict):
    """The object's state does not allow this change."""

    code = "illegal_move"


class TooLarge(ServiceError):
    """The body is larger than the engine accepts."""

    code = "too_large"
    status = 413
    title = "Too large"


class UnsupportedMediaType(ServiceError):
    """The body has a content type that is not accepted here."""

    code = "unsupported_media_type"
    status = 415
    title = "Unsupported media type"


class Unprocessable(ServiceError):
    """The request is well formed, but its content cannot be used."""

    code = "unprocessable"
    status = 422
    title = "Unprocessable"


class AnswerTooLarge(Unprocessable):
    """The answer would be too large. Ask for fewer items."""

    code = "answer_too_large"


class TooManyRequests(ServiceError):
    """Too many requests; wait and retry."""

    code = "too_many_requests"
    status = 429
    title = "Too many requests"


class Unavailable(ServiceError):
    """The engine cannot do this right now; retry later."""

    code = "unavailable"
    status = 503
    title = "Unavailable"


class OutOfMemory(Unavailable):
    """The engine has too little memory left for this call. Request less, or retry later."""

    code = "out_of_memory"

    def __init__(self) -> None:
        super().__init__(retryAfter=5)


class InsufficientStorage(ServiceError):
    """The storage is full."""

    code = "insufficient_storage"
    status = 507
    title = "Insufficient storage"
