"""
What MkDocs cannot do by its settings.

Pages and links that lie outside ``docs/``, files that a page shows, and the reference of the API.
"""

import json
import os
import posixpath
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from api_pages import pages_of  # noqa: E402 (the path is set above)
from development import environment  # noqa: E402 (the path is set above)
from error_codes import (  # noqa: E402 (the path is set above)
    problems_of_feeds,
    problems_of_files,
    refused_calls,
)

SHOW = re.compile(r"^<!-- show: (?P<path>\S+) -->$", re.MULTILINE)
LANGUAGES = {".mjs": "js"}  # others are named by the end of the file
SHOWN = {"CONTRIBUTING.md": "contributing/index.md"}  # files of the repository that are pages, too
OUTSIDE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are kept at the root of the repository."""
    for name, page in SHOWN.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    for subject, content in pages_of(openapi_document()).items():
        files.append(File.generated(config, f"calls/{subject}.md", content=content))
    # A dry run refuses a call with the code of its file; a code of both has the page of calls.
    listed = (*problems_of_feeds(), *problems_of_files(), *refused_calls())
    for entry in {item.code: item for item in listed}.values():
        files.append(File.generated(config, f"problems/{entry.code}.md", content=entry.page()))
    return files


def openapi_document() -> dict[str, object]:
    """Return the OpenAPI document of this source, made in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        command = [sys.executable, str(ROOT / "manage.py"), "spectacular"]
        command += ["--format", "openapi-json", "--file", str(file)]
        subprocess.run(command, cwd=ROOT, env=environment(os.environ), check=True)
        document: dict[str, object] = json.loads(file.read_text("utf-8"))
        return document


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Show the files that a page names, and turn links out of ``docs/`` into paths."""
    return with_files(without_links_outside(markdown, page.file.src_uri))


def with_files(markdown: str) -> str:
    """
    Put the source of a file in the place of the comment that names it.

    >>> with_files("<!-- show: examples/__init__.py -->").startswith("```py")
    True
    """

    def shown(match: re.Match[str]) -> str:
        path = ROOT / match["path"]
        language = LANGUAGES.get(path.suffix, path.suffix[1:])
        return f"```{language}\n{path.read_text('utf-8').rstrip()}\n```"

    return SHOW.sub(shown, markdown)


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

    def shown(match: re.Match[str]) -> str:
        words, path, anchor = match[1], match[2], match[3] or ""
        target = posixpath.normpath(posixpath.join(folder, path))
        if target.startswith("docs/") or not (ROOT / target).exists():
            return match[0]  # inside, or broken: MkDocs looks at both
        if target in SHOWN:
            return f"[{words}]({posixpath.relpath(f'docs/{SHOWN[target]}', folder)}{anchor})"
        return f"`{target}`" if words.strip("`") == target else f"{words} (`{target}`)"

    return OUTSIDE.sub(shown, markdown)
