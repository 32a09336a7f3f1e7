"""Why a file cannot be tried or kept, and why kept tests stop a publish.

ServiceError
├── NotFound        UnknownTrial          unknown_trial
│                   UnknownTest           unknown_test
└── Conflict        NotTriedYet           not_tried_yet
                    NameTaken             name_taken
                    TooManyTests          too_many_tests
                    TestsNotRun           tests_not_run, with ``tests``
                    FailingTests          failing_tests, with ``errors[].test``
"""

from collections.abc import Mapping, Sequence

from common.errors import Conflict, NotFound


class UnknownTrial(NotFound):
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


class TestsNotRun(Conflict):
    """The test files were not run with this draft. Run them, or confirm `tests`."""

    code = "tests_not_run"
    __test__ = False  # pytest takes the name for a class of tests

    def __init__(self, tests: Sequence[str]) -> None:
        super().__init__(tests=list(tests))


class FailingTests(Conflict):
    """Test files fail with this draft. Change what they expect, or confirm them by name."""

    code = "failing_tests"

    def __init__(self, tests: Mapping[str, Sequence[str]]) -> None:
        super().__init__(
            tests=list(tests),
            errors=[{"test": name, "detail": one} for name, said in tests.items() for one in said],
        )
