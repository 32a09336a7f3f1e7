"""What the checks and ``doctor`` say of the settings of people."""

import os
import subprocess
import sys
from ipaddress import ip_network

import pytest

from importengine.checks import check_deployment
from importengine.people.diagnosis import provider_findings
from importengine.people.group_map import read
from tests.importengine.people.provider import running


def started_with(**settings: str) -> str:
    """Return what a start with these settings says."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("IMPORT_", "DJANGO_"))}
    environment = {**clean, "DJANGO_SETTINGS_MODULE": "importengine.settings", **settings}
    command = [sys.executable, "-c", "from django.conf import settings; settings.OIDC_URL"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"IMPORT_OIDC_URL": "login.example"}, "IMPORT_OIDC_URL is not the https:// address"),
        ({"IMPORT_OIDC_URL": "https://login.example"}, "IMPORT_OIDC_CLIENT_ID is missing"),
        ({"IMPORT_OIDC_GROUPS": "ops"}, "IMPORT_OIDC_GROUPS has 'ops'"),
        ({"IMPORT_PASSWORDS": "0"}, "IMPORT_PASSWORDS is off; IMPORT_OIDC_URL is missing"),
        ({"IMPORT_MAIL_URL": "mail.example"}, "IMPORT_MAIL_URL is not an smtp://"),
        ({"IMPORT_MAIL_URL": "smtp://mail.example"}, "IMPORT_MAIL_FROM is missing"),
        ({"IMPORT_OIDC_SESSION_MINUTES": "1"}, "IMPORT_OIDC_SESSION_MINUTES must be"),
    ],
)
def test_a_setting_that_makes_no_sense_stops_the_start_by_name(given, says, tmp_path):
    assert says in started_with(IMPORT_DATA_DIR=str(tmp_path), **given)


@pytest.mark.django_db
def test_a_deployment_is_told_of_groups_that_are_not_there(settings):
    settings.OIDC_GROUPS = read("a = editor@tnt_a; b = editors@tnt_a")
    settings.OIDC_ALLOW_NETWORKS = (ip_network("0.0.0.0/0"),)

    errors = {error.id: error.msg for error in check_deployment(None)}

    assert "not there: editors." in errors["importengine.E013"]
    assert "importengine.E012" in errors


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("hosts", "mail", "named"),
    [
        (["*"], True, True),
        (["a.example", ".b.example"], True, True),
        (["a.example"], True, False),
        (["*"], False, False),
    ],
)
def test_mails_need_hosts_that_are_named(settings, hosts, mail, named):
    settings.ALLOWED_HOSTS = hosts
    settings.MAIL = {"EMAIL_HOST": "mail.example"} if mail else {}

    assert ("importengine.E014" in {error.id for error in check_deployment(None)}) is named


@pytest.mark.django_db
def test_doctor_calls_the_provider_and_names_what_is_wrong(settings):
    settings.OIDC_GROUPS = read("a = editor@tnt_missing")
    with running() as provider:
        settings.OIDC_URL = provider.url
        closed = list(provider_findings())
        settings.OIDC_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
        provider.discovery["issuer"] = "https://elsewhere.example"
        other = list(provider_findings())

    assert "tnt_missing" in closed[0][0]
    assert "IMPORT_OIDC_ALLOW_NETWORKS" in closed[1][1]
    assert other[1] == (
        "The provider calls itself https://elsewhere.example.",
        "Set IMPORT_OIDC_URL to that.",
    )
