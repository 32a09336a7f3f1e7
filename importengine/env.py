"""
Typed parsing of ``IMPORT_*`` environment variables; an invalid value stops the start by name.

Any variable may be set as ``NAME_FILE``, a file with the value (for secrets).
"""

import os
from collections.abc import Callable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


class Env:
    """Reads the variables of one environment, each with a type and a default."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        self._variables = variables

    def text(self, name: str, default: str = "") -> str:
        """Return text, from NAME or from the file that NAME_FILE names."""
        file = self._variables.get(f"{name}_FILE")
        if file is None:
            return self._variables.get(name, default)
        if name in self._variables:
            raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; keep one.")
        try:
            return Path(file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from error

    def boolean(self, name: str, *, default: bool) -> bool:
        """Parse 1/0, true/false, yes/no, on/off."""
        words = {"1": True, "true": True, "yes": True, "on": True}
        words |= {"0": False, "false": False, "no": False, "off": False}
        return self._read(name, default, lambda text: words[text.lower()], "1 or 0")

    def integer(self, name: str, default: int, *, at_least: int = 0) -> int:
        """Parse a whole number."""

        def parse(text: str) -> int:
            if (number := int(text)) < at_least:
                raise ValueError
            return number

        return self._read(name, default, parse, f"a whole number of at least {at_least}")

    def integers(
        self, name: str, default: tuple[int, ...], *, at_least: int = 0
    ) -> tuple[int, ...]:
        """Parse a comma-separated list of whole numbers."""

        def parse(text: str) -> tuple[int, ...]:
            numbers = tuple(int(word) for word in text.split(","))
            if min(numbers) < at_least:
                raise ValueError
            return numbers

        return self._read(name, default, parse, f"whole numbers of at least {at_least}")

    def path(self, name: str, default: Path) -> Path:
        """Return a path; relative paths start at the current folder."""
        return self._read(name, default, lambda text: Path(text).expanduser().absolute(), "a path")

    def folder(self, name: str) -> Path | None:
        """Return the path of an existing folder, or None."""

        def parse(text: str) -> Path:
            path = Path(text).expanduser().absolute()
            if not path.is_dir():
                raise ValueError
            return path

        return self._read(name, None, parse, "a folder that is there")

    def words(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Parse a comma-separated list."""
        text = self.text(name)
        return tuple(part.strip() for part in text.split(",") if part.strip()) or default

    def networks(self, name: str) -> tuple[IPv4Network | IPv6Network, ...]:
        """Parse comma-separated networks in CIDR notation."""
        try:
            return tuple(ip_network(word) for word in self.words(name))
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} is not a list of networks: {error}") from error

    def one_of(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        """Return one of the allowed words."""
        return self._read(
            name, default, lambda text: allowed[allowed.index(text)], " or ".join(allowed)
        )

    def postgres(self, name: str) -> dict[str, object] | None:
        """Parse a ``postgresql://user:password@host:port/database?option=value`` URL."""
        text = self.text(name)
        if not text:
            return None
        url = urlsplit(text)
        if url.scheme not in {"postgres", "postgresql"} or not url.path.strip("/"):
            raise ImproperlyConfigured(f"{name} is not a postgresql://host/database address.")
        options = dict(part.split("=", 1) for part in url.query.split("&") if "=" in part)
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(url.path.strip("/")),
            "USER": unquote(url.username or ""),
            "PASSWORD": unquote(url.password or ""),
            "HOST": url.hostname or "",
            "PORT": str(url.port or ""),
            "OPTIONS": options,
        }

    def redis(self, name: str) -> str:
        """Return a ``redis://`` or ``rediss://`` URL, or an empty text."""
        text = self.text(name)
        if text and urlsplit(text).scheme not in {"redis", "rediss"}:
            raise ImproperlyConfigured(f"{name} is not a redis:// address.")
        return text

    def _read(self, name: str, default: T, parse: Callable[[str], T], wanted: str) -> T:
        text = self.text(name)
        if text == "":
            return default
        try:
            return parse(text)
        except (ValueError, KeyError) as error:
            raise ImproperlyConfigured(f"{name} must be {wanted}, not {text!r}.") from error
