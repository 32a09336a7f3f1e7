"""The texts of mails in the language of their reader: ids, codes and counts, never a cell."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string

from common.http.addresses import public
from common.wording.messages import Message
from common.wording.writing import direction, moment
from mails.models import Kind, Line, Mail
from mails.readers import Reader

MOST_LINES = 20
LOGO_ID = "logo@import-engine"  # of the part with the picture, RFC 2392
Named = Callable[[str], Message]
SUBJECTS: Mapping[str, Named] = {
    Kind.WAITING: lambda name: Message("mail.waiting", name=name),
    Kind.FAILED: lambda name: Message("mail.failed", name=name),
    Kind.DONE: lambda name: Message("mail.done", name=name),
    Kind.DIGEST: lambda name: Message("mail.digest", name=name),
}
OF_SENDERS: Mapping[str, Named] = {
    Kind.WAITING: lambda name: Message("mail.waiting.sender", name=name),
    Kind.FAILED: lambda name: Message("mail.failed.sender", name=name),
    Kind.DONE: lambda name: Message("mail.done.sender", name=name),
    Kind.DIGEST: lambda name: Message("mail.digest", name=name),
}
EVENTS: Mapping[str, Callable[[str, str], Message]] = {  # by catalog and code
    "import.waiting": lambda catalog, code: Message("mail.line.waiting", catalog=catalog),
    "import.failed": lambda catalog, code: Message("mail.line.failed", catalog=catalog, cause=code),
    "import.applied": lambda catalog, code: Message("mail.line.applied", catalog=catalog),
    "feed.failed": lambda catalog, code: Message("mail.line.feed", catalog=catalog, cause=code),
    "delivery.exhausted": lambda catalog, code: Message("mail.line.delivery"),
}
WHY: Mapping[str, Message] = {
    "mapping": Message("mail.why.mapping"),
    "questions": Message("mail.why.questions"),
    "corrections": Message("mail.why.corrections"),
    "rows_with_errors": Message("mail.why.rows_with_errors"),
    "apply": Message("mail.why.apply"),
    "approval": Message("mail.why.approval"),
    "second_person": Message("mail.why.second_person"),
    "changed_since_approval": Message("mail.why.changed_since_approval"),
    "revert": Message("mail.why.revert"),
    "conflicts": Message("mail.why.conflicts"),
    "feed_rules": Message("mail.why.feed_rules"),
}
OTHER_REASON = Message("mail.why.other")
TO_CORRECT = Message("mail.why.correct")
COUNTED: Mapping[str, Message] = {
    "received": Message("mail.digest.received"),
    "applied": Message("mail.digest.applied"),
    "failed": Message("mail.digest.failed"),
    "waiting": Message("mail.digest.waiting"),
}
PAGES = {  # in the admin, by the noun of an event
    "import": "/admin/imports/importrecord/?q={}",
    "feed": "/admin/feeds/feed/?q={}",
    "delivery": "/admin/deliveries/delivery/?q={}",
}


@dataclass(frozen=True, slots=True)
class Item:
    """What a mail says of one object."""

    text: str
    moment: str
    why: str
    url: str  # empty for a sender with nothing to do, as they have no account
    open: str  # what the reader does there


@dataclass(frozen=True, slots=True)
class Content:
    """A mail as its reader sees it."""

    subject: str
    text: str
    html: str


def written(mail: Mail, reader: Reader, *, stop_url: str, has_logo: bool = False) -> Content:
    """Return the texts of a mail. has_logo: whether it has a picture under the id of a logo."""
    language, name = reader.language, name_of(mail)
    is_sender = mail.user_id is None
    subject = (OF_SENDERS if is_sender else SUBJECTS)[mail.kind](name).text(language)
    lines = _last_of_each(mail.lines.order_by("pk"))
    items = [_item(line, language, is_sender=is_sender) for line in lines[:MOST_LINES]]
    more = len(lines) - len(items)
    about = Message("mail.about.sender", name=name) if is_sender else Message("mail.about")
    context = {
        "name": name,
        "title": subject,
        "items": items,
        "more": Message("mail.more", n=more).text(language) if more else "",
        "counts": _counts(mail, language),
        "open": Message("mail.open").text(language),
        "logo_id": LOGO_ID,
        "about": about.text(language),
        "stop": Message("mail.stop").text(language),
        "stop_url": stop_url,
        "choose": "" if is_sender else Message("mail.choose").text(language),
        "choose_url": public("/admin/mail/"),
        "overview_url": public("/admin/") if mail.counts and not is_sender else "",
        "has_logo": has_logo,
        "language": language,
        "direction": direction(language),
    }
    text = render_to_string("mails/mail.txt", context).strip() + "\n"
    return Content(subject, text, render_to_string("mails/mail.html", context))


def name_of(mail: Mail) -> str:
    """Return the name of a tenant on one line: a subject has no more."""
    return " ".join((mail.tenant.label or mail.tenant.host_id).split())


def _last_of_each(lines: Iterable[Line]) -> list[Line]:
    """Return the last line about each object, the newest object first."""
    last: dict[str, Line] = {}
    for line in lines:
        last.pop(line.subject, None)
        last[line.subject] = line
    return list(reversed(last.values()))


def _item(line: Line, language: str, *, is_sender: bool) -> Item:
    is_waiting = line.event == "import.waiting"
    code = "" if is_waiting else ", ".join(line.why)
    page = line.page if is_sender else PAGES[line.event.partition(".")[0]].format(line.subject)
    reasons = [WHY.get(code, OTHER_REASON) for code in line.why if is_waiting]
    if is_sender:  # what staff must do is not for them
        reasons = [TO_CORRECT] if page else []
    return Item(
        text=EVENTS[line.event](line.catalog_key, code).text(language),
        moment=moment(line.at, language),
        why=" ".join(dict.fromkeys(reason.text(language) for reason in reasons)),
        url=public(page) if page else "",
        open=(Message("mail.correct") if is_sender else Message("mail.open")).text(language),
    )


def _counts(mail: Mail, language: str) -> list[tuple[str, int]]:
    return [
        (COUNTED[name].text(language), number)
        for name, number in mail.counts.items()
        if name in COUNTED
    ]
