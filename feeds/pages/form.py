"""The form that adds or changes a feed; a secret that was kept is never in it."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from common import clock
from common.errors import ServiceError
from feeds import services
from feeds.models import LONGEST_NAME, Feed
from feeds.pages import sender as senders
from feeds.pages.places import PLACES, SECRETS, secret_of, settings_of, typed_of
from feeds.pages.profiles import profile_field
from licensing.caller import Caller
from licensing.models import Tenant
from licensing.selectors import actor_of, tenants_to_act_for

ACTIONS = (
    ("keep", "Keep it"),
    ("move", "Move it to a folder"),
    ("rename", "Rename it with a suffix"),
    ("delete", "Delete it"),
)
LIMITS = {
    "max_invalid_rows": "Rows with errors",
    "max_invalid_percent": "Rows with errors, %",
    "max_changed_rows": "Records that change",
    "max_changed_percent": "Records that change, %",
    "max_missing_rows": "Records that are missing",
    "max_missing_percent": "Records that are missing, %",
}
RULES = "At most so many. Blank: no limit, but then no row with errors."
BASICS = ("tenant", "name", "catalog_key", "scope", "profile_id")
WHEN = ("schedule", "time_zone")
AFTER = ("action", "to")
FIELD_OF = {"timeZone": "time_zone", "catalogKey": "catalog_key"}  # members with another name
FIELD_OF_CODE = {"unknown_catalog": "catalog_key", "unknown_profile": "profile_id"}
PLACE, SECRET, SENDER = "place_", "secret_", "sender_"  # before names that they may share


class FeedForm(forms.Form):
    """What a person enters about a feed of one kind."""

    tenant = forms.ModelChoiceField(Tenant.objects.none(), to_field_name="public_id")
    name = forms.CharField(max_length=LONGEST_NAME)
    catalog_key = forms.CharField(label="Catalog", max_length=200, help_text="Its key.")
    scope = forms.CharField(
        required=False, max_length=200, help_text="One customer, whose remembered mappings count."
    )
    schedule = forms.CharField(
        max_length=120,
        initial="0 6 * * 1",
        help_text="Minute, hour, day, month, day of the week. 0 6 * * 1: Mondays at 6:00.",
    )
    time_zone = forms.CharField(max_length=64, initial="UTC", help_text="Such as Europe/Berlin.")
    apply = forms.BooleanField(
        required=False,
        label="Apply by itself",
        help_text="If nothing speaks against it. Otherwise each import waits for a person.",
    )
    action = forms.ChoiceField(
        choices=ACTIONS, label="The file", help_text="Once its import is stored."
    )
    to = forms.CharField(
        required=False, max_length=200, label="Folder or suffix", help_text="To move or rename."
    )

    def __init__(
        self, user: AbstractBaseUser | AnonymousUser, kind: str, typed: Any, feed: Feed | None
    ) -> None:
        super().__init__(typed, initial=None if feed is None else _initial(feed))
        self.kind, self.feed, self._user = kind, feed, user
        mine = tenants_to_act_for(user)
        self.fields["tenant"].queryset = mine  # type: ignore[attr-defined]  # a choice of rows
        self.fields["profile_id"] = profile_field(mine, typed, feed)
        if feed is not None:
            del self.fields["tenant"]
        for prefix, items in ((PLACE, PLACES[kind]), (SECRET, SECRETS[kind])):
            self.fields.update({f"{prefix}{item.name}": item.field() for item in items})
        about_sender = senders.sender_fields(kind)
        self.fields.update({f"{SENDER}{name}": field for name, field in about_sender.items()})
        for name, label in LIMITS.items():
            shape = forms.FloatField if name.endswith("percent") else forms.IntegerField
            most = 100 if name.endswith("percent") else 2**31 - 1
            self.fields[name] = shape(label=label, required=False, min_value=0, max_value=most)

    @property
    def parts(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The fields of each part, with its heading and a hint."""
        again = "" if self.feed is None else "Kept, and not shown. Blank: it stays as it is."
        return [
            ("Feed", "", self._named(BASICS)),
            ("Place", "", self._named(f"{PLACE}{item.name}" for item in PLACES[self.kind])),
            ("Sign-in", again, self._named(f"{SECRET}{item.name}" for item in SECRETS[self.kind])),
            ("Schedule", "", self._named(WHEN)),
            ("Rules", RULES, self._named(("apply", *LIMITS))),
            ("After taking a file", "", self._named(AFTER)),
            ("Sender", "", self._named(name for name in self.fields if name.startswith(SENDER))),
        ]

    def _named(self, names: Iterable[str]) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Require a folder, a suffix or an address where it is needed, and refuse it elsewhere."""
        cleaned = super().clean() or self.cleaned_data
        needs = cleaned.get("action") in {"move", "rename"}
        if needs != bool(cleaned.get("to")):
            self.add_error("to", "Enter it to move or rename files, and only then.")
        if f"{SENDER}address" not in self.errors:
            for name, fault in senders.faults_of(self._part(SENDER)).items():
                self.add_error(f"{SENDER}{name}", fault)
        return cleaned

    def save(self) -> Feed | None:
        """Create or change the feed; return None, with errors at the fields, where refused."""
        try:
            return self._create() if self.feed is None else self._change(self.feed)
        except ServiceError as error:
            self._tell(error)
        return None

    def _create(self) -> Feed:
        tenant = self.cleaned_data["tenant"]
        wanted = services.NewFeed(kind=self.kind, secret=self._secret(), **self._members())
        caller = Caller(tenant, "", actor_of(self._user))
        return services.create_feed(caller=caller, wanted=wanted, at=clock.now())

    def _change(self, feed: Feed) -> Feed:
        members = self._members()
        changes = {name: value for name, value in members.items() if value != getattr(feed, name)}
        if secret := self._secret():
            changes["secret"] = secret
        if not changes:
            return feed
        by = actor_of(self._user)
        return services.change_feed(feed=feed, changes=changes, actor=by, at=clock.now())

    def _members(self) -> dict[str, Any]:
        """Return the columns that the form has, all but the secret."""
        typed = self.cleaned_data
        rules = {name: typed[name] for name in ("apply", *LIMITS) if typed[name] not in (None, "")}
        kept = {} if typed["action"] == "keep" else {"action": typed["action"]}
        to = {"to": typed["to"]} if typed["to"] else {}
        kept_sender = None if self.feed is None else self.feed.sender
        return {
            "name": typed["name"],
            "catalog_key": typed["catalog_key"],
            "scope": typed["scope"],
            "settings": settings_of(self.kind, self._part(PLACE)),
            "schedule": typed["schedule"],
            "time_zone": typed["time_zone"],
            "rules": rules,
            "after_taking": kept | to,
            "profile_id": typed["profile_id"],
            "sender": senders.sender_of(self._part(SENDER), kept_sender),
        }

    def _secret(self) -> dict[str, Any]:
        return secret_of(self.kind, self._part(SECRET))

    def _part(self, prefix: str) -> dict[str, Any]:
        return {
            name.removeprefix(prefix): value
            for name, value in self.cleaned_data.items()
            if name.startswith(prefix)
        }

    def _tell(self, error: ServiceError) -> None:
        """Add what was refused to the fields that it is about."""
        listed = error.members.get("errors") or [{"pointer": "", "detail": error.message}]
        for fault in listed:
            name = self._field_at(fault["pointer"], error.code)
            self.add_error(name, str(fault["detail"]))

    def _field_at(self, pointer: str, code: str) -> str | None:
        part, _, member = pointer.strip("/").partition("/")
        prefix = {"settings": PLACE, "secret": SECRET, "sender": SENDER}.get(part, "")
        name = f"{prefix}{member}" if member else FIELD_OF.get(part, part)
        if part == "secret" and not member:
            name = f"{SECRET}{SECRETS[self.kind][0].name}"
        name = FIELD_OF_CODE.get(code, name)
        return name if name in self.fields else None


def _initial(feed: Feed) -> dict[str, Any]:
    """Return what a form shows of a feed: no secret."""
    place: Mapping[str, Any] = typed_of(feed.kind, feed.settings)
    return {
        **{
            name: getattr(feed, name)
            for name in ("name", "catalog_key", "scope", "profile_id", *WHEN)
        },
        **{f"{PLACE}{name}": value for name, value in place.items()},
        **{f"{SENDER}{name}": value for name, value in senders.typed_of(feed.sender).items()},
        **feed.rules,
        **({"action": "keep"} | feed.after_taking),
    }
