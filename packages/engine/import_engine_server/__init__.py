"""
The engine as an installed program: ``import-engine serve``.

Its code is in the folder ``engine`` next to this file, as in the repository. It is put on the path
of this program and of those that it starts, so that its packages (``api``, ``imports``, ...) are
not importable from anywhere else.

Data is kept in ``var`` below the current folder, unless ``IMPORT_DATA_DIR`` names another.
``import-engine compile``, once after the installation, stores the vocabulary in the form that loads
fastest.
"""

import os
import sys
from pathlib import Path

CODE = Path(__file__).resolve().parent / "engine"


def main() -> None:
    """Run ``compile``, or one command of ``manage.py``."""
    sys.path.insert(0, str(CODE))
    inherited = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(CODE), inherited)))
    os.environ.setdefault("IMPORT_DATA_DIR", str(Path.cwd() / "var"))

    if sys.argv[1:] == ["compile"]:
        from tabular.vocabulary.lexicon import compile_vocabulary

        compile_vocabulary()
        return
    import manage

    manage.main()
