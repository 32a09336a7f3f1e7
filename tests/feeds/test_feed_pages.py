"""The pages of feeds in the admin: who may add and change them, what is refused, and no secret."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from feeds.models import Feed
from licensing.models import Membership
from tests.feeds.conftest import imports_of
from tests.feeds.test_drift_questions import odd, questions_about
from tests.feeds.test_six_weeks import week

__all__ = ["odd", "week"]  # fixtures
pytestmark = pytest.mark.django_db
ADD = "/admin/feeds/feed/add/?kind=sftp"
SECRET = "secret-of-the-feed"


def person_of(owner, group, role="editor"):
    user = get_user_model().objects.create_user(f"{group}-{role}", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    Membership.objects.create(user=user, tenant=owner, role=role)
    client = Client()
    client.force_login(user)
    return client


def typed(owner, **changes):
    return {
        "tenant": owner.public_id, "name": "Weekly", "catalog_key": "members", "action": "keep",
        "schedule": "0 6 * * 1", "time_zone": "UTC", "place_host": "files.example",
        "place_user": "engine", "secret_password": SECRET,
    } | changes  # fmt: skip


@pytest.fixture
def operator(owner):
    return person_of(owner, "operator")


def test_an_operator_adds_a_feed_and_its_secret_is_never_shown(operator, owner, members, licensed):
    answer = operator.post(ADD, typed(owner, apply="on", max_invalid_rows="3", place_port="2222"))
    feed = Feed.objects.get()

    assert (answer.status_code, answer.url) == (302, f"/admin/feeds/feed/{feed.pk}/change/")
    assert feed.settings == {"host": "files.example", "port": 2222, "user": "engine"}
    assert feed.rules == {"apply": True, "max_invalid_rows": 3}
    for page in (answer.url, f"/admin/feeds/feed/{feed.pk}/form/", "/admin/feeds/feed/"):
        shown = operator.get(page)
        assert shown.status_code == 200
        assert SECRET not in shown.content.decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"place_host": ""}, "This field is required."),
        ({"catalog_key": "none"}, "There is no published catalog with the key"),
        ({"schedule": "weekly"}, "cron"),
        ({"time_zone": "Mars"}, "time zone"),
        ({"secret_password": ""}, "This setting is missing, unknown or not accepted: password."),
        ({"action": "move"}, "Enter it to move or rename files, and only then."),
        ({"tenant": "tnt_other"}, "not one of the available choices"),
        ({"max_invalid_percent": "101"}, "less than or equal to 100"),
    ],
)
def test_what_is_refused_is_said_at_its_field(
    operator, owner, members, licensed, changes, sentence
):
    answer = operator.post(ADD, typed(owner, **changes))

    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert SECRET not in answer.content.decode()
    assert Feed.objects.count() == 0


def test_a_secret_stays_unless_another_is_entered_or_the_place_is_another(operator, owner, feed):
    form = f"/admin/feeds/feed/{feed.pk}/form/"
    kept = feed.secret

    renamed = operator.post(form, typed(owner, name="Other", secret_password=""))
    elsewhere = operator.post(form, typed(owner, place_host="new.example", secret_password=""))
    feed.refresh_from_db()

    assert renamed.status_code == 302
    assert (feed.name, feed.secret, feed.settings["host"]) == ("Other", kept, "files.example")
    assert "secret" in elsewhere.content.decode()
    assert operator.post(form, typed(owner, place_host="new.example")).status_code == 302


@pytest.mark.parametrize(("group", "role"), [("viewer", "editor"), ("operator", "viewer")])
def test_who_may_not_act_on_a_feed_neither_changes_nor_runs_it(owner, feed, group, role):
    person = person_of(owner, group, role)

    assert person.get(f"/admin/feeds/feed/{feed.pk}/change/").status_code == 200
    for page in ("form", "act"):
        answer = person.post(f"/admin/feeds/feed/{feed.pk}/{page}/", {"act": "pause"})
        assert answer.status_code == 403
    feed.refresh_from_db()
    assert feed.state == "active"


def test_the_buttons_of_a_feed_pause_and_resume_it(operator, feed):
    act = f"/admin/feeds/feed/{feed.pk}/act/"

    operator.post(act, {"act": "pause"})
    feed.refresh_from_db()
    assert (feed.state, feed.due_at) == ("paused", None)
    operator.post(act, {"act": "resume"})
    feed.refresh_from_db()
    assert feed.state == "active"
    assert operator.post(act, {"act": "explode"}).status_code == 404


def test_a_reviewer_decides_about_each_finding_and_applies(owner, feed, odd):
    reviewer = person_of(owner, "editor")
    page = f"/admin/feeds/waiting/{odd.public_id}/"
    shown = reviewer.get(page).content.decode()
    first, second = questions_about(odd)

    assert "Fewer rows than usual: 48. Usual: 100." in shown
    assert "<tr><th>rows</th><td>100</td><td>48</td></tr>" in shown
    assert 'value="apply"' not in shown
    reviewer.post(page, {"act": "apply"})
    odd.refresh_from_db()
    assert odd.state == "review"
    reviewer.post(page, {"act": f"right:{first.public_id}"})
    reviewer.post(page, {"act": f"right:{second.public_id}"})
    reviewer.post(page, {"act": "apply"})
    odd.refresh_from_db()
    assert odd.state == "applying"


def test_a_wrong_file_is_cancelled_on_the_page(owner, feed, odd):
    reviewer = person_of(owner, "editor")

    reviewer.post(
        f"/admin/feeds/waiting/{odd.public_id}/",
        {"act": f"wrong:{questions_about(odd)[0].public_id}"},
    )

    assert imports_of(feed)[-1].state == "cancelled"


@pytest.mark.parametrize(
    ("group", "role", "status"), [("operator", "editor", 403), ("editor", "viewer", 403)]
)
def test_who_may_not_review_decides_nothing(owner, odd, group, role, status):
    person = person_of(owner, group, role)
    page = f"/admin/feeds/waiting/{odd.public_id}/"

    assert person.get(page).status_code == 200
    assert person.post(page, {"act": "cancel"}).status_code == status


def test_a_stranger_sees_no_waiting_import(owner, odd, db):
    stranger = get_user_model().objects.create_user("stranger", is_staff=True)
    stranger.groups.add(Group.objects.get(name="editor"))
    client = Client()
    client.force_login(stranger)

    assert client.get(f"/admin/feeds/waiting/{odd.public_id}/").status_code == 404
