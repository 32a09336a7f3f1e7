"""Create the database that IMPORT_POSTGRES_URL names, if the server does not have it yet."""

import os
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql


def main() -> None:
    """Connect to the server's own database and create ours."""
    url = urlsplit(os.environ["IMPORT_POSTGRES_URL"])
    name = url.path.strip("/")
    server = urlunsplit(url._replace(path="/postgres"))
    with psycopg.connect(server, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if known.fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


if __name__ == "__main__":
    main()
