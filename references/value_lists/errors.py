"""What is wrong with a value list, or with its key."""

from common.errors import InvalidRequest, NotFound


class UnknownValueList(NotFound):
    """There is no value list with this key."""

    code = "unknown_value_list"


class InvalidValueList(InvalidRequest):
    """A value list has rows of two texts: a key and its value."""

    code = "invalid_value_list"
