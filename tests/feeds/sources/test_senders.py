"""Which mails are from whom they say: what receiving servers write, and what forgers try."""

import pytest

from feeds.sources.senders import proven_sender

SERVER = "mx.host.example"
FROM = "From: Ann Lee <Ann@Shop.example>\r\n"
GOOD = f"Authentication-Results: {SERVER}; dmarc=pass (p=REJECT) header.from=shop.example\r\n"


def sender(headers: str, *, takes_unproven: bool = False) -> str:
    return proven_sender(
        headers.encode(),
        auth_server="" if takes_unproven else SERVER,
        takes_unproven=takes_unproven,
    )


@pytest.mark.parametrize(
    "results",
    [
        f"{SERVER}; dmarc=pass header.from=shop.example",
        f"{SERVER.upper()}; DMARC=Pass header.from=SHOP.example",
        f"{SERVER}; dkim=pass header.d=shop.example header.s=s1 header.b=abc",
        f"{SERVER}; dkim=pass header.i=@shop.example",
        f"{SERVER}; spf=pass (any (nested) words) smtp.mailfrom=bounce@shop.example",
        f"{SERVER}; spf=fail smtp.mailfrom=x.example; dkim=pass header.d=shop.example",
        f"{SERVER};\r\n dkim=pass header.i=@shop.example header.s=a header.b=b;\r\n"
        " spf=pass (host: domain of a@shop.example designates 192.0.2.1 as permitted sender)"
        " smtp.mailfrom=a@shop.example;\r\n"
        " dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=shop.example",
    ],
)
def test_a_pass_for_the_domain_of_the_sender_proves_it(results):
    assert sender(f"Authentication-Results: {results}\r\n{FROM}") == "ann@shop.example"


@pytest.mark.parametrize(
    "headers",
    [
        FROM,  # nothing was checked
        f"Authentication-Results: {SERVER}; none\r\n{FROM}",
        f"Authentication-Results: {SERVER}; dmarc=fail header.from=shop.example\r\n{FROM}",
        f"Authentication-Results: {SERVER}; dmarc=pass header.from=evil.example\r\n{FROM}",
        f"Authentication-Results: {SERVER}; dmarc=pass\r\n{FROM}",
        f"Authentication-Results: {SERVER}; dkim=pass header.d=evil.example\r\n{FROM}",
        f"Authentication-Results: {SERVER}; dkim=pass header.d=example\r\n{FROM}",
        f"Authentication-Results: {SERVER}; dkim=pass header.d=hop.example\r\n{FROM}",
        f"Authentication-Results: {SERVER}; spf=pass smtp.mailfrom=evil.example\r\n{FROM}",
        f"Authentication-Results: {SERVER}; spf=pass smtp.helo=shop.example\r\n{FROM}",
        f"Authentication-Results: mx.evil.example; dmarc=pass header.from=shop.example\r\n{FROM}",
        f"Authentication-Results: {SERVER}.evil.example; dmarc=pass header.from=shop.example\r\n"
        f"{FROM}",
        # The server's own line is the first; one below came with the mail.
        f"Authentication-Results: {SERVER}; dmarc=fail header.from=shop.example\r\n{GOOD}{FROM}",
        f"Authentication-Results: {SERVER}; (dmarc=pass header.from=shop.example\r\n{FROM}",
        f"X-Authentication-Results: {SERVER}; dmarc=pass header.from=shop.example\r\n{FROM}",
        f"ARC-Authentication-Results: i=1; {SERVER}; dmarc=pass header.from=shop.example\r\n{FROM}",
        f"{GOOD}{FROM}{FROM}",
        f"{GOOD}From: a@shop.example, b@evil.example\r\n",
        f"{GOOD}From: shop.example\r\n",
        f"{GOOD}From: \r\n",
        f"{GOOD}Sender: ann@shop.example\r\n",
        f"{GOOD}From: {'(' * 5000}a@shop.example\r\n",
        "",
    ],
)
def test_anything_else_proves_nothing(headers):
    assert sender(headers) == ""


def test_the_shown_name_is_not_the_address():
    forged = 'From: "ann@shop.example" <mallory@evil.example>\r\n'

    assert sender(forged, takes_unproven=True) == "mallory@evil.example"


def test_a_feed_that_takes_unproven_senders_believes_the_from_line():
    assert sender(FROM, takes_unproven=True) == "ann@shop.example"
