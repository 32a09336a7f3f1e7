"""How spreadsheets name where a cell stands."""


def letters(column: int) -> str:
    """
    Name a column as spreadsheets do.

    >>> letters(0), letters(26), letters(16383)
    ('A', 'AA', 'XFD')
    """
    name = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        name = chr(65 + place) + name
    return name
