"""What MkDocs cannot do by its settings: pages and links that lie outside ``docs/``."""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
SHOWN = {"CONTRIBUTING.md": "contributing/index.md"}  # files of the repository that are pages, too
OUTSIDE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are kept at the root of the repository."""
    for name, page in SHOWN.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links that lead out of ``docs/`` into the path of what they name."""
    return without_links_outside(markdown, page.file.src_uri)


def without_links_outside(markdown: str, source: str) -> str:
    """
    Show a link to a file of the repository as its path, which a site has no address for.

    >>> without_links_outside("Copy [it](../examples/django_receiver).", "webhooks.md")
    'Copy it (`examples/django_receiver`).'
    >>> without_links_outside("See [how](../CONTRIBUTING.md#tests).", "tour.md")
    'See [how](contributing/index.md#tests).'
    >>> without_links_outside("[Words](../glossary.md)", "start/first-delivery.md")
    '[Words](../glossary.md)'
    """
    folder = posixpath.join("docs", posixpath.dirname(source))

    def shown(found: re.Match[str]) -> str:
        words, path, anchor = found[1], found[2], found[3] or ""
        target = posixpath.normpath(posixpath.join(folder, path))
        if target.startswith("docs/") or not (ROOT / target).exists():
            return found[0]  # inside, or broken: MkDocs looks at both
        if target in SHOWN:
            return f"[{words}]({posixpath.relpath(f'docs/{SHOWN[target]}', folder)}{anchor})"
        return f"`{target}`" if words.strip("`") == target else f"{words} (`{target}`)"

    return OUTSIDE.sub(shown, markdown)
