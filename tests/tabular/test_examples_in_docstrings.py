"""The examples in the docstrings of typing, validating and rechecking hold."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import tabular.rechecking
import tabular.transforming
import tabular.types
import tabular.validating

PACKAGES = (tabular.types, tabular.transforming, tabular.validating, tabular.rechecking)
MODULES = [
    module.name
    for package in PACKAGES
    for module in walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", [*MODULES, "tabular.model.messages"])
def test_examples_hold(name):
    assert doctest.testmod(import_module(name)).failed == 0
