"""The sender and the profile in the admin's form of a feed: set, kept, refused at their fields."""

import pytest
from django.test import Client

from common import clock
from feeds import services
from feeds.models import Feed
from imports.models import Profile
from licensing.models import Tenant
from links.models import Link
from tests.feeds.conftest import make_feed
from tests.feeds.test_feed_pages import ADD, operator, typed
from tests.feeds.test_named_profiles import bring, decide
from tests.feeds.test_senders import SENDER, mail_is_on
from tests.feeds.test_six_weeks import ADA, rows

__all__ = ["bring", "mail_is_on", "operator"]  # fixtures
pytestmark = pytest.mark.django_db
MAIL = {"sender_who": "address", "sender_address": "sam@shop.example"}
IMAP = {
    "place_senders": "@shop.example",
    "place_authServer": "mx.example",
    "place_tls": "implicit",
}


def form_of(feed: Feed) -> str:
    return f"/admin/feeds/feed/{feed.pk}/form/"


def profile_of(owner, *, catalog_key="members", scope="", columns=("Number", "Name")) -> Profile:
    count = Profile.objects.count()
    return Profile.objects.create(
        public_id=f"prf_{count}", tenant=owner, scope=scope, catalog_key=catalog_key,
        fingerprint=f"{count}", columns=list(columns), mapping={}, saved_at=clock.now(),
        saved_by=ADA.as_dict(),
    )  # fmt: skip


def shown_of(client: Client, page: str, field: str) -> dict[str, str]:
    """Return the choices of a field on a page."""
    return dict(client.get(page).context["form"].fields[field].choices)


def as_typed(client: Client, feed: Feed) -> dict[str, str]:
    """Return what a browser sends of an unchanged form."""
    form = client.get(form_of(feed)).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: "on" if value is True else value for name, value in values.items() if value}


def test_a_feed_is_added_with_a_sender_and_a_profile(operator, owner, members, licensed):
    profile = profile_of(owner)
    more = {"sender_language": "de", "sender_done": "on", "sender_failed": "on"}
    answer = operator.post(
        ADD, typed(owner, profile_id=profile.public_id, sender_corrects="on", **MAIL, **more)
    )

    assert answer.status_code == 302, answer.context["form"].errors
    feed = Feed.objects.get()
    assert feed.profile_id == profile.public_id
    assert feed.sender == {
        "address": "sam@shop.example",
        "language": "de",
        "mails": ["failed", "done"],
        "corrects": True,
    }
    assert feed.summary_due_at is None


def test_a_mailbox_may_mail_to_the_sender_of_each_mail(operator, owner, members, licensed):
    wanted = typed(owner, sender_who="each", sender_digest="on", **IMAP)
    answer = operator.post(ADD.replace("sftp", "imap"), wanted)

    assert answer.status_code == 302, answer.context["form"].errors
    feed = Feed.objects.get()
    assert feed.sender == {"address": "", "language": "en", "mails": ["digest"], "corrects": False}
    assert feed.summary_due_at is not None
    assert as_typed(operator, feed)["sender_who"] == "each"


@pytest.mark.parametrize(
    ("kind", "changes", "field", "sentence"),
    [
        ("sftp", {"sender_who": "address"}, "sender_address", "Enter it to mail to one address"),
        ("sftp", {"sender_address": "a@b.example"}, "sender_address", "Enter it to mail to one"),
        ("sftp", {**MAIL, "sender_address": "sam"}, "sender_address", "valid email address"),
        ("sftp", {"sender_corrects": "on"}, "sender_who", "Choose who gets mails"),
        ("sftp", {"sender_who": "each"}, "sender_who", "not one of the available choices"),
        (
            "imap",
            {**IMAP, "place_unprovenSenders": "on", "place_authServer": "", "sender_who": "each"},
            "sender_address",
            "only a mailbox that proves senders",
        ),
        ("sftp", {**MAIL, "sender_language": "xx"}, "sender_language", "available choices"),
        ("sftp", {"profile_id": "prf_none"}, "profile_id", "Choose a profile of this tenant"),
    ],
)
def test_a_wrong_sender_or_profile_is_refused_at_its_field(
    operator, owner, members, licensed, kind, changes, field, sentence
):
    answer = operator.post(ADD.replace("sftp", kind), typed(owner, **changes))

    errors = answer.context["form"].errors
    assert list(errors) == [field]
    assert sentence in errors[field][0]
    assert Feed.objects.count() == 0


