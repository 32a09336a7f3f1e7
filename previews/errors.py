"""Why a file cannot be tried or kept.

ServiceError
├── NotFound        UnknownPreview        unknown_trial
│                   UnknownTest           unknown_test
└── Conflict        NotTriedYet           not_tried_yet
                    NameTaken             name_taken
                    TooManyTests          too_many_tests
"""

from common.errors import Conflict, NotFound


class UnknownPreview(NotFound):
    """There is no such tested file; tested files are kept for a day."""

    code = "unknown_trial"


class UnknownTest(NotFound):
    """There is no such test file."""

    code = "unknown_test"


class NotTriedYet(Conflict):
    """The file is still being tested; wait for the state `checked`."""

    code = "not_tried_yet"


class NameTaken(Conflict):
    """Another test file of the catalog has this name."""

    code = "name_taken"


class TooManyTests(Conflict):
    """A catalog can have 50 test files. Remove one first."""

    code = "too_many_tests"
    key = "too_many_tests.files"
