"""The fields of a form about a place and what signs in there, for each kind of source."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django import forms

from feeds.models import Feed

Shape = Literal["text", "number", "choice", "lines", "flag", "secret", "key"]


@dataclass(frozen=True, slots=True)
class PlaceField:
    """One setting of a source. name: its member in the API."""

    name: str
    label: str
    help: str = ""
    shape: Shape = "text"
    required: bool = False
    choices: tuple[tuple[str, str], ...] = ()

    def field(self) -> forms.Field:
        """Return its field of a form."""
        about: dict[str, Any] = {
            "label": self.label,
            "help_text": self.help,
            "required": self.required,
        }
        match self.shape:
            case "number":
                return forms.IntegerField(min_value=1, max_value=65_535, **about)
            case "choice":
                return forms.ChoiceField(choices=self.choices, **about)
            case "lines":
                return forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), **about)
            case "flag":
                return forms.BooleanField(**about)
            case "secret":
                widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
                return forms.CharField(widget=widget, strip=False, **about)
            case "key":
                return forms.CharField(widget=UnshownText(attrs={"rows": 4}), strip=False, **about)
        return forms.CharField(**about)


class UnshownText(forms.Textarea):
    """A text of several lines that no answer repeats."""

    def format_value(self, value: Any) -> None:
        """Return nothing."""
        return


_HOST = PlaceField("host", "Host", "Such as files.example.com.", required=True)
_USER = PlaceField("user", "User", required=True)
_PATTERN = PlaceField("pattern", "File names", "With * and ?. Blank: all.")
PLACES: Mapping[str, tuple[PlaceField, ...]] = {
    Feed.Kind.SFTP: (
        _HOST,
        PlaceField("port", "Port", "Blank: 22.", "number"),
        _USER,
        PlaceField("folder", "Folder", "Blank: where the sign-in leads to."),
        _PATTERN,
    ),
    Feed.Kind.S3: (
        PlaceField("endpoint", "Endpoint", "Such as https://s3.example.com. Blank: Amazon's."),
        PlaceField("region", "Region", "Blank: us-east-1."),
        PlaceField("bucket", "Bucket", required=True),
        PlaceField("prefix", "Prefix", "Such as out/. Blank: the whole bucket."),
        _PATTERN,
    ),
    Feed.Kind.HTTPS: (
        PlaceField("url", "Address", "The file itself: https://...", required=True),
        PlaceField(
            "auth",
            "Signs in",
            shape="choice",
            choices=(
                ("none", "Not at all"),
                ("basic", "With a user and a password"),
                ("bearer", "With a token"),
                ("header", "With a header"),
            ),
        ),
        PlaceField("user", "User", "Only with a password."),
        PlaceField("header", "Header", "Its name, such as X-Api-Key."),
    ),
    Feed.Kind.IMAP: (
        _HOST,
        PlaceField("port", "Port", "Blank: 993, or 143 without TLS from the start.", "number"),
        PlaceField(
            "tls",
            "Encryption",
            shape="choice",
            choices=(("implicit", "TLS"), ("starttls", "STARTTLS"), ("none", "None")),
        ),
        _USER,
        PlaceField("folder", "Folder", "Blank: INBOX."),
        _PATTERN,
        PlaceField(
            "senders",
            "Allowed senders",
            "Addresses or domains (@example.com), one per line.",
            "lines",
            required=True,
        ),
        PlaceField(
            "authServer",
            "Mail server that proves senders",
            "As the header Authentication-Results names it.",
        ),
        PlaceField(
            "unprovenSenders", "Trust senders without proof", "Anyone can forge a sender.", "flag"
        ),
    ),
}
SECRETS: Mapping[str, tuple[PlaceField, ...]] = {
    Feed.Kind.SFTP: (
        PlaceField("password", "Password", shape="secret"),
        PlaceField("privateKey", "Private key", "Instead of a password. OpenSSH or PEM.", "key"),
        PlaceField("passphrase", "Passphrase", "Of the private key.", "secret"),
    ),
    Feed.Kind.S3: (
        PlaceField("accessKey", "Access key", shape="secret"),
        PlaceField("secretKey", "Secret key", shape="secret"),
    ),
    Feed.Kind.HTTPS: (
        PlaceField("password", "Password", shape="secret"),
        PlaceField("token", "Token", shape="secret"),
        PlaceField("value", "Value of the header", shape="secret"),
    ),
    Feed.Kind.IMAP: (PlaceField("password", "Password", shape="secret"),),
}


def settings_of(kind: str, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that a form has; what is blank is left to its default."""
    settings = {}
    for item in PLACES[kind]:
        value = typed.get(item.name)
        if item.shape == "lines":
            value = str(value or "").split()
        if value not in (None, "", [], False):
            settings[item.name] = value
    return settings


def secret_of(kind: str, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the secret that a form has; empty if nothing was typed."""
    return {item.name: typed[item.name] for item in SECRETS[kind] if typed.get(item.name)}


def typed_of(kind: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as the fields of a form show them."""
    lines = {item.name for item in PLACES[kind] if item.shape == "lines"}
    return {name: "\n".join(value) if name in lines else value for name, value in settings.items()}
