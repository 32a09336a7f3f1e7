"""What to do with rows of one key. Its default applies unless a person answers."""

from pipeline.kind import Kind


class DuplicateKey(Kind):
    """The question what to do with rows of one key."""

    name = "duplicate_key"
