"""Documents as pages of HTML, printed by Chromium and by WeasyPrint."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from html import escape
from typing import Any

from eval.printed.makers import MissingProgram, Order
from eval.printed.papers import Look, Paper, PrintedTable

CHROMIUM = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
_LOOKS: dict[Look, str] = {
    "grid": "td, th { border: 0.75pt solid #555 }",
    "zebra": "tbody tr:nth-child(even) td { background: #e8e8e8 }",
    "shaded": "th { background: #345; color: #fff }",
    "bare": "",
    "header_line": "thead tr:last-child th { border-bottom: 1pt solid #000 }",
    "rules": "td, th { border-bottom: 0.5pt solid #888 }",
}


def print_with_chromium(orders: Sequence[Order]) -> None:
    """Print each document as Chromium's print dialog does."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    if program is None:
        raise MissingProgram("chromium is not installed: apt-get install chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(CHROMIUM))
        page = browser.new_page()
        for order in orders:
            page.set_content(page_of(order.paper, order.look))
            page.pdf(path=str(order.path), prefer_css_page_size=True, print_background=True)
        browser.close()


def print_with_weasyprint(orders: Sequence[Order]) -> None:
    """Print each document with WeasyPrint."""
    import weasyprint

    for order in orders:
        weasyprint.HTML(string=page_of(order.paper, order.look)).write_pdf(order.path)


def page_of(paper: Paper, look: Look) -> str:
    """Return the document as one page of HTML."""
    drawn = random.Random(f"html/{paper.seed}/{paper.kind}/{look}")
    style = _style(paper, look, drawn)
    direction = ' dir="rtl"' if paper.is_right_to_left else ""
    above = "".join(
        f"<h1>{escape(line)}</h1>" if place == 0 else f"<p>{escape(line) or '&nbsp;'}</p>"
        for place, line in enumerate(paper.above)
    )
    tables = "".join(_table(table, drawn) for table in paper.tables)
    below = "".join(f"<p>{escape(line)}</p>" for line in paper.below)
    return (
        f"<!doctype html><html{direction}><meta charset=utf-8><style>{style}</style>"
        f"<body>{above}{tables}{below}</body></html>"
    )


def _style(paper: Paper, look: Look, drawn: random.Random) -> str:
    size = drawn.choice((8, 9, 10))
    family = drawn.choice(("Liberation Sans", "DejaVu Sans", "Liberation Serif", "Carlito"))
    side = "left" if paper.is_right_to_left else "right"
    page = f"size: A4{' landscape' if paper.landscape else ''}; margin: 18mm 14mm;"
    header = f'@top-center {{ content: "{paper.running_header}"; font-size: 8pt }}'
    footer = (
        f'@bottom-center {{ content: "{paper.running_footer} " counter(page); font-size: 8pt }}'
    )
    if not paper.running_header:
        header = ""
    if not paper.running_footer:
        footer = ""
    width = drawn.choice(("100%", "100%", "auto"))
    return f"""
    @page {{ {page} {header} {footer} }}
    body {{ font: {size}pt "{family}", sans-serif; margin: 0 }}
    h1 {{ font-size: {size + 5}pt }} p {{ margin: 2pt 0 }}
    h2 {{ font-size: {size + 2}pt; margin: 12pt 0 4pt }}
    table {{ border-collapse: collapse; width: {width}; margin: {drawn.choice((4, 10))}pt 0 }}
    td, th {{ padding: {drawn.choice((1, 2, 4))}pt {drawn.choice((4, 6))}pt; text-align: start;
      vertical-align: {drawn.choice(("top", "middle"))} }}
    th {{ font-weight: {drawn.choice(("bold", "bold", "normal"))} }}
    .n {{ text-align: {side} }} .tier {{ text-align: center }}
    .section td {{ font-weight: bold }} .total td {{ font-weight: bold }}
    {_LOOKS[look]}
    """


def _table(table: PrintedTable, drawn: random.Random) -> str:
    caption = f"<h2>{escape(table.caption)}</h2>" if table.caption else ""
    tiers = _tier_row(table) if table.tiers else ""
    names = "".join(
        f'<th class="{"n" if column.is_number else ""}">{escape(column.name)}</th>'
        for column in table.columns
    )
    merges_sections = drawn.random() < 0.5
    lines = "".join(_line(table, place, merges_sections) for place in range(len(table.lines)))
    head = f"<thead>{tiers}<tr>{names}</tr></thead>"
    return f"{caption}<table>{head}<tbody>{lines}</tbody></table>"


def _tier_row(table: PrintedTable) -> str:
    cells, place = [], 0
    for title, first, last in table.tiers:
        cells += ["<th></th>"] * (first - place)
        cells.append(f'<th class="tier" colspan="{last - first + 1}">{escape(title)}</th>')
        place = last + 1
    return f"<tr>{''.join(cells)}{'<th></th>' * (len(table.columns) - place)}</tr>"


def _line(table: PrintedTable, place: int, merges_sections: bool) -> str:
    line: Any = table.lines[place]
    if line.kind == "section" and merges_sections:
        span = len(table.columns)
        return f'<tr class="section"><td colspan="{span}">{escape(line.cells[0])}</td></tr>'
    cells = "".join(
        f'<td class="{"n" if column.is_number else ""}">{escape(cell)}</td>'
        for column, cell in zip(table.columns, line.cells, strict=True)
    )
    return f'<tr class="{line.kind}">{cells}</tr>'
