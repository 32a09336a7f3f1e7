"""What mails say, in every language: ids, codes and names, and nothing of a file."""

from html.parser import HTMLParser

import pytest

from imports.events import WHY
from mails import wording
from mails.models import Line, Mail
from mails.readers import KINDS, Reader
from tabular.model.sentences import LANGUAGES
from tests.mails.conftest import NOON

pytestmark = pytest.mark.django_db
STOP = "https://import.example.com/mail/stop/x"


@pytest.fixture
def write(tenant, django_user_model):
    """Return a function that writes a mail about some events."""
    person = django_user_model.objects.create_user("ada", "ada@acme.example")

    def write(kind, *events, language="en", address="", counts=None):
        user = None if address else person
        mail = Mail.objects.create(
            public_id=f"mal_{Mail.objects.count()}", state="sent", tenant=tenant, user=user,
            address=address, language=language, kind=kind, counts=counts or {}, created_at=NOON,
        )  # fmt: skip
        for number, (event, *why) in enumerate(events):
            Line.objects.create(
                tenant=tenant, user=user, address=address, kind=kind, event=event, why=why,
                subject=f"rec_{number}", catalog_key="orders", at=NOON, mail=mail,
            )  # fmt: skip
        return wording.written(mail, Reader("ada@acme.example", language), stop_url=STOP)

    return write


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("event", "kind"), sorted(KINDS.items()))
def test_every_event_has_words_in_every_language(event, kind, language, write):
    why = WHY if event == "import.waiting" else ("pdf_broken",)
    content = write(kind, (event, *why), language=language)
    of_sender = write(kind, (event, *why), language=language, address="lea@supplier.example")
    english = write(kind, (event, *why))

    assert f'lang="{language}"' in content.html
    assert ('dir="rtl"' in content.html) == (language in {"ar", "he"})
    for written in (content, of_sender):
        assert "Acme" in written.subject
        assert STOP in written.text
        assert "{" not in written.text
    assert language == "en" or not words_of(content) & words_of(english)


def words_of(content) -> set[str]:
    """Return the lines of a mail that are not addresses."""
    lines = content.text.splitlines()
    return {line for line in lines if line.strip("- ") and "https://" not in line}


@pytest.mark.parametrize("code", WHY)
def test_every_reason_of_a_wait_has_words(code, write):
    assert wording.OTHER_REASON.text() not in write("waiting", ("import.waiting", code)).text


def test_a_reason_of_a_newer_package_leads_to_the_import(write):
    assert "Open it to see why." in write("waiting", ("import.waiting", "drift")).text


def test_a_sender_gets_no_link_into_the_admin(write):
    content = write("failed", ("import.failed", "pdf_broken"), address="lea@supplier.example")

    assert "/admin/" not in content.text + content.html
    assert content.subject == "Acme: your file was not imported"
    assert "You get this mail because you sent Acme a file." in content.text


def test_many_objects_are_counted(write):
    content = write("failed", *[("import.failed", "pdf_broken")] * 120)

    assert content.text.count("An import into orders failed") == wording.MOST_LINES
    assert "100 more" in content.text


def test_a_summary_has_counts(write):
    content = write("digest", counts={"received": 12, "applied": 9, "failed": 1, "waiting": 2})

    assert "Received since yesterday: 12" in content.text
    assert "Waiting now: 2" in content.text
    assert ">12<" in content.html
    assert "https://import.example.com/admin/" in content.text


def test_the_name_of_a_tenant_is_text(tenant, write):
    tenant.label = "A <b>&\nBcc: eve@example.com"
    tenant.save()

    content = write("failed", ("import.failed", "pdf_broken"))

    assert content.subject == "A <b>& Bcc: eve@example.com: something failed"
    assert "<b>" not in content.html
    HTMLParser().feed(content.html)


def test_a_tenant_without_a_label_goes_by_its_id(tenant, write):
    tenant.label = ""
    tenant.save()

    assert write("done", ("import.applied",)).subject == "tnt_acme: imports were applied"
