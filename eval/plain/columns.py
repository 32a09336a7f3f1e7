"""The content of columns: names in several languages, and values drawn from a seed."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import cache

from faker import Faker

_POOL = 60  # values per locale and kind; created once, drawn many times
Draw = Callable[[random.Random, str], str]

NAMES: dict[str, str] = {  # separated by bars; each is a possible header of the kind
    "code": "ID|Code|Number|Customer no.|SKU|Artikelnummer|Kd-Nr.|Référence|Código|item_id|Ref",
    "serial": "No|Nr.|#|Row|Id|lfd. Nr.|Numéro|index|Pos",
    "integer": "Quantity|Qty|Count|Menge|Anzahl|Quantité|Stock|Bestand|Cantidad|units sold|Size",
    "decimal": "Price|Net|Rate|Preis|Weight|Prix|Precio|unit_price|Length (cm)|Score|Länge",
    "decimal_comma": "Betrag|Preis netto|Summe netto|Gewicht|Montant|Importe|Bedrag|Kurs|amount",
    "money": "Amount|Total|Umsatz|Gross|Betrag (EUR)|Salaire|Budget|Balance due|Fee|Costs",
    "percent": "Share|Discount|Rabatt|VAT|Taux|Anteil|margin %|Growth|Quote|Interest",
    "iso_date": "Date|Created|Datum|created_at|Birthday|Eintritt|Fecha|due|Start|Lieferdatum",
    "dotted_date": "Datum|Geburtsdatum|Rechnungsdatum|fällig am|Eintrittsdatum|Buchungstag|from",
    "slashed_date": "Date|Order date|Date de naissance|Fecha|Shipped|Valid until|Hired",
    "worded_date": "Date|Last seen|Opened on|Closing date|Release|Due date",
    "moment": "Timestamp|created at|Last login|Zeitpunkt|Updated|Horodatage|logged",
    "time": "Time|Start|Uhrzeit|Heure|Departure|Opens|Hora",
    "boolean": "Active|Newsletter|Aktiv|Paid|Opt-in|is_member|Actif|VIP|Bezahlt|Ready?",
    "email": "Email|E-Mail|Mail|e-mail address|Courriel|Correo|contact|Login",
    "phone": "Phone|Telefon|Tel.|Mobile|Téléphone|Fax|Handy|Contact number|Cell",
    "url": "Website|URL|Homepage|Link|Site web|web",
    "first_name": "First name|Vorname|Prénom|Given name|Nombre|firstname|Name",
    "last_name": "Last name|Nachname|Nom|Surname|Apellido|lastname|Family name",
    "full_name": "Full name|Name|Kunde|Contact|Employee|Ansprechpartner|Nom complet|Owner|Buyer",
    "company": "Company|Firma|Supplier|Lieferant|Société|Organisation|Vendor|Account|Empresa",
    "city": "City|Ort|Ville|Town|Stadt|Ciudad|Location|place",
    "street": "Street|Straße|Address|Adresse|Dirección|Address line 1|Anschrift",
    "postcode": "ZIP|PLZ|Postcode|Postal code|Code postal|zip_code|CAP",
    "country": "Country|Land|Pays|País|Market|Country code|Nation",
    "status": "Status|State|Zustand|Stage|Phase|État|Typ|Kind|Priority|Estado",
    "word": "Colour|Farbe|Category|Department|Gruppe|Team|Type|Unit|Abteilung|Material|Value",
    "note": "Notes|Comment|Bemerkung|Description|Beschreibung|Remarks|Commentaire|Subject|Title",
    "iban": "IBAN|Account|Konto|Bankverbindung|Compte",
    "measure": "Weight|Volume|Gewicht|Packing|Dosage|Inhalt|Dimension",
    "uuid": "UUID|Token|Key|GUID|external_id|Session",
    "year": "Year|Jahr|Année|Model year|Baujahr|Vintage",
    "currency": "Currency|Währung|Devise|Moneda|Curr.",
    "file": "File|Datei|Document|Attachment|Fichier|Image",
    "range": "Age group|Period|Range|Size class|Hours|Band",
}
_STATUS = ("open paid closed", "new in progress done", "offen bezahlt storniert", "A B C",
           "high medium low", "active inactive pending", "shipped returned", "Neu Alt Mittel",
           "ouvert fermé")  # fmt: skip
_WORDS = ("red|green|blue|black|navy blue|white", "Sales|Finance|IT|Human Resources|Legal",
          "Holz|Stahl|Glas|Beton|Kunststoff", "S|M|L|XL|XXL", "kg|pcs|box|m|l",
          "bolt|nut|washer|hex screw|pin", "Nord|Süd|Ost|West")  # fmt: skip
_FLAGS = ("yes no", "ja nein", "true false", "TRUE FALSE", "Y N", "oui non", "1 0", "Yes No", "x -")
_CURRENCIES = ("EUR", "USD", "CHF", "GBP", "SEK", "PLN", "JPY")
_FAKED = {
    "first_name": "first_name", "last_name": "last_name", "full_name": "name",
    "company": "company", "city": "city", "street": "street_address", "postcode": "postcode",
    "phone": "phone_number", "email": "ascii_email", "url": "url", "country": "country",
    "iban": "iban", "note": "sentence", "file": "file_name",
}  # fmt: skip


@cache
def _faker(locale: str) -> Faker:
    return Faker(locale)


@cache
def pool(locale: str, method: str) -> tuple[str, ...]:
    """Return the texts that a locale's Faker makes with one of its methods."""
    faker = _faker(locale)
    faker.seed_instance(f"{locale}/{method}")
    make = getattr(faker, method)
    texts = (" ".join(str(make()).split()) for _ in range(_POOL))
    return tuple(text for text in texts if text)


