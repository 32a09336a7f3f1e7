"""
List the licenses of what is installed and bundled: ``python scripts/list_licenses.py``.

Writes ``docs/third-party-licenses.md`` from the pins in ``requirements.txt``, the metadata of the
installed packages, and ``frontend/package-lock.json``. A license that is not allowed is an error.
"""

import json
import re
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "third-party-licenses.md"
# SPDX names, https://spdx.org/licenses. LGPL: the engine imports these packages unchanged.
ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python", "ISC",
    "LGPL-2.1-or-later", "LGPL-3.0-only", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0",
    "Unlicense", "Zlib",
}  # fmt: skip
# What packages say that does not give an SPDX expression, and what it means.
SPOKEN = {
    "Apache Software License": "Apache-2.0",
    "BSD 3-Clause OR Apache-2.0": "BSD-3-Clause OR Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "BSD-3-Clause OR Other/Proprietary License": "BSD-3-Clause",  # qrcode; its text is only BSD
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "LGPL-2.1": "LGPL-2.1-or-later",  # paramiko; its files say "or any later version"
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.1-or-later",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
# What packages do not say in their metadata, from the license file in them.
SILENT = {"imapclient": "BSD-3-Clause"}
HEAD = """# Third-party licenses

What the engine installs, and what its elements contain. `make licenses` writes this page; the
tests fail when it is out of date, or names a license that is not allowed: no GPL or AGPL, LGPL only
for packages that are imported unchanged. The engine serves this page with the elements, as
`/elements/third-party-licenses.txt`, followed by the texts of the elements' licenses.

Tesseract (Apache-2.0, its language data too) is not part of the engine. Where an operator installs
it to [read scans](how-to/read-scans.md), the engine starts it as a program.
"""


@dataclass(frozen=True, slots=True)
class Package:
    """A package, its version, and its license as an SPDX expression."""

    name: str
    version: str
    license: str

    @property
    def is_allowed(self) -> bool:
        """Return whether all alternatives of its license are allowed."""
        return set(re.split(r" AND | OR ", re.sub(r"[()]", "", self.license))) <= ALLOWED


def of_python() -> list[Package]:
    """Return the pinned packages that this system needs."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pins = [Requirement(line.rstrip("\\ ")) for line in lines if re.match(r"[A-Za-z0-9]", line)]
    needed = [pin.name for pin in pins if pin.marker is None or pin.marker.evaluate()]
    return [Package(name, metadata.version(name), license_of(name)) for name in sorted(needed)]


def license_of(name: str) -> str:
    """Return what an installed package says of its license, in SPDX words where they are known."""
    about = metadata.metadata(name)
    classifiers = [c.split(" :: ") for c in about.get_all("Classifier") or ()]
    named = [SPOKEN.get(parts[-1], parts[-1]) for parts in classifiers if parts[0] == "License"]
    text = "".join(about.get_all("License") or ()).strip()
    expression = "".join(about.get_all("License-Expression") or ())
    license_text = (
        expression or " OR ".join(named) or text.partition("\n")[0] or SILENT.get(name, "")
    )
    return SPOKEN.get(license_text, license_text)


def of_elements() -> list[Package]:
    """Return the npm packages whose code is in the elements."""
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text("utf-8"))
    return [
        Package(path.removeprefix("node_modules/"), about["version"], about["license"])
        for path, about in sorted(lock["packages"].items())
        if path and not any(about.get(kind) for kind in ("dev", "optional", "devOptional"))
    ]


def page() -> str:
    """Return the page with both lists."""
    parts = [HEAD]
    for title, packages in (("Python", of_python()), ("Elements (npm)", of_elements())):
        parts += [f"\n## {title}\n\n| Package | Version | License |\n|---|---|---|\n"]
        parts += [
            f"| {package.name} | {package.version} | {package.license} |\n" for package in packages
        ]
    return "".join(parts)


def refused() -> list[Package]:
    """Return the packages whose license is not allowed."""
    return [item for item in (*of_python(), *of_elements()) if not item.is_allowed]


def main() -> int:
    """Write the page; 1 where a license is not allowed."""
    LIST.write_text(page(), "utf-8")
    for package in refused():
        print(f"{package.name} {package.version}: {package.license} is not an allowed license")
    return 1 if refused() else 0


if __name__ == "__main__":
    sys.exit(main())
