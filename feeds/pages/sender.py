"""The fields of a form about the sender of a feed's files: who, which mails, and corrections."""

from collections.abc import Mapping
from typing import Any

from django import forms

from feeds.models import Feed
from mails.choices import language_names
from mails.models import ADDRESS_LENGTH, Kind
from tabular.model.sentences import LANGUAGES

ADDRESS, EACH = "address", "each"  # who the sender is
MAILS = {
    Kind.WAITING: "Mail when a file waits",
    Kind.FAILED: "Mail when a file failed",
    Kind.DONE: "Mail when a file is imported",
    Kind.DIGEST: "Mail once a day",
}


def sender_fields(kind: str) -> dict[str, forms.Field]:
    """Return the fields of a form, for a feed of a kind."""
    who = [("", "Only people of the admin"), (ADDRESS, "One mail address")]
    if kind == Feed.Kind.IMAP:
        who.append((EACH, "The sender of each mail"))
    return {
        "who": forms.ChoiceField(label="Who hears of files", required=False, choices=who),
        "address": forms.EmailField(
            label="Mail address", required=False, max_length=ADDRESS_LENGTH
        ),
        "language": forms.ChoiceField(
            label="Language of mails", required=False, choices=language_names()
        ),
        **{
            mail.value: forms.BooleanField(label=label, required=False)
            for mail, label in MAILS.items()
        },
        "corrects": forms.BooleanField(
            label="Corrects rows with errors",
            required=False,
            help_text="They get a link to the rows with errors of a file, and to nothing else.",
        ),
    }


def faults_of(typed: Mapping[str, Any]) -> dict[str, str]:
    """Return what is wrong at which field with what was entered."""
    who, wants_mail = typed.get("who"), any(typed.get(mail.value) for mail in MAILS)
    if not who and (wants_mail or typed.get("corrects")):
        return {"who": "Choose who gets mails or corrects rows."}
    if (who == ADDRESS) != bool(typed.get("address")):
        return {"address": "Enter it to mail to one address, and only then."}
    return {}


def sender_of(typed: Mapping[str, Any], kept: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the sender as a feed stores it; mails keep their order if they are the same."""
    if not typed["who"]:
        return None
    mails = [mail.value for mail in MAILS if typed[mail.value]]
    former = list(kept["mails"]) if kept else []
    return {
        "address": typed["address"],
        "language": typed["language"] or LANGUAGES[0],
        "mails": former if set(former) == set(mails) else mails,
        "corrects": typed["corrects"],
    }


def typed_of(sender: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a person would enter for a stored sender."""
    if sender is None:
        return {}
    mails = {mail.value: mail.value in sender["mails"] for mail in MAILS}
    about = {name: sender[name] for name in ("address", "language", "corrects")}
    return {"who": ADDRESS if sender["address"] else EACH, **about, **mails}
