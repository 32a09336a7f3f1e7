"""
Draw the diagrams of the docs from the code: the states, the programs, the packages.

    python scripts/draw_diagrams.py         write docs/diagrams/*.svg
    python scripts/draw_diagrams.py check   say whether they follow the source

States and moves come from the models, programs and queues from the supervisor, packages and
layers from ``.importlinter``.
"""

import configparser
import inspect
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib import import_module
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from development import environment  # noqa: E402 (the path is set above)

FOLDER = ROOT / "docs" / "diagrams"
MACHINES = (
    ("imports.models", "ImportRecord"),
    ("ledger.models", "Question"),
    ("catalogs.models", "CatalogVersion"),
    ("changesets.models", "Changeset"),
    ("changesets.models", "Lookup"),
    ("deliveries.models", "Delivery"),
    ("imports.models", "Workbook"),
    ("deliveries.models", "Rehearsal"),
    ("imports.models", "BulkChange"),
    ("links.models", "Link"),
    ("feeds.models", "Feed"),
    ("mails.models", "Mail"),
)
BOX_W, BOX_H, GAP, LANE = 190, 44, 22, 16
INK, LINE, BACK, PAPER, NOTE = "#1a2233", "#3949ab", "#b35900", "#ffffff", "#5b6475"
FONT = 'font-family="system-ui, sans-serif"'
EVERYWHERE = frozenset({"failed", "cancelled"})  # most states lead there: written, not drawn
MANY = 3
CALLERS = (
    ("Page with the widget", "session token"),
    ("Your backend", "license key"),
    ("Agent", "MCP"),
    ("Receiver", "your backend's webhook"),
)
STORES = (
    ("PostgreSQL", "the truth: states, due times"),
    ("Data folder", "files, rows, bodies"),
    ("Redis", "wake-ups only; may be lost"),
)


def text(
    x: float, y: float, words: str, *, size: int = 13, fill: str = INK, at: str = "middle"
) -> str:
    """Return one line of text."""
    style = f'{FONT} font-size="{size}" fill="{fill}" text-anchor="{at}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, *, fill: str = "#eef0fb") -> str:
    """Return a box with round corners."""
    size = f'width="{width}" height="{height}" rx="7"'
    return f'<rect x="{x}" y="{y}" {size} fill="{fill}" stroke="{LINE}"/>'


def arrow(points: Iterable[tuple[float, float]], *, color: str = LINE) -> str:
    """Return a line along some points, with a head at its end."""
    path = " L".join(f"{x} {y}" for x, y in points)
    kind = "back" if color == BACK else "on"
    style = f'fill="none" stroke="{color}" stroke-width="1.4" marker-end="url(#{kind})"'
    return f'<path d="M{path}" {style}/>'


def drawing(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """Return an SVG document on white paper, readable on light and dark pages."""
    heads = "".join(
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{color}"/></marker>'
        for name, color in (("on", LINE), ("back", BACK))
    )
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(title)}">\n<defs>{heads}</defs>\n'
        f'<rect width="{width}" height="{height}" rx="10" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def machine(title: str, moves: Mapping[str, Iterable[str]], notes: Mapping[str, str]) -> str:
    """
    Draw a state machine: states from top to bottom, moves forward on the right, back on the left.

    Moves that most states have are a line of text in each box. ``moves`` names every state.
    """
    states = list(moves)
    common = {
        end for end in EVERYWHERE & set(states) if sum(end in to for to in moves.values()) > MANY
    }
    rows = {state: number for number, state in enumerate(states)}
    drawn = [
        (rows[state], rows[end])
        for state, to in moves.items()
        for end in sorted(to, key=states.index)
        if end not in common
    ]
    lanes = {
        side: in_lanes([move for move in drawn if is_back(move) == side]) for side in (False, True)
    }
    left = 40 + LANE * (1 + max(lanes[True].values(), default=0))
    right = 40 + LANE * (1 + max(lanes[False].values(), default=0))
    width = left + BOX_W + right
    parts = [line for move in drawn for line in move_line(move, lanes[is_back(move)][move], left)]
    for state, number in rows.items():
        y = 20 + number * (BOX_H + GAP)
        last = not moves[state]
        also = " · ".join(["or " + end for end in sorted(common & set(moves[state]))])
        parts.append(box(left, y, BOX_W, BOX_H, fill="#e3f3e6" if last else "#eef0fb"))
        parts.append(text(left + BOX_W / 2, y + 19, state, size=14))
        words = notes.get(state, "")
        parts.append(text(left + BOX_W / 2, y + 35, words, size=10, fill=NOTE))
        if also:
            parts.append(text(left + BOX_W / 2, y + BOX_H + 13, also, size=10, fill=BACK))
    return drawing(width, 20 + len(states) * (BOX_H + GAP), title, parts)


def is_back(move: tuple[int, int]) -> bool:
    """Return whether a move leads to an earlier state, or to the same one."""
    return move[1] <= move[0]


