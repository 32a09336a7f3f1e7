"""
Measure the built elements, gzipped as they are served: first paint, each part, everything.

A person loads one language, so everything is counted with the largest of them.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

BUILT = Path(__file__).resolve().parent.parent / "static" / "elements"
WIDGET, EDITOR = "service-import", "service-catalog-editor"
SHELL_BYTES, PART_BYTES, WHOLE_BYTES, EDITOR_BYTES = 25_000, 15_000, 100_000, 90_000
EXTRAS = (  # parts that few people load: how their names begin, what asks for it, and its budget
    ("pages-", "a file of pages", 4_000),
    ("receipt-", "a receipt", 5_000),
    ("advising-", "onRows", 4_000),
    ("changed_rows-", "changed rows", 2_000),
    ("(recipe|custom)_form-", "a step or a field added", 3_000),
    ("deleting-", "a full sync", 2_000),
    ("duplicates-", "duplicates", 8_000),  # its words come in all languages
    ("tables-", "several files or tables", 4_000),
)
LANGUAGE = re.compile(r"([a-z]{2})-[\w-]{8}\.js")  # the parts of a language are named after it
NOW = re.compile(r"""(?:from|import)\s*["'](\.{1,2}/[^"']+\.js)["']""")
LATER = re.compile(r"""import\(\s*[`"'](\.{1,2}/[^`"']+\.js)[`"']\s*\)""")


def packed(path: Path) -> int:
    """Return the size in bytes of the compressed copy that is served."""
    return path.with_name(f"{path.name}.gz").stat().st_size


def loaded_with(path: Path, *ways: re.Pattern[str]) -> set[Path]:
    """Return the imports of a script: those it needs to run, and those it may load later."""
    seen: set[Path] = set()
    ahead = [path]
    while ahead:
        here = ahead.pop()
        if here not in seen:
            seen.add(here)
            text = here.read_text("utf-8")
            ahead += [(here.parent / name).resolve() for way in ways for name in way.findall(text)]
    return seen


def taken_out(parts: dict[str, int], is_taken: Callable[[str], object]) -> dict[str, int]:
    """Return the parts with such a name, and remove them."""
    return {name: parts.pop(name) for name in list(parts) if is_taken(name)}


def of_largest_language(parts: dict[str, int]) -> int:
    """Return what the largest language weighs, of the parts of all languages but English."""
    sizes: Counter[str] = Counter()
    for name, size in parts.items():
        sizes[name.partition("-")[0]] += size
    return max(sizes.values(), default=0)


def main() -> int:
    """Print the figures; fail if one is over its budget."""
    now = loaded_with(BUILT / f"{WIDGET}.js", NOW)
    later = loaded_with(BUILT / f"{WIDGET}.js", NOW, LATER) - now
    shell, parts = sum(map(packed, now)), {path.name: packed(path) for path in later}
    extras = [
        (sum(taken_out(parts, re.compile(names).match).values()), what, most)
        for names, what, most in EXTRAS
    ]
    largest = max(parts, key=parts.__getitem__)
    part = parts[largest]
    languages = taken_out(parts, LANGUAGE.fullmatch)
    whole = shell + sum(parts.values()) + of_largest_language(languages)
    scripts = loaded_with(BUILT / f"{EDITOR}.js", NOW, LATER)
    of_editor = {path.name: packed(path) for path in scripts}
    words = taken_out(of_editor, LANGUAGE.fullmatch)
    editor = sum(of_editor.values()) + of_largest_language(words)
    print(f"first paint {shell / 1000:.1f} of {SHELL_BYTES / 1000:.0f} kB")
    print(f"the largest part {part / 1000:.1f} of {PART_BYTES / 1000:.0f} kB, {largest}")
    print(
        f"everything {whole / 1000:.1f} of {WHOLE_BYTES / 1000:.0f} kB, with its largest language"
    )
    print(f"every language together {sum(languages.values()) / 1000:.1f} kB")
    for size, what, most in extras:
        print(f"with {what} {size / 1000:.1f} of {most / 1000:.0f} kB more")
    print(
        f"the editor {editor / 1000:.1f} of {EDITOR_BYTES / 1000:.0f} kB, with its largest language"
    )
    figures = [
        (shell, SHELL_BYTES),
        (part, PART_BYTES),
        (whole, WHOLE_BYTES),
        (editor, EDITOR_BYTES),
        *((size, most) for size, _, most in extras),
    ]
    return int(any(figure > limit for figure, limit in figures))


if __name__ == "__main__":
    sys.exit(main())
