"""``python -m import_engine_server``: the same as ``import-engine``."""

from import_engine_server import main

if __name__ == "__main__":
    main()
