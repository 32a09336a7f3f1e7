"""Which addresses may be called: the forms that attackers publish, each refused."""

from ipaddress import ip_network

import pytest

from deliveries.http.guard import Refused, is_public, read_address, vet, vet_url
from deliveries.http.targets import read_target, vet_plain

LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",  # carrier-grade NAT
        "100.127.255.254",
        "127.0.0.1",
        "127.1.2.3",
        "169.254.169.254",  # cloud metadata
        "169.254.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",  # 6to4 relays
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",  # IPv4-compatible
        "::ffff:127.0.0.1",  # IPv4-mapped
        "::ffff:7f00:1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",  # IPv4-translated
        "64:ff9b::7f00:1",  # NAT64
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::7f00:1",
        "100::1",
        "2001::1",  # Teredo
        "2001:0:7f00:1::",
        "2001:db8::1",
        "2002:7f00:1::",  # 6to4 of loopback
        "2002:a9fe:a9fe::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",  # cloud metadata
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_an_address_that_is_not_public_is_refused(address):
    with pytest.raises(Refused):
        vet(address, networks=(), tls=True)


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::808:808"],
)
def test_a_public_address_passes_with_tls(address):
    vet(address, networks=(), tls=True)

    assert is_public(read_address(address))


def test_a_public_address_is_refused_without_tls():
    with pytest.raises(Refused, match="https"):
        vet("8.8.8.8", networks=LOOPBACK, tls=False)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_an_allowed_network_passes_with_or_without_tls(address):
    vet(address, networks=LOOPBACK, tls=False)
    vet(address, networks=LOOPBACK, tls=True)

    with pytest.raises(Refused):
        vet("10.0.0.1", networks=LOOPBACK, tls=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://127.1/",  # shortened
        "https://127.0.1/",
        "https://2130706433/",  # decimal
        "https://0x7f000001/",  # hexadecimal
        "https://0x7f.0.0.1/",
        "https://0x7f.1/",
        "https://017700000001/",  # octal
        "https://0177.0.0.1/",
        "https://127.0.0.1./",  # a root dot
        "https://0/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[0:0:0:0:0:ffff:7f00:1]/",
        "https://[fe80::1%25eth0]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://2852039166/latest/meta-data/",
        "https://0xA9.0xFE.0xA9.0xFE/",
        "https://①②⑦.⓪.⓪.①/",  # digits that normalise to digits
        "https://127。0。0。1/",  # full stops of another script
    ],
)
def test_a_url_with_a_private_literal_is_refused_at_once(url):
    with pytest.raises(Refused):
        vet_url(url, networks=())


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host.example",
        "//host.example/",
        "ftp://host.example/",
        "file:///etc/passwd",
        "gopher://host.example/",
        "javascript:alert(1)",
        "https://",
        "https:///path",
        "https://user@host.example/",
        "https://user:password@host.example/",
        "https://:@host.example/",
        "https://host.example/#fragment",
        "https://host.example:0/",
        "https://host.example:99999/",
        "https://host.example:port/",
        "https://[::1/",
        "https://[nonsense]/",
        "https://host.example/a b",
        "https://host.example/a\x7fb",  # delete is a control character too
        "https://host.example/\r\nx-injected: 1",
        "https://host\t.example/",
        "http://host.example/",  # no network is allowed plain http
        "https://host..example/",
        "https://ho*st.example/",
        "https://" + "a" * 64 + ".example/",  # a label longer than DNS has
    ],
)
def test_a_url_that_can_never_be_called_is_refused(url):
    with pytest.raises(Refused):
        vet_url(url, networks=())


@pytest.mark.parametrize(
    "url",
    [
        "https://host.example/apply",
        "https://host.example:443/apply?key=a%20b",
        "https://HOST.example/",
        "https://xn--mller-kva.example/",
        "https://müller.example/apply",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]/",
        "https://127.0.0.1.host.example/",  # a name; its address is vetted later
        "https://0x7f.host.example/",
    ],
)
def test_a_url_that_may_be_called_passes(url):
    vet_url(url, networks=())


@pytest.mark.parametrize("url", ["https://host.example:8443/", "https://8.8.8.8:6379/"])
def test_other_ports_than_the_webs_are_refused_unless_they_are_named(url):
    with pytest.raises(Refused, match="443 or 80"):
        vet_url(url, networks=())

    vet_url(url, networks=(), ports=(8443, 6379))


def test_a_name_is_held_to_the_ports_when_it_is_resolved():
    with pytest.raises(Refused, match="443 or 80"):
        vet("8.8.8.8", networks=LOOPBACK, tls=True, port=22)

    vet("127.0.0.1", networks=LOOPBACK, tls=True, port=22)  # the operator named the network


def test_plain_http_passes_where_a_network_is_allowed():
    vet_url("http://127.0.0.1:8000/", networks=LOOPBACK)
    vet_url("http://receiver:8000/", networks=LOOPBACK)  # its address is vetted when it is called

    with pytest.raises(Refused):
        vet_url("http://8.8.8.8/", networks=LOOPBACK)


@pytest.mark.parametrize(
    ("addresses", "passes"),
    [
        (["127.0.0.1"], True),
        (["127.0.0.1", "::1"], True),
        (["8.8.8.8"], False),
        (["10.0.0.1"], False),
        (["127.0.0.1", "8.8.8.8"], False),  # one way out is enough
        ([], False),
    ],
)
def test_a_name_is_called_without_tls_only_inside_the_allowed_networks(addresses, passes):
    def vetted() -> None:
        origin = read_target("http://r.example/").origin
        vet_plain(origin, networks=LOOPBACK, resolve=lambda *_: addresses)

    if passes:
        vetted()
    else:
        with pytest.raises(Refused, match="use https"):
            vetted()


def test_a_name_is_not_resolved_at_registration_when_tls_guards_it():
    def no_address(*_: object) -> list[str]:
        raise AssertionError("resolved")

    vet_plain(read_target("https://r.example/").origin, networks=(), resolve=no_address)
