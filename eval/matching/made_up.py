"""Values for made-up columns: the same for the same seed, and no real data."""

import random
from collections.abc import Callable

FIRST = [
    "Anna",
    "Peter",
    "Maria",
    "Jan",
    "Lucas",
    "Sofia",
    "Paul",
    "Emma",
    "Marco",
    "Julia",
    "Thomas",
    "Laura",
    "David",
    "Sarah",
]
LAST = [
    "Weber",
    "Rossi",
    "Dubois",
    "Kowalski",
    "Jansen",
    "Silva",
    "Smith",
    "Lopez",
    "Novak",
    "Keller",
    "Moreau",
    "Brandt",
    "Costa",
]
FIRMS = [
    "Alpine Tools GmbH",
    "Northwind Ltd",
    "Bleu Ciel SARL",
    "Rossi & Figli SpA",
    "Delta Systems Inc",
]
CITIES = [
    "Berlin",
    "Lyon",
    "Madrid",
    "Torino",
    "Utrecht",
    "Porto",
    "Gdynia",
    "Leeds",
    "Salzburg",
    "Bern",
    "Cork",
    "Gent",
]
JOBS = ["Accountant", "Project lead", "Welder", "Nurse", "Data analyst", "Head of sales"]
THINGS = [
    "Travel mug blue",
    "Desk lamp Oslo",
    "Wool scarf",
    "Leather belt 90",
    "Notebook A5",
    "Rain jacket",
]
STREETS = ["Hauptstraße {}", "{} Mill Road", "{} rue des Lilas", "Via Roma {}", "Calle Mayor {}"]
WORDS = [
    "please",
    "call",
    "back",
    "after",
    "noon",
    "we",
    "sent",
    "the",
    "second",
    "reminder",
    "invoice",
    "paid",
    "late",
    "from",
    "stock",
]
COUNTRIES = ["Germany", "France", "Spain", "Italy", "Poland", "Portugal", "Netherlands", "Austria"]
CODES = ["DE", "FR", "ES", "IT", "PL", "PT", "NL", "AT"]
REGIONS = ["Bavaria", "Normandy", "Ohio", "Lazio", "Texas", "Kent"]


def gtin(r: random.Random) -> str:
    """Return a valid GTIN-13."""
    body = "40" + "".join(str(r.randrange(10)) for _ in range(10))
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body))
    return body + str(-total % 10)


def iban(r: random.Random) -> str:
    """Return a valid German IBAN."""
    bban = "".join(str(r.randrange(10)) for _ in range(18))
    return f"DE{98 - int(bban + '131400') % 97:02d}{bban}"


def day(r: random.Random) -> tuple[int, int, int]:
    """Return year, month and day."""
    return r.randrange(2015, 2025), r.randrange(1, 13), r.randrange(1, 29)


def number(r: random.Random, low: float, high: float) -> str:
    """Return a number with two decimals."""
    return f"{r.uniform(low, high):.2f}"


def value(kind: str, r: random.Random, row: int) -> str:
    """Return the value of a kind (``city``, ``pick a;b``, ``code X``) in a row."""
    name, _, rest = kind.partition(" ")
    moment = day(r)
    made = {**_people(r, row), **_figures(r, row, rest, moment)}
    if name not in made and name.startswith("code"):
        return "".join(r.choice("0123456789") for _ in range(int(name[4:])))
    return made[name]()


def _people(r: random.Random, row: int) -> dict[str, Callable[[], str]]:
    first, last = r.choice(FIRST), r.choice(LAST)
    return {
        "first": lambda: first,
        "last": lambda: last,
        "person": lambda: f"{first} {last}",
        "user": lambda: f"{first[0]}{last}{row}".lower(),
        "company": lambda: r.choice(FIRMS),
        "job": lambda: r.choice(JOBS),
        "email": lambda: f"{first}.{last}{row}@mail.test".lower(),
        "phone": lambda: f"030 {r.randrange(1000000, 9999999)}",
        "mobile": lambda: f"+49 170 {r.randrange(1000000, 9999999)}",
        "street": lambda: r.choice(STREETS).format(r.randrange(1, 200)),
        "zip": lambda: f"{r.randrange(10000, 99999)}",
        "zipcity": lambda: f"{r.randrange(10000, 99999)} {r.choice(CITIES)}",
        "city": lambda: r.choice(CITIES),
        "region": lambda: r.choice(REGIONS),
        "country": lambda: r.choice(COUNTRIES),
        "cc": lambda: r.choice(CODES),
    }


def _figures(
    r: random.Random, row: int, rest: str, moment: tuple[int, int, int]
) -> dict[str, Callable[[], str]]:
    y, m, d = moment
    return {
        "date": lambda: f"{y}-{m:02d}-{d:02d}",
        "ymd": lambda: f"{y}{m:02d}{d:02d}",
        "ymd2": lambda: f"{y}-{m:02d}-{d:02d}",
        "dmy": lambda: f"{d:02d}.{m:02d}.{y}",
        "datetime": lambda: f"{y}-{m:02d}-{d:02d} {r.randrange(24):02d}:{r.randrange(60):02d}:00",
        "amount": lambda: number(r, 1, 900),
        "amountde": lambda: number(r, 1, 900).replace(".", ","),
        "weight": lambda: number(r, 0, 9),
        "hours": lambda: r.choice(["1.5", "2.0", "0.75", "8.0", "3.25"]),
        "int": lambda: str(r.randrange(1, 300)),
        "bigint": lambda: str(r.randrange(9000, 180000)),
        "year": lambda: str(y),
        "seq": lambda: str(10000 + row),
        "code": lambda: f"{rest}-{1000 + row}",
        "hex": lambda: f"{r.getrandbits(60):015x}",
        "plate": lambda: f"B-{r.choice('ABC')}{r.choice('XYZ')} {r.randrange(100, 999)}",
        "vin": lambda: "WVW" + "".join(r.choice("0123456789ABCDEFGH") for _ in range(14)),
        "vat": lambda: f"DE{r.randrange(100000000, 999999999)}",
        "gtin": lambda: gtin(r),
        "iban": lambda: iban(r),
        "brand": lambda: r.choice(["Lumora", "Nordvik", "Casa Bella", "Tiko"]),
        "serial": lambda: "".join(r.choice("0123456789ABCDEFGHJK") for _ in range(9)) + "7K",
        "ip": lambda: f"10.0.{r.randrange(9)}.{r.randrange(250)}",
        "image": lambda: f"https://cdn.shop.test/{row}.jpg",
        "thing": lambda: r.choice(THINGS),
        "prose": lambda: " ".join(r.choice(WORDS) for _ in range(7)),
        "word": lambda: r.choice(WORDS),
        "pick": lambda: r.choice(rest.split(";")),
        "const": lambda: rest,
        "empty": lambda: "",
    }


def column(kind: str, rows: int = 40, seed: str = "") -> list[str]:
    """Return a column of values of one kind, the same for the same seed."""
    r = random.Random(f"{kind}{seed}")
    return [value(kind, r, row) for row in range(rows)]
