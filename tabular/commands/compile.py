"""``python -m tabular compile``: store the vocabulary in the form that loads fastest."""

import argparse

from tabular.vocabulary.lexicon import compile_vocabulary


def run(arguments: list[str]) -> int:
    """Compile it next to the bytecode, even where Python itself writes none."""
    argparse.ArgumentParser(prog="tabular compile", description=__doc__).parse_args(arguments)
    compile_vocabulary()
    return 0
