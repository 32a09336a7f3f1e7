"""``python -m tabular compile``: keep the vocabulary as processes load it fastest."""

import argparse

from tabular.vocabulary.lexicon import compile_vocabulary


def run(arguments: list[str]) -> int:
    """Compile it beside the bytecode, also where Python writes none by itself."""
    argparse.ArgumentParser(prog="tabular compile", description=__doc__).parse_args(arguments)
    compile_vocabulary()
    return 0
