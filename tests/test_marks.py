"""A run by a mark imports the modules that have it."""

import pytest

from tests.marks import needs


@pytest.mark.parametrize(
    ("expression", "needed"),
    [
        ("web", True),
        ("web and large", True),
        ("processes", False),
        ("processes and not large", False),
        ("processes or web", True),  # not read: everything is imported
        ("not processes and not web", True),
        ("database and not processes", True),
        ("", True),
    ],
)
def test_a_module_is_left_out_if_it_lacks_the_mark_that_every_test_must_have(
    tmp_path, expression, needed
):
    module = tmp_path / "test_page.py"
    module.write_text("pytestmark = pytest.mark.web\n")

    assert needs(module, expression) is needed
