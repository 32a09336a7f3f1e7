"""What people read about a source: a sentence for each code of an error, a finding or a note."""

from collections.abc import Mapping
from typing import Any

from common.wording.messages import Message


def message_of(code: str, params: Mapping[str, Any]) -> Message:
    """
    Return the sentence of a code, to be worded in a language.

    >>> str(message_of("source_answered", {"status": 503}))
    'The server answered with status 503.'
    >>> str(message_of("source_mail_odd", {}))
    'Mails that cannot be read, left out: 1.'
    """
    return Message(code, **{"count": 1, **params})
