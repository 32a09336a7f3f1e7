"""The logo of a tenant: set in the admin, shown in mails and on pages of links."""

import base64
import io

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from licensing.logo import MOST_IN_MAILS, bytes_of, logo_in_mails, logo_of
from licensing.models import Logo, Tenant
from tests.mails.conftest import NOON
from tests.mails.smtp import text_of

pytestmark = pytest.mark.django_db
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


def picture(kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (160, 40), "#0a7d55").save(file, kind)
    return file.getvalue()


def set_logo(tenant: Tenant, content: bytes | None = None) -> None:
    Logo.objects.create(tenant=tenant, picture=logo_in_mails(content or picture()))


def test_a_mail_carries_the_logo_that_its_html_shows(server, tenant, make_person, happen, send):
    set_logo(tenant)
    make_person("ada", "failed")
    happen()
    send()

    (message,) = server.messages
    (part,) = [part for part in message.walk() if part.get_content_maintype() == "image"]
    html = text_of(message, "html")
    assert message.get_content_type() == "multipart/related"
    assert f"cid:{part['Content-ID'].strip('<>')}" in html
    assert part.get_payload(decode=True) == picture()
    assert "http" not in html.partition("<img")[2].partition(">")[0]  # nothing is loaded
    assert "Acme: something failed" in text_of(message)


def test_a_mail_without_a_logo_shows_none(server, make_person, happen, send):
    make_person("ada", "failed")
    happen()
    send()

    (message,) = server.messages
    assert message.get_content_type() == "multipart/alternative"
    assert "<img" not in text_of(message, "html")


@pytest.mark.parametrize(
    "content", [SVG, b"", b"GIF89a", picture("WEBP"), picture() + bytes(MOST_IN_MAILS)]
)
def test_what_not_every_mail_program_shows_is_refused(content):
    assert logo_in_mails(content) is None


def test_test_keys_show_the_logo_of_their_tenant(tenant):
    set_logo(tenant, picture("JPEG"))
    side = Tenant.objects.create(public_id="tnt_acme.test", test_of=tenant, created_at=NOON)

    assert bytes_of(logo_of(side)) == ("jpeg", picture("JPEG"))


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(get_user_model().objects.create_superuser("root", "r@x.example", "old"))
    return client


def save(admin: Client, tenant: Tenant, **about):
    rows = {f"memberships-{name}_FORMS": 0 for name in ("TOTAL", "INITIAL")}
    form = {"label": "Acme", **rows, **about}
    return admin.post(f"/admin/licensing/tenant/{tenant.pk}/change/", form)


def test_staff_set_and_remove_the_logo_in_the_admin(admin, tenant):
    file = SimpleUploadedFile("logo.png", picture(), "image/png")
    assert save(admin, tenant, new_logo=file).status_code == 302
    shown = admin.get(f"/admin/licensing/tenant/{tenant.pk}/change/").content.decode()
    assert base64.b64encode(picture()).decode() in shown

    save(admin, tenant)
    assert logo_of(tenant)
    save(admin, tenant, remove_logo="on")
    assert not logo_of(tenant)


def test_a_logo_that_is_refused_says_why(admin, tenant):
    file = SimpleUploadedFile("logo.png", SVG, "image/png")
    answer = save(admin, tenant, new_logo=file)

    assert answer.status_code == 200
    assert "Choose a PNG or JPEG of at most 48 KiB." in answer.content.decode()
    assert not logo_of(tenant)