def test_an_unchanged_form_changes_no_sender_and_revokes_no_link(
    operator, owner, feed, bring, mail_is_on
):
    decide(bring(rows(40), "w0.csv"), feed, "Number")
    mails = ["done", "failed"]  # in another order than the form has
    about = {"sender": {**SENDER, "mails": mails}}
    services.change_feed(feed=feed, changes=about, actor=ADA, at=clock.now())
    bring(f"{rows(40)}M40,Hildegard,last monday\nM41,Wilhelm,last monday\n", "w1.csv")
    assert Link.objects.get().state == "open"

    sent = as_typed(operator, feed)
    assert sent["sender_corrects"] == "on"
    assert operator.post(form_of(feed), sent | {"name": "Other"}).status_code == 302
    feed.refresh_from_db()
    assert (feed.name, feed.sender["mails"]) == ("Other", mails)
    assert Link.objects.get().state == "open"

    operator.post(form_of(feed), sent | {"sender_address": "eve@shop.example"})
    feed.refresh_from_db()
    assert feed.sender == {**SENDER, "mails": mails, "address": "eve@shop.example"}
    assert Link.objects.get().state == "revoked"


def test_a_sender_is_removed(operator, owner, feed):
    change = {"changes": {"sender": {**SENDER, "mails": ["digest"]}}}
    services.change_feed(feed=feed, actor=ADA, at=clock.now(), **change)

    assert operator.post(form_of(feed), typed(owner)).status_code == 302
    feed.refresh_from_db()
    assert (feed.sender, feed.summary_due_at) == (None, None)


def test_only_fitting_profiles_of_the_tenant_are_offered(operator, owner, time, feed):
    other = Tenant.objects.create(public_id="tnt_other", created_at=clock.now())
    fits = profile_of(owner, columns=[f"c{number}" for number in range(8)])
    scoped, foreign = profile_of(owner, scope="acme"), profile_of(other)
    elsewhere = profile_of(owner, catalog_key="orders")

    offered = shown_of(operator, form_of(feed), "profile_id")
    assert list(offered) == ["", fits.public_id]
    assert offered[fits.public_id] == f"{fits.public_id}: c0, c1, c2, c3, c4 and 3 more"
    of_acme = make_feed(owner, time, scope="acme")
    both = shown_of(operator, form_of(of_acme), "profile_id")
    assert set(both) == {"", fits.public_id, scoped.public_id}
    of_all = shown_of(operator, ADD, "profile_id")
    assert set(of_all) == {"", fits.public_id, scoped.public_id, elsewhere.public_id}
    assert elsewhere.public_id in of_all[elsewhere.public_id]
    assert "orders" in of_all[elsewhere.public_id]
    refused = operator.post(form_of(feed), typed(owner, profile_id=foreign.public_id))
    assert list(refused.context["form"].errors) == ["profile_id"]


def test_the_profile_of_another_scope_is_refused_once_the_scope_changes(
    operator, owner, time, feed
):
    scoped = profile_of(owner, scope="acme")
    feed = make_feed(owner, time, scope="acme", profile_id=scoped.public_id)

    moved = operator.post(form_of(feed), typed(owner, scope="x", profile_id=scoped.public_id))
    assert list(moved.context["form"].errors) == ["profile_id"]
    kept = operator.post(form_of(feed), typed(owner, scope="acme", profile_id=scoped.public_id))
    assert kept.status_code == 302
    feed.refresh_from_db()
    assert feed.profile_id == scoped.public_id


def test_a_deleted_profile_stays_named_until_another_is_chosen(operator, owner, feed):
    profile = profile_of(owner)
    change = {"changes": {"profile_id": profile.public_id}}
    services.change_feed(feed=feed, actor=ADA, at=clock.now(), **change)
    profile.delete()

    sent = as_typed(operator, feed)
    assert sent["profile_id"] == "prf_0"
    assert shown_of(operator, form_of(feed), "profile_id")["prf_0"] == "prf_0 (deleted)"
    assert operator.post(form_of(feed), sent | {"name": "Other"}).status_code == 302
    feed.refresh_from_db()
    assert (feed.name, feed.profile_id) == ("Other", "prf_0")
    assert operator.post(form_of(feed), sent | {"profile_id": ""}).status_code == 302
    feed.refresh_from_db()
    assert feed.profile_id == ""
