"""How much one file may ask of the machine; each limit is a setting of the host."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one tabular step. Sizes in bytes, time in seconds."""

    seconds: int = 900
    memory_bytes: int = 2 * 1024**3
    folder_bytes: int = 20 * 1024**3
    expanded_bytes: int = 4 * 1024**3
    rows: int = 5_000_000
    columns: int = 5_000
    cells: int = 200_000_000
    pages: int = 500
    cell_bytes: int = 64 * 1024**2
