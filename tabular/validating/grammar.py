"""The words of an option's condition. Spec: dropdown option > validations."""

from tabular.validating.compare import KERNELS

GROUPS = frozenset({"all", "any", "not"})
TESTS = frozenset({*KERNELS, "regex", "filled"})