def _day(seeded: random.Random) -> date:
    return date(1990, 1, 1) + timedelta(days=seeded.randrange(15_000))


def _grouped(number: float, mark: str, point: str) -> str:
    return f"{number:,.2f}".replace(",", "\0").replace(".", point).replace("\0", mark)


def _code_like(seeded: random.Random) -> Draw:
    prefix = "".join(seeded.choices(string.ascii_uppercase, k=seeded.randint(1, 3)))
    mark, digits = seeded.choice(("", "-", "-", "/")), seeded.randint(3, 6)
    return lambda drawn, _: f"{prefix}{mark}{drawn.randrange(10 ** (digits - 1), 10**digits)}"


def _serial(seeded: random.Random) -> Draw:
    start = seeded.choice((0, 1, 1, 1, 100, 1001))
    numbers = iter(range(start, start + 100_000))
    return lambda _drawn, _locale: str(next(numbers))


def _integer(seeded: random.Random) -> Draw:
    most = 10 ** seeded.randint(1, 6)
    return lambda drawn, _: str(drawn.randrange(most))


def _decimal(seeded: random.Random) -> Draw:
    most, places = 10 ** seeded.randint(1, 4), seeded.choice((1, 2, 2, 3))
    return lambda drawn, _: f"{drawn.random() * most:.{places}f}"


def _decimal_comma(seeded: random.Random) -> Draw:
    most, mark = 10 ** seeded.randint(1, 6), seeded.choice((".", "", " "))
    return lambda drawn, _: _grouped(drawn.random() * most, mark, ",")


def _money(seeded: random.Random) -> Draw:
    mark, point = seeded.choice(((",", "."), (".", ","), ("'", "."), ("", ".")))
    form = seeded.choice(("{} €", "{} EUR", "${}", "CHF {}", "£{}", "{} USD", "€ {}"))
    return lambda drawn, _: form.format(_grouped(drawn.random() * 9_000, mark, point))


def _percent(seeded: random.Random) -> Draw:
    form = seeded.choice(("{} %", "{}%", "{},5 %", "{}.25%"))
    return lambda drawn, _: form.format(drawn.randrange(100))


def _dates(*forms: str) -> Callable[[random.Random], Draw]:
    def prepared(seeded: random.Random) -> Draw:
        form = seeded.choice(forms)
        return lambda drawn, _: _day(drawn).strftime(form)

    return prepared


def _moment(seeded: random.Random) -> Draw:
    form = seeded.choice(("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%d.%m.%Y %H:%M"))
    start = datetime(2000, 1, 1)  # noqa: DTZ001 -- a wall clock in a file
    return lambda drawn, _: (start + timedelta(seconds=drawn.randrange(10**9))).strftime(form)


def _time(seeded: random.Random) -> Draw:
    form = seeded.choice(("{:02}:{:02}", "{:02}:{:02}:00"))
    return lambda drawn, _: form.format(drawn.randrange(24), drawn.randrange(60))


def _one_of(*lists: str, mark: str = " ") -> Callable[[random.Random], Draw]:
    def prepared(seeded: random.Random) -> Draw:
        words = seeded.choice(lists).split(mark)
        return lambda drawn, _: drawn.choice(words)

    return prepared


def _faked(method: str) -> Callable[[random.Random], Draw]:
    return lambda _seeded: lambda drawn, locale: drawn.choice(pool(locale, method))


def _measure(seeded: random.Random) -> Draw:
    unit = seeded.choice(("kg", "ml", "cm", "mm", "g", "pcs", "m²"))
    return lambda drawn, _: f"{drawn.randrange(1, 500)} {unit}"


def _uuid(_seeded: random.Random) -> Draw:
    def draw(drawn: random.Random, _locale: str) -> str:
        digits = f"{drawn.getrandbits(128):032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    return draw


def _year(_seeded: random.Random) -> Draw:
    return lambda drawn, _: str(drawn.randrange(1950, 2027))


def _range(_seeded: random.Random) -> Draw:
    return lambda drawn, _: f"{(low := drawn.randrange(90))}-{low + drawn.choice((4, 9))}"


KINDS: dict[str, Callable[[random.Random], Draw]] = {
    "code": _code_like,
    "serial": _serial,
    "integer": _integer,
    "decimal": _decimal,
    "decimal_comma": _decimal_comma,
    "money": _money,
    "percent": _percent,
    "iso_date": _dates("%Y-%m-%d"),
    "dotted_date": _dates("%d.%m.%Y", "%d.%m.%y"),
    "slashed_date": _dates("%m/%d/%Y", "%d/%m/%Y", "%m/%d/%y"),
    "worded_date": _dates("%d %b %Y", "%B %d, %Y", "%d-%b-%y"),
    "moment": _moment,
    "time": _time,
    "boolean": _one_of(*_FLAGS),
    "status": _one_of(*_STATUS),
    "word": _one_of(*_WORDS, mark="|"),
    "currency": _one_of(" ".join(_CURRENCIES)),
    "measure": _measure,
    "uuid": _uuid,
    "year": _year,
    "range": _range,
    **{kind: _faked(method) for kind, method in _FAKED.items()},
}
