"""What the ablation removes exists, and is put back."""

from importlib import import_module

import pytest

from eval.matching import ablation
from eval.matching.removals import Removal, removals
from tabular.matching import comparing
from tabular.matching.features import FEATURES
from tabular.matching.weighing import CONTEXT

RULES = [removal for removal in removals() if removal.again != "fit"]


@pytest.mark.parametrize("removal", RULES, ids=lambda removal: removal.title)
def test_every_removed_rule_exists_and_differs_from_its_replacement(removal):
    owner = import_module(f"tabular.{removal.part}")

    assert getattr(owner, removal.name) != removal.replacement()


def test_every_removed_feature_exists():
    fitted = {removal.name for removal in removals() if removal.again == "fit"}

    assert fitted <= {*FEATURES, *CONTEXT}


def test_a_removed_constant_is_replaced_where_it_is_used_and_put_back():
    plain = comparing.FOREIGN

    with ablation._replaced(Removal("matching.comparing", "FOREIGN", "read")):
        replaced = comparing.FOREIGN

    assert (replaced, comparing.FOREIGN) == (0.0, plain)
