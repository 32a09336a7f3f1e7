"""The encoding of a database, which must hold the texts of any file."""

from django.db.backends.base.base import BaseDatabaseWrapper

UTF8 = "UTF8"


def what_is_wrong_with_encoding(connection: BaseDatabaseWrapper) -> str | None:
    """
    Return why a database cannot keep every text; None if it can.

    PostgreSQL takes the encoding of a database from the template that it is made of. SQLite has
    only Unicode.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone()
    return None if encoding == UTF8 else f"The database has the encoding {encoding}, not {UTF8}"
