"""What the provider's groups give."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from importengine.people.group_map import Grant, Rights, groups_in, read, rights_of

MAP = read(
    "ops = superuser; editors = editor@tnt_a\nreaders = viewer@tnt_a; readers = viewer@tnt_b"
)


def test_groups_may_hold_the_signs_of_a_directory():
    grants = read("cn=editors,dc=acme = editor@tnt_a")

    assert grants == (Grant("cn=editors,dc=acme", "editor", "tnt_a"),)


@pytest.mark.parametrize(
    "text",
    ["ops", "ops =", "= editor@tnt_a", "ops = editor", "ops = @tnt_a", "ops = superuser@tnt_a"],
)
def test_a_line_that_gives_nothing_stops_the_start(text):
    with pytest.raises(ImproperlyConfigured, match="IMPORT_OIDC_GROUPS"):
        read(text)


def test_an_editor_of_a_tenant_who_is_a_viewer_too_stays_an_editor():
    rights = rights_of(["readers", "editors"], MAP)

    assert rights.roles == (("tnt_a", "editor"), ("tnt_b", "viewer"))
    assert rights.groups == {"editor", "viewer"}


def test_groups_that_are_not_in_the_map_give_nothing():
    assert rights_of(["Ops", "editor", "superuser"], MAP) == Rights()
    assert not rights_of([], MAP)


def test_a_superuser_needs_no_tenant():
    assert rights_of(["ops"], MAP) == Rights(is_superuser=True)


@pytest.mark.parametrize(
    ("claim", "groups"),
    [(["a", 1, None, "b"], ("a", "b")), ("a", ("a",)), (None, ()), ({"a": True}, ()), (True, ())],
)
def test_only_names_in_a_claim_are_groups(claim, groups):
    assert groups_in(claim) == groups
