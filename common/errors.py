"""Errors in a caller's request, as RFC 9457 problems.

ServiceError                400, the root: a message, a stable code, a status
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

from collections.abc import Mapping, Sequence
from typing import Any

from common.wording.messages import ENGLISH, Message, rendered, stored

MOST_LISTED = 100  # listed faults; a person reads the first ones
PAGES = "/docs/problems/"  # of the documentation: a page for each code
LONGEST_ECHO = 500  # characters of one text: a request is not echoed in full


class ServiceError(Exception):
    """
    The request could not be completed.

    sentence: the message or its key; without one, the class's own. The first part of the key is the
    code, unless ``code`` names another. errors and members: what the problem says besides; a
    message in them is worded with the rest. params: what the message puts in.
    """

    code = "bad_request"
    key = "bad_request"  # of the message; the code, unless the class names another
    status = 400
    title = "title.bad_request"

    def __init_subclass__(cls) -> None:
        """Take the code for the key, unless the class has a key of its own."""
        if "code" in vars(cls) and "key" not in vars(cls):
            cls.key = cls.code

    def __init__(
        self,
        sentence: str | Message = "",
        /,
        *,
        code: str = "",
        errors: Sequence[Mapping[str, Any]] | None = None,
        members: Mapping[str, Any] | None = None,
        **params: Any,
    ) -> None:
        if isinstance(sentence, Message):
            self.message = sentence
        else:
            self.message = Message(sentence or self.key, **params)
        if sentence and self.message.key != "said":
            code = code or self.message.key.partition(".")[0]
        self.code = code or self.code
        self.members: dict[str, Any] = {} if errors is None else {"errors": errors}
        self.members |= members or {}
        super().__init__(self.message)

    def __str__(self) -> str:
        """Return the English text, for the log and the command line."""
        return self.sentence

    @property
    def sentence(self) -> str:
        """The English text."""
        return str(bounded(self.message.text()))

    def as_problem(self, language: str = ENGLISH) -> dict[str, Any]:
        """Return the problem+json body in a language."""
        return {
            "type": f"{PAGES}{self.code}",
            "title": Message(self.title).text(language),
            "status": self.status,
            **self.localized(language),
        }

    def localized(self, language: str = ENGLISH) -> dict[str, Any]:
        """Return the code, the text and the further members in a language."""
        members = bounded(rendered(self.members, language))
        return {"code": self.code, "detail": bounded(self.message.text(language)), **members}

    def to_store(self) -> dict[str, Any]:
        """Return what ``localized`` does in English, to be worded in any language later."""
        members = bounded(_stored(self.members))
        return {"code": self.code, "detail": bounded(stored(self.message)), **members}


def _stored(value: Any) -> Any:
    match value:
        case Message():
            return stored(value)
        case dict():
            return {name: _stored(member) for name, member in value.items()}
        case list() | tuple():
            return [_stored(item) for item in value]
    return value


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
    title = "title.invalid_request"


class WrongHeader(InvalidRequest):
    """A header of the request is not accepted."""

    key = "invalid_request.header"

    def __init__(self, header: str, key: str, /, **params: Any) -> None:
        errors = [{"header": header, "detail": Message(key, **params)}]
        super().__init__(key, errors=errors, **params)


class NotAuthenticated(ServiceError):
    """The license key is missing or not accepted."""

    code = "license_rejected"
    key = "license_rejected.unauthenticated"
    status = 401
    title = "title.not_authenticated"


class NotAllowed(ServiceError):
    """The license does not allow this."""

    code = "not_allowed"
    status = 403
    title = "title.not_allowed"


class NotFound(ServiceError):
    """Nothing was found for this license."""

    code = "not_found"
    status = 404
    title = "title.not_found"


class Conflict(ServiceError):
    """The object is in a state that does not allow this."""

    code = "conflict"
    status = 409
    title = "title.conflict"


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
    title = "title.too_large"


class UnsupportedMediaType(ServiceError):
    """The body has a content type that is not accepted here."""

    code = "unsupported_media_type"
    status = 415
    title = "title.unsupported_media_type"


class Unprocessable(ServiceError):
    """The request is well formed, but its content cannot be used."""

    code = "unprocessable"
    status = 422
    title = "title.unprocessable"


class AnswerTooLarge(Unprocessable):
    """The answer would be too large. Ask for fewer items."""

    code = "answer_too_large"


class TooManyRequests(ServiceError):
    """Too many requests; wait and retry."""

    code = "too_many_requests"
    status = 429
    title = "title.too_many_requests"


class Unavailable(ServiceError):
    """The engine cannot do this right now; retry later."""

    code = "unavailable"
    status = 503
    title = "title.unavailable"


class OutOfMemory(Unavailable):
    """The engine has too little memory left for this call. Request less, or retry later."""

    code = "out_of_memory"

    def __init__(self) -> None:
        super().__init__(members={"retryAfter": 5})


class InsufficientStorage(ServiceError):
    """The storage is full."""

    code = "insufficient_storage"
    status = 507
    title = "title.insufficient_storage"