def in_lanes(moves: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """
    Give each move a lane, the shortest nearest to the boxes, so that no two of a lane overlap.

    >>> in_lanes([(0, 1), (0, 2), (1, 2)])
    {(0, 1): 0, (1, 2): 1, (0, 2): 2}
    """
    lanes: dict[tuple[int, int], int] = {}
    for move in sorted(moves, key=lambda move: (abs(move[1] - move[0]), move)):
        low, high = min(move), max(move)
        taken = {lane for other, lane in lanes.items() if min(other) <= high and low <= max(other)}
        lanes[move] = next(lane for lane in range(len(taken) + 1) if lane not in taken)
    return lanes


def move_line(move: tuple[int, int], lane: int, left: float) -> Iterator[str]:
    """Yield the line of one move: out of its box, along its lane, into the other box."""
    start, end = move
    back = is_back(move)
    side = left if back else left + BOX_W
    along = side - 20 - lane * LANE if back else side + 20 + lane * LANE
    out = 20 + start * (BOX_H + GAP) + (12 if back else 30)
    into = 20 + end * (BOX_H + GAP) + (30 if back else 12)
    yield arrow(
        [(side, out), (along, out), (along, into), (side, into)], color=BACK if back else LINE
    )


def notes_of(state: type) -> dict[str, str]:
    """Return the comments of the states in the source: who has to act."""
    source = inspect.getsource(state)
    pairs = re.findall(r'^\s*[A-Z_]+ = "(\w+)"(?:  # (.+))?$', source, re.MULTILINE)
    return dict(pairs)


def machines() -> Iterator[tuple[str, str]]:
    """Yield the file and the diagram of each state machine."""
    for module, name in MACHINES:
        model = getattr(import_module(module), name)
        moves = {
            state: {str(end) for end in model.MOVES.get(state, ())} for state in model.State.values
        }
        yield f"states-{name}.svg", machine(f"States of {name}", moves, notes_of(model.State))


def system() -> str:
    """Draw the programs of an engine, what they share, and who calls them."""
    from importengine.processes import programs  # it needs Django, which main sets up

    web = programs.web(host="", port=0, processes=1)
    started = [web, programs.import_worker(), programs.delivery_worker(), programs.beat()]
    parts = [
        *column(10, "outside", CALLERS, fill="#fff6e5"),
        *column(290, "programs", [(program.name, work_of(program.command)) for program in started]),
        *column(580, "every program uses", STORES, fill="#e3f3e6", pitch=90),
        *column(580, "", [("job", "a confined child reads the file")], top=345),
        arrow([(200, 78), (290, 78)]),
        arrow([(200, 178), (240, 178), (240, 88), (290, 88)]),
        arrow([(200, 278), (250, 278), (250, 98), (290, 98)]),
        arrow([(290, 288), (260, 288), (260, 378), (200, 378)], color=BACK),
        text(266, 340, "signed POST", size=10, fill=BACK, at="start"),
        arrow([(480, 198), (530, 198), (530, 373), (580, 373)]),
        f'<path d="M545 42 V 310" fill="none" stroke="{LINE}" stroke-dasharray="4 4"/>',
    ]
    return drawing(790, 425, "The programs of an engine", parts)


def work_of(command: list[str]) -> str:
    """Return what a program of the supervisor works on, from its command line."""
    if "-Q" in command:
        return f"Celery, queue {command[command.index('-Q') + 1]}"
    return "Celery, wakes what is due" if "beat" in command else "granian: API, elements, admin"


def column(
    x: float,
    title: str,
    items: Iterable[tuple[str, str]],
    *,
    fill: str = "#eef0fb",
    top: int = 50,
    pitch: int = 100,
) -> Iterator[str]:
    """Yield boxes below a title."""
    yield text(x + 95, 28, title, size=12, fill=NOTE) if title else ""
    for number, (name, words) in enumerate(items):
        y = top + number * pitch
        yield box(x, y, 190, 56, fill=fill)
        yield text(x + 95, y + 24, name, size=14)
        yield text(x + 95, y + 42, words, size=10, fill=NOTE)


def packages() -> str:
    """Draw the packages in their layers; imports point downward."""
    rules = configparser.ConfigParser()
    rules.read(ROOT / ".importlinter")
    named = rules["importlinter:contract:layers"]["layers"].split("\n")
    layers = [[name.strip() for name in line.split("|")] for line in named if line.strip()]
    parts, width = [], 700
    for number, layer in enumerate(layers):
        y, each = 16 + number * 44, (width - 20) / len(layer)
        for place, name in enumerate(layer):
            x = 10 + place * each
            parts += [box(x + 3, y, each - 6, 34), text(x + each / 2, y + 22, name, size=13)]
    return drawing(width, 26 + len(layers) * 44, "Packages: imports point downward", parts)


def diagrams() -> dict[str, str]:
    """Return every diagram by its file name."""
    return {**dict(machines()), "system.svg": system(), "packages.svg": packages()}


def main(arguments: list[str]) -> int:
    """Write the diagrams, or compare them."""
    os.environ.update(environment(os.environ))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
    sys.path.insert(0, str(ROOT))
    django.setup()
    drawn = diagrams()
    if arguments != ["check"]:
        FOLDER.mkdir(exist_ok=True)
        for name, picture in drawn.items():
            (FOLDER / name).write_text(picture, "utf-8")
        return 0
    kept = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.svg")}
    if kept != drawn:
        names = [name for name in drawn.keys() | kept.keys() if drawn.get(name) != kept.get(name)]
        print(f"run scripts/draw_diagrams.py: {', '.join(sorted(names))} differ from the source")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
