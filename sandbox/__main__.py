"""``python -m sandbox``: the server that forks jobs."""

from sandbox.server import main

if __name__ == "__main__":
    main()
