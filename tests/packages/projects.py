"""An empty project of a host's developer, in which a page of the documentation is followed."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
STEP = re.compile(
    r"^Save this as `(?P<name>[\w./-]+)`:\n\n```\w+\n(?P<text>.*?)^```$"
    r"|^```sh\n(?P<commands>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LIMIT_S = 600  # what every quickstart promises its reader
SECRET = ".signing-secret"  # for tests that sign as the engine does


def as_script(text: str, folder: Path) -> str:
    """Return the steps of a page as one script: files are saved, commands are run."""
    script = ["set -eu"]
    for number, step in enumerate(STEP.finditer(text)):
        if step["name"]:
            saved = folder / f".step-{number}"
            saved.write_text(step["text"], "utf-8")
            script.append(f'mkdir -p "$(dirname {step["name"]})"; cp {saved} {step["name"]}')
        else:
            script.append(step["commands"])
    script.append(f'printf %s "$SIGNING_SECRET" > {SECRET}')
    return "\n".join(script)


@contextmanager
def followed(
    page: str, folder: Path, *, values: Mapping[str, str], about: Mapping[str, str]
) -> Iterator[None]:
    """
    Do what a page says; what it started in the background runs until the end of the block.

    values: what is there instead of the texts of the page.
    """
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    for shown, real in values.items():
        assert shown in text, f"{page} does not name {shown}"
        text = text.replace(shown, real)
    printed = folder / "printed.log"
    with printed.open("wb") as out:
        shell = subprocess.Popen(
            ["bash", "-c", as_script(text, folder)],
            cwd=folder,
            env=shell_of_a_reader() | about,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        assert shell.wait(LIMIT_S) == 0, printed.read_text("utf-8")[-3000:]
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()


def shell_of_a_reader() -> dict[str, str]:
    """Return the environment without what the engine and its tests put there."""
    own = ("DJANGO_", "IMPORT_", "PYTEST_")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(own)}
    return kept | {"PATH": f"{path_of_node()}{os.environ['PATH']}"}


def path_of_node() -> str:
    """Return the folder of the Node that builds the packages, to be put before PATH."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import build_elements

    node = build_elements.of_the_machine()
    return f"{node.program.parent}{os.pathsep}" if node else ""


class Installed:
    """A project with one package, which runs programs."""

    def __init__(self, folder: Path, *program: object, ending: str) -> None:
        self.folder, self.program, self.ending = folder, [*map(str, program)], ending

    def run(self, text: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run a program of this text."""
        file = self.folder / f"program.{self.ending}"
        file.write_text(text, "utf-8")
        return subprocess.run(
            [*self.program, str(file), *map(str, arguments)],
            cwd=self.folder, env=shell_of_a_reader(), capture_output=True, text=True, check=False,
        )  # fmt: skip
