"""Build the image with Debian's tools, on a base made from this machine's own package sources.

Where a machine installs packages from is its own affair: a build is handed the configuration of pip
and npm as secrets, and the folders that it names as mounts. No file of an image keeps them.
"""

import configparser
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASE, IMAGE = "localhost/import-engine-base", "localhost/import-engine"
# usr-is-merged, and a base that is merged from the start, spare it a Perl of 47 MB.
SUITE, PACKAGES = "bookworm", "usr-is-merged,python3,python3-venv,ca-certificates"
MERGED = "/usr/share/mmdebstrap/hooks/merged-usr"
SOURCES = Path("/etc/apt/sources.list.d/debian.sources")
CERTIFICATES = Path("/etc/ssl/certs")
# As slim images leave them out; gconv is of programs in C, Python has codecs of its own
LEFT_OUT = (
    "/usr/share/man",
    "/usr/share/doc",
    "/usr/share/locale",
    "/usr/share/info",
    "/usr/lib/*/gconv",
)
PIP_KEYS = {
    "index-url",
    "extra-index-url",
    "find-links",
    "trusted-host",
    "proxy",
    "timeout",
    "cert",
}
MB = 1_000_000


def has_image(name: str) -> bool:
    """Return whether an image of a name is stored."""
    look = ["buildah", "inspect", "--type", "image", name]
    return subprocess.run(look, capture_output=True, check=False).returncode == 0


def make_base() -> None:
    """Make the base: Debian with Python and certificates, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="base-") as folder:
        archive = Path(folder) / "base.tar"
        less = [f"--dpkgopt=path-exclude={folder}/*" for folder in LEFT_OUT]
        sources = [str(SOURCES)] if SOURCES.exists() else []
        kind = ["--variant=minbase", f"--hook-dir={MERGED}", f"--include={PACKAGES}"]
        command = ["mmdebstrap", "--quiet", *kind, *less]
        subprocess.run([*command, SUITE, str(archive), *sources], check=True)
        container = _printed("buildah", "from", "scratch")
        _printed("buildah", "add", container, str(archive), "/")
        _printed("buildah", "config", "--cmd", "python3", container)
        _printed("buildah", "commit", "--rm", container, BASE)


def build(base: str, *, cached: bool = True, name: str = IMAGE) -> None:
    """Build the image of this tree. cached: whether steps of an earlier build may be taken."""
    with _own_configuration() as options:
        command = [
            "buildah",
            "bud",
            "--format=docker",  # that of OCI has no health check
            "--isolation=chroot",
            "--layers" if cached else "--no-cache",
            "--build-arg",
            f"BASE={base}",
            *_dated(),
        ]
        command += [*options, "--tag", name, "--file", str(ROOT / "deploy" / "Dockerfile")]
        subprocess.run([*command, str(ROOT)], check=True)


def _dated() -> list[str]:
    """Return the option that dates all files alike, so that one commit makes one image."""
    when = os.environ.get("SOURCE_DATE_EPOCH")
    if not when and (ROOT / ".git").exists():
        when = _printed("git", "-C", str(ROOT), "log", "-1", "--format=%ct")
    return ["--timestamp", when] if when else []


def size_of(image: str) -> int:
    """Return the bytes of an image's files."""
    (about,) = json.loads(_printed("buildah", "images", "--json", image))
    number, unit = re.fullmatch(r"([\d.]+) ?([KMG]?B)", about["size"]).groups()  # type: ignore[union-attr]
    return int(float(number) * {"B": 1, "KB": 1_000, "MB": MB, "GB": 1_000 * MB}[unit])


def packed_size_of(image: str) -> int:
    """Return the bytes that a registry would send: the layers, compressed."""
    with tempfile.TemporaryDirectory(prefix="packed-") as folder:
        _printed("buildah", "push", "--quiet", image, f"dir:{folder}")
        return sum(file.stat().st_size for file in Path(folder).iterdir())


@contextmanager
def _own_configuration() -> Iterator[list[str]]:
    """Yield the options of a build that hand over how this machine installs packages."""
    with tempfile.TemporaryDirectory(prefix="configuration-") as folder:
        pip, npm = Path(folder) / "pip", Path(folder) / "npm"
        settings = _settings_of_pip()
        own = configparser.ConfigParser(interpolation=None)
        own["global"] = settings
        with pip.open("w", encoding="utf-8") as file:
            own.write(file)
        npm.write_text(_settings_of_npm(), "utf-8")
        options = ["--secret", f"id=pip,src={pip}", "--secret", f"id=npm,src={npm}"]
        for mounted in sorted({CERTIFICATES, *_local_folders(settings)}):
            options += ["--volume", f"{mounted}:{mounted}:ro"]
        yield options


def _settings_of_pip() -> dict[str, str]:
    text = _printed(sys.executable, "-m", "pip", "config", "list")
    pairs = re.findall(r"^(?:global|:env:)\.([\w-]+)='(.*)'$", text, re.M)
    return {name: value for name, value in pairs if name in PIP_KEYS}


def _settings_of_npm() -> str:
    """Return npm's own settings; an authority that Node is given by its environment is one."""
    file = Path(os.environ.get("NPM_CONFIG_USERCONFIG", "~/.npmrc")).expanduser()
    # A folder of the machine's Node means nothing to the Node of the build.
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    kept = [line for line in lines if not line.startswith("nodedir")]
    authority = os.environ.get("NODE_EXTRA_CA_CERTS")
    return "\n".join([*kept, *([f"cafile={authority}"] if authority else [])]) + "\n"


def _local_folders(settings: dict[str, str]) -> set[Path]:
    words = " ".join(settings.values()).split()
    paths = [Path(word.removeprefix("file://")) for word in words if re.match("(file://)?/", word)]
    return {path for path in paths if path.is_dir()} | {
        path.parent
        for path in paths
        if path.name == "simple"  # its files are next to it
    }


def _printed(*command: str) -> str:
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def layers_of(image: str) -> list[str]:
    """Return the digests of an image's layers, the first one first."""
    about = json.loads(_printed("buildah", "inspect", "--type", "image", image))
    digests: list[str] = about["Docker"]["rootfs"]["diff_ids"]
    return digests


def compare(base: str) -> int:
    """Build the image twice from nothing, and say whether both have the same layers."""
    layers = []
    for name in (f"{IMAGE}-first", f"{IMAGE}-second"):
        build(base, cached=False, name=name)
        layers.append(layers_of(name))
        print(f"{name}: {' '.join(digest[7:19] for digest in layers[-1])}", flush=True)
    is_same = layers[0] == layers[1]
    print("the same layers" if is_same else "the layers differ")
    return 0 if is_same else 1


def main(arguments: list[str]) -> int:
    """
    Build the image, on the base that ``IMAGE_BASE`` names or one made here; print its size.

    ``compare`` builds it twice instead, and compares the layers.
    """
    base = os.environ.get("IMAGE_BASE", BASE)
    began = time.monotonic()
    if base == BASE and not has_image(BASE):
        make_base()
        print(f"{BASE}: {size_of(BASE) / MB:.0f} MB, {time.monotonic() - began:.0f} s", flush=True)
    if arguments == ["compare"]:
        return compare(base)
    began = time.monotonic()
    build(base)
    size, packed = size_of(IMAGE) / MB, packed_size_of(IMAGE) / MB
    took = time.monotonic() - began
    print(f"{IMAGE}: {size:.0f} MB, {packed:.0f} MB compressed, {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
