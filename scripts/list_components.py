"""
Write what a release is made of: ``python scripts/list_components.py FOLDER``.

A bill of materials in CycloneDX 1.6 (ECMA-424), as JSON: the engine, the distributions of
``requirements.txt`` and the npm packages inside the elements, with versions, licenses and package
URLs. The same repository makes the same file.
"""

import argparse
import base64
import json
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import list_licenses  # noqa: E402  (the folders above are not on the path before)

NAME = "import-engine-server"


def bill() -> str:
    """Return the bill of materials."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    engine = Component(
        name=NAME,
        version=about["version"],
        type=ComponentType.APPLICATION,
        bom_ref=NAME,
        description=about["description"],
        purl=PackageURL("pypi", None, NAME, about["version"]),
    )
    parts = [*_of_python(), *_of_elements()]
    bom = Bom(components=parts)
    bom.metadata.component = engine
    bom.metadata.timestamp = None  # type: ignore[assignment]  # the same files make the same bill
    bom.register_dependency(engine, parts)
    named = "\n".join(sorted(str(part.purl) for part in parts))
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"{engine.purl}\n{named}")
    text: str = JsonV1Dot6(bom).output_as_string(indent=2)
    return text + "\n"


def _of_python() -> Iterator[Component]:
    for package in list_licenses.of_python():
        yield _component(package, PackageURL("pypi", None, package.name, package.version))


def _of_elements() -> Iterator[Component]:
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text("utf-8"))["packages"]
    for package in list_licenses.of_elements():
        group, _, name = package.name.rpartition("/")
        component = _component(package, PackageURL("npm", group or None, name, package.version))
        integrity = lock[f"node_modules/{package.name}"]["integrity"].removeprefix("sha512-")
        digest = base64.b64decode(integrity).hex()
        component.hashes.add(HashType(alg=HashAlgorithm.SHA_512, content=digest))
        yield component


def _component(package: list_licenses.Package, url: PackageURL) -> Component:
    return Component(
        name=package.name,
        version=package.version,
        type=ComponentType.LIBRARY,
        bom_ref=str(url),
        licenses=[LicenseExpression(package.license)],
        purl=url,
    )


def main(arguments: list[str]) -> int:
    """Write the file into a folder and print its path."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME.replace('-', '_')}.cdx.json"
    path.write_text(bill(), "utf-8")
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
