"""
Typed parsing of ``IMPORT_*`` environment variables; an invalid value stops the start by name.

Any variable may be set as ``NAME_FILE``, a file with the value (for secrets).
"""

import os
import re
from collections.abc import Callable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?", re.IGNORECASE)
PATH_PREFIX = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")


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
            "ENGINE": "common.databases.postgresql",
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

    def path_prefix(self, name: str) -> str:
        """Return the path that all addresses are below, such as ``/imports``; empty for none."""

        def parse(text: str) -> str:
            if not PATH_PREFIX.fullmatch(text.rstrip("/")):
                raise ValueError
            return text.rstrip("/")

        return self._read(name, "", parse, "a path such as /imports")

    def origin(self, name: str) -> str:
        """Return the origin of pages, such as ``https://import.example.com``, or an empty text."""
        text = self.text(name).rstrip("/")
        if text and not ORIGIN.fullmatch(text):
            raise ImproperlyConfigured(f"{name} is not an origin such as https://host.")
        return text.lower()

    def bucket(self, name: str) -> str:
        """Return the URL of a bucket, ``https://host/bucket/prefix``, or an empty text."""
        text = self.text(name).rstrip("/")
        url = urlsplit(text)
        is_bucket = url.scheme in {"http", "https"} and url.hostname and url.path.strip("/")
        if text and (not is_bucket or url.username or url.query):
            raise ImproperlyConfigured(
                f"{name} is not an https://host/bucket address; credentials are set apart."
            )
        return text

    def issuer(self, name: str) -> str:
        """Return the address of a provider of OpenID Connect, or an empty text."""
        text = self.text(name).rstrip("/")
        url = urlsplit(text)
        if text and (url.scheme not in {"http", "https"} or not url.hostname or url.query):
            raise ImproperlyConfigured(f"{name} is not the https:// address of a provider.")
        return text.removesuffix("/.well-known/openid-configuration")

    def mail(self, name: str) -> dict[str, Any]:
        """
        Parse ``smtp://user:password@host:port`` (STARTTLS) or ``smtps://`` (TLS from the start).

        ``?tls=off`` is for a relay on the same machine. Return Django's settings of mail.
        """
        text = self.text(name)
        if not text:
            return {}
        url = urlsplit(text)
        if (
            url.scheme not in {"smtp", "smtps"}
            or not url.hostname
            or url.query not in {"", "tls=off"}
        ):
            raise ImproperlyConfigured(f"{name} is not an smtp://user:password@host:port address.")
        is_tls = url.scheme == "smtps"
        return {
            "EMAIL_HOST": url.hostname,
            "EMAIL_PORT": url.port or (465 if is_tls else 587),
            "EMAIL_HOST_USER": unquote(url.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
            "EMAIL_USE_SSL": is_tls,
            "EMAIL_USE_TLS": not is_tls and not url.query,
        }

    def push_seconds(self) -> float | None:
        """
        Return the seconds between two pushes of metrics; None for none.

        The variables are those of OpenTelemetry, whose library reads the others: headers,
        certificates, compression, the name of the service.
        """
        of_metrics = "OTEL_EXPORTER_OTLP_METRICS_{}", "OTEL_EXPORTER_OTLP_{}"
        endpoint, protocol = (
            next(filter(None, (self.text(name.format(what)) for name in of_metrics)), "")
            for what in ("ENDPOINT", "PROTOCOL")
        )
        is_off = self.text("OTEL_SDK_DISABLED").lower() == "true"
        if is_off or not endpoint or self.text("OTEL_METRICS_EXPORTER", "otlp") == "none":
            return None
        if protocol not in {"", "http/protobuf"}:
            raise ImproperlyConfigured(
                f"OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, not {protocol!r}."
            )
        if urlsplit(endpoint).scheme not in {"http", "https"}:
            raise ImproperlyConfigured(
                "OTEL_EXPORTER_OTLP_ENDPOINT is not an http:// or https:// address."
            )
        return self.integer("OTEL_METRIC_EXPORT_INTERVAL", 60_000, at_least=100) / 1_000

    def _read(self, name: str, default: T, parse: Callable[[str], T], wanted: str) -> T:
        text = self.text(name)
        if text == "":
            return default
        try:
            return parse(text)
        except (ValueError, KeyError) as error:
            raise ImproperlyConfigured(f"{name} must be {wanted}, not {text!r}.") from error
