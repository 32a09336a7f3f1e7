"""
Build the pages of ``docs/`` into ``docs/_site``, which the engine serves at ``/docs``.

    python scripts/build_docs.py

A broken link fails the build, and so does a page that loads anything from another origin, or shows
an item of a list as text. Inline scripts move into files, because the engine allows none in its
pages.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "docs" / "_site"
NEW = ROOT / "var" / "docs"
SCRIPT = re.compile(r"<script>(.+?)</script>", re.DOTALL)
TAG = re.compile(r"<(?!a\b)[a-z][^>]*>", re.IGNORECASE)  # a link may lead anywhere
ADDRESS = re.compile(
    r"\b(?:src|href|srcset|action|data|poster)\s*=\s*[\"']?\s*((?:https?:)?//[^\s\"'>]+)"
)
IMPORTED = re.compile(r"(?:@import\s+|url\(\s*)[\"']?((?:https?:)?//[^\"')\s]+)")
INLINE = re.compile(
    r"<[a-z][^>]*\s(?:style|on[a-z]+)\s*=|<style|=\s*[\"']?javascript:", re.IGNORECASE
)


CODE = re.compile(r"<(pre|script|style)\b.*?</\1>", re.DOTALL)
ITEM = re.compile(r"^(?:[-*+]|\d+\.) .*", re.MULTILINE)


class UnusableSite(ValueError):
    """The built pages would not work where the engine serves them."""


def foreign_addresses(text: str) -> list[str]:
    """
    List what a page or a style sheet would load from another origin.

    >>> foreign_addresses('<link href="https://fonts.example/a.css"><a href="https://b.example">')
    ['https://fonts.example/a.css']
    >>> foreign_addresses('@import url(//c.example/x.css); a {background: url(data:x)}')
    ['//c.example/x.css']
    """
    tags = " ".join(TAG.findall(text))
    return ADDRESS.findall(tags) + IMPORTED.findall(text)


def items_as_text(page: str) -> list[str]:
    """
    List the items of lists that Markdown did not recognize: their block is indented too little.

    >>> items_as_text("<ul><li>One</li></ul><p>More.\\n- Two</p><pre>\\n- x</pre>")
    ['- Two</p>']
    """
    return ITEM.findall(CODE.sub("", page))


def with_scripts_in_files(page: str, assets: str) -> tuple[str, dict[str, str]]:
    """
    Move the inline scripts of a page into files, named by content.

    >>> with_scripts_in_files("<script>a = 1</script>", "../assets")
    ('<script src="../assets/inline-b5bc1ffd.js"></script>', {'inline-b5bc1ffd.js': 'a = 1'})
    """
    files: dict[str, str] = {}

    def moved(match: re.Match[str]) -> str:
        name = f"inline-{hashlib.sha256(match[1].encode()).hexdigest()[:8]}.js"
        files[name] = match[1]
        return f'<script src="{assets}/{name}"></script>'

    return SCRIPT.sub(moved, page), files


def build(site: Path) -> int:
    """Build the pages into a folder; CalledProcessError, UnusableSite. Return their number."""
    program = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    subprocess.run(program, cwd=ROOT, check=True)
    (site / "404.html").unlink(missing_ok=True)  # its links need the address of the site
    return finish(site)


def finish(site: Path) -> int:
    """Prepare built pages for the policy of the engine; UnusableSite. Return their number."""
    pages = sorted(site.rglob("*.html"))
    for page in pages:
        name = page.relative_to(site)
        up = "/".join([".."] * (len(name.parts) - 1)) or "."
        text, scripts = with_scripts_in_files(page.read_text("utf-8"), f"{up}/assets")
        page.write_text(text, "utf-8")
        for script, content in scripts.items():
            (site / "assets" / script).write_text(content, "utf-8")
        if inline := INLINE.search(text):
            raise UnusableSite(f"{name}: inline code: {inline[0]}")
        if items := items_as_text(text):
            raise UnusableSite(f"{name}: not in a list: {items[0]}")
    for file in [*pages, *site.rglob("*.css")]:
        if foreign := foreign_addresses(file.read_text("utf-8")):
            raise UnusableSite(f"{file.relative_to(site)}: loads {foreign[0]}")
    return len(pages)


def main() -> int:
    """Build, check, and put the site in its place."""
    try:
        pages = build(NEW)
    except (subprocess.CalledProcessError, UnusableSite) as error:
        print(f"docs: {error}", file=sys.stderr)
        return 1
    shutil.rmtree(BUILT, ignore_errors=True)
    NEW.rename(BUILT)
    print(f"built {pages} pages into docs/_site")
    return 0


if __name__ == "__main__":
    sys.exit(main())
