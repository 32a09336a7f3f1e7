"""Weekly files of ordinary feeds, generated: growth, seasons, holidays, noise, rare new values."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

import numpy as np

Cells = dict[str, list[str | None]]  # texts by header
START = date(2024, 1, 1)
HOLIDAYS = {0: 0.75, 13: 0.85, 17: 0.85, 20: 0.85, 50: 1.15, 51: 0.65}  # share of rows, by week


@dataclass(frozen=True, slots=True)
class File:
    """One week's file. types: the column types of what is imported, by header."""

    cells: Cells
    types: dict[str, str]
    day: date

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.cells.values()), []))


@dataclass
class Feed(ABC):
    """One feed's own figures, and its memory from week to week."""

    seed: int
    drawn: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.drawn = random.Random(f"feed/{type(self).__name__}/{self.seed}")
        draw = self.drawn
        self.base = round(math.exp(draw.uniform(math.log(60), math.log(3_000))))
        self.growth = draw.uniform(-0.002, 0.01)  # a week
        self.season = draw.uniform(0.0, 0.25)
        self.phase = draw.uniform(0, 2 * math.pi)
        self.noise = draw.uniform(0.01, 0.08)
        self.keeps_holidays = draw.random() < 0.7
        self.number = draw.randrange(10_000, 90_000)
        self.begin()

    def begin(self) -> None:  # noqa: B027 - a kind need not remember anything
        """Draw what this kind of feed remembers."""

    @abstractmethod
    def file(self, week: int) -> File:
        """Return the file of a week; weeks are called in order."""

    def count(self, week: int) -> int:
        """Return how many rows a week has."""
        level = self.base * (1 + self.growth) ** week
        level *= 1 + self.season * math.sin(2 * math.pi * week / 52 + self.phase)
        if self.keeps_holidays:
            level *= HOLIDAYS.get(week % 52, 1.0)
        return max(8, round(level * math.exp(self.drawn.gauss(0, self.noise))))

    def day(self, week: int) -> date:
        """Return one of the seven days before a file."""
        return START + timedelta(days=7 * week + self.drawn.randrange(7))

    def days(self, week: int) -> list[date]:
        """Return the day of each row of a week, in order."""
        return sorted(self.day(week) for _ in range(self.count(week)))

    def arrival(self, week: int) -> date:
        """Return when a week's file arrives."""
        return START + timedelta(days=7 * week + 7)

    def amount(self, middle: float, spread: float) -> str:
        """Return an amount with two decimals."""
        return f"{middle * math.exp(self.drawn.gauss(0, spread)):.2f}"

    def next_number(self) -> int:
        """Return a running number."""
        self.number += 1
        return self.number

    def sometimes(self, share: float, text: str) -> str | None:
        """Return a text in some rows."""
        return text if self.drawn.random() < share else None


def cells_of(headers: Sequence[str], rows: Sequence[Sequence[str | None]]) -> Cells:
    """Return rows as columns."""
    return {header: [row[at] for row in rows] for at, header in enumerate(headers)}


class Orders(Feed):
    """Orders of one week: new ones every time."""

    def begin(self) -> None:
        """Draw customers, products and states."""
        draw = self.drawn
        self.customers = [f"C{draw.randrange(10_000, 99_999)}" for _ in range(self.base // 2 + 20)]
        self.products = [(f"P-{n:04d}", draw.lognormvariate(3, 1)) for n in range(40)]
        self.states = ["paid", "open", "shipped", "cancelled"]
        self.remark = draw.uniform(0.02, 0.3)

    def file(self, week: int) -> File:
        """Return new orders; now and then a new state, customer or product."""
        draw = self.drawn
        self.customers += [f"C{draw.randrange(10_000, 99_999)}" for _ in range(self.base // 50)]
        if draw.random() < 0.05:
            self.products.append((f"P-{len(self.products):04d}", draw.lognormvariate(3, 1)))
        states = [*self.states, "returned"] if draw.random() < 0.05 else self.states
        rows = []
        for day in self.days(week):
            product, price = draw.choices(self.products, k=1)[0]
            state = draw.choices(states, weights=(60, 25, 12, 3, 1)[: len(states)])[0]
            rows.append((
                str(self.next_number()), day.isoformat(), draw.choice(self.customers),
                product, str(draw.choice((1, 1, 1, 2, 3, 5, 10))), f"{price:.2f}",
                self.amount(price * 2, 0.8), state, self.sometimes(self.remark, "call first"),
            ))  # fmt: skip
        headers = ("Order no", "Order date", "Customer", "Product", "Quantity", "Unit price",
                   "Total", "State", "Remark")  # fmt: skip
        types = {"Order no": "int", "Order date": "date_iso", "Quantity": "int",
                 "Unit price": "float", "Total": "currency_eur", "Customer": "string",
                 "Product": "string", "State": "string", "Remark": "string"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


class Members(Feed):
    """All members of a club: a few join, leave or move."""

    def begin(self) -> None:
        """Draw the first members."""
        self.members = [self._member() for _ in range(self.base)]

    def _member(self) -> list[str | None]:
        draw = self.drawn
        born = date(1940, 1, 1) + timedelta(days=draw.randrange(25_000))
        joined = date(2005, 1, 1) + timedelta(days=draw.randrange(6_900))
        name = "".join(draw.choices("abcdefghilmnorstu", k=draw.randrange(4, 11))).title()
        return [
            str(self.next_number()), name, born.isoformat(), joined.isoformat(),
            self.sometimes(0.8, f"{name.lower()}{draw.randrange(99)}@example.org"),
            draw.choices(("adult", "youth", "family"), weights=(6, 3, 1))[0],
            draw.choices(("12.50", "7.00", "20.00"), weights=(6, 3, 1))[0],
            self.sometimes(0.6, f"0{draw.randrange(30, 90)} {draw.randrange(10**6, 10**7)}"),
        ]  # fmt: skip

    def file(self, week: int) -> File:
        """Return all members."""
        draw = self.drawn
        leaving = max(0, round(len(self.members) * draw.uniform(0, 0.01)))
        for _ in range(leaving):
            self.members.pop(draw.randrange(len(self.members)))
        joining = round(self.base * draw.uniform(0, 0.012)) + (week % 52 == 0) * (self.base // 20)
        fresh = [self._member() for _ in range(joining)]
        for member in fresh:
            member[3] = self.day(week).isoformat()
        self.members += fresh
        headers = ("No", "Name", "Born", "Joined", "E-mail", "Kind", "Fee", "Phone")
        types = {"No": "int", "Name": "string", "Born": "date_iso", "Joined": "date_iso",
                 "E-mail": "email", "Kind": "string", "Fee": "currency_eur"}  # fmt: skip
        return File(cells_of(headers, self.members), types, self.arrival(week))


class Prices(Feed):
    """A price list: some prices change, some articles come and go."""

    def begin(self) -> None:
        """Draw the first articles."""
        self.articles = [self._article() for _ in range(self.base)]
        self.groups = 8

    def _article(self) -> list[str]:
        draw = self.drawn
        price = draw.lognormvariate(2.5, 1.2)
        group = f"Group {draw.randrange(8)}"
        words = " ".join(draw.choices(("Bolt", "Nut", "Plate", "Hinge", "Cable", "Clamp"), k=2))
        return [
            f"40{draw.randrange(10**9, 10**10)}", f"{words} {draw.randrange(500)}", group,
            f"{price:.2f}", f"{price * 0.7:.2f}", str(draw.choice((7, 19))),
            f"{draw.uniform(0.01, 20):.3f}",
        ]  # fmt: skip

    def file(self, week: int) -> File:
        """Return the list; every third month all prices rise by some percent."""
        draw = self.drawn
        rise = 1 + draw.uniform(0.01, 0.06) if week % 13 == 0 else 1.0
        for article in self.articles:
            if rise > 1 or draw.random() < 0.02:
                article[3] = f"{float(article[3]) * rise * draw.uniform(0.97, 1.03):.2f}"
        for _ in range(round(self.base * draw.uniform(0, 0.01))):
            self.articles.pop(draw.randrange(len(self.articles)))
        self.articles += [self._article() for _ in range(round(self.base * draw.uniform(0, 0.012)))]
        valid = self.arrival(week).isoformat()
        rows = [[*article, valid] for article in self.articles]
        headers = ("EAN", "Article", "Group", "Price", "Cost", "VAT", "Weight", "Valid from")
        types = {"EAN": "string", "Article": "string", "Group": "string", "Price": "currency_eur",
                 "Cost": "currency_eur", "VAT": "int", "Weight": "float",
                 "Valid from": "date_iso"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


class Sensors(Feed):
    """Hourly readings: temperatures with seasons and below zero, counters, rare failures."""

    def begin(self) -> None:
        """Draw the sensors."""
        self.sensors = [f"S{n:02d}" for n in range(self.drawn.randrange(2, 14))]
        self.middle = self.drawn.uniform(-2, 18)
        self.swing = self.drawn.uniform(2, 12)
        self.meter = {sensor: self.drawn.uniform(1e3, 1e5) for sensor in self.sensors}

    def file(self, week: int) -> File:
        """Return the readings of a week; a sensor fails for a week now and then."""
        draw = self.drawn
        working = [s for s in self.sensors if len(self.sensors) < 4 or draw.random() > 0.01]
        weather = draw.gauss(0, 2)
        rows = []
        for hour in range(0, 168, 4):
            moment = START + timedelta(days=7 * week, hours=hour)
            season = self.swing * math.sin(2 * math.pi * week / 52 + self.phase)
            daily = 4 * math.sin(2 * math.pi * hour / 24)
            for sensor in working:
                self.meter[sensor] += draw.uniform(0.5, 3)
                degrees = self.middle + season + weather + daily + draw.gauss(0, 0.7)
                rows.append((
                    sensor, moment.isoformat(), f"{hour % 24:02d}:00", f"{degrees:.1f}",
                    f"{min(100, max(20, draw.gauss(60, 12))):.0f}", f"{self.meter[sensor]:.1f}",
                    self.sometimes(0.01, "low battery"),
                ))  # fmt: skip
        headers = ("Sensor", "Day", "Hour", "Temperature", "Humidity", "Meter", "Alert")
        types = {"Sensor": "string", "Day": "date_iso", "Temperature": "float", "Humidity": "int",
                 "Meter": "float", "Alert": "string"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


class Timesheets(Feed):
    """Hours of a small team: few rows, people who come and go, vacations."""

    def begin(self) -> None:
        """Draw the team and its projects."""
        self.team = [f"Person {n}" for n in range(self.drawn.randrange(6, 40))]
        self.projects = [f"Project {n}" for n in range(12)]

    def file(self, week: int) -> File:
        """Return one row for each person and day that is not free."""
        draw = self.drawn
        if draw.random() < 0.08:
            self.team.append(f"Person {len(self.team) + week * 100}")
        if draw.random() < 0.08:
            self.projects = [*self.projects[1:], f"Project {20 + week}"]
        free = 0.3 if week % 52 in {51, 0, 30, 31} else 0.06
        rows = []
        for person in self.team:
            if draw.random() < free / 2:
                continue
            for day in range(5):
                if draw.random() > free:
                    hours = draw.choice(("8.00", "7.50", "4.00", "6.25", "8.50"))
                    when = START + timedelta(days=7 * week + day)
                    rows.append((
                        person, when.isoformat(), draw.choice(self.projects), hours,
                        draw.choice(("yes", "no")), self.sometimes(0.15, "on site"),
                    ))  # fmt: skip
        headers = ("Person", "Date", "Project", "Hours", "Billable", "Note")
        types = {"Person": "string", "Date": "date_iso", "Project": "string", "Hours": "float",
                 "Billable": "boolean", "Note": "string"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


class Invoices(Feed):
    """Invoices with heavy tails, two dates, credit notes, and a month's end."""

    def count(self, week: int) -> int:
        """Return how many rows a week has; the last week of a month has more."""
        is_last = self.arrival(week).month != (self.arrival(week) + timedelta(days=7)).month
        return round(super().count(week) * (1.3 if is_last else 1.0))

    def file(self, week: int) -> File:
        """Return the invoices of a week."""
        draw = self.drawn
        rows = []
        for issued in self.days(week):
            due = issued + timedelta(days=draw.choice((10, 14, 30, 30, 60)))
            sign = "-" if draw.random() < 0.04 else ""
            net = float(self.amount(400, 1.4))
            rows.append((
                f"INV-{self.next_number()}", issued.isoformat(), due.isoformat(),
                f"K{draw.randrange(200, 900)}", f"{sign}{net:.2f}", f"{sign}{net * 0.19:.2f}",
                draw.choices(("EUR", "USD", "CHF"), weights=(90, 8, 2))[0],
                self.sometimes(0.4, f"PO {draw.randrange(10**5, 10**6)}"),
            ))  # fmt: skip
        headers = ("Invoice", "Issued", "Due", "Debtor", "Net", "Tax", "Currency", "Purchase order")
        types = {"Invoice": "string", "Issued": "date_iso", "Due": "date_iso", "Debtor": "string",
                 "Net": "currency_eur", "Tax": "currency_eur", "Currency": "string",
                 "Purchase order": "string"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


class Stock(Feed):
    """What is in store: quantities walk at random, with many zeros."""

    def begin(self) -> None:
        """Draw the first quantities."""
        self.items = {f"SKU{n:05d}": self.drawn.lognormvariate(3, 1.5) for n in range(self.base)}

    def file(self, week: int) -> File:
        """Return all quantities."""
        draw = self.drawn
        rows = []
        for sku, level in self.items.items():
            self.items[sku] = max(0.0, level + draw.gauss(0, 0.2) * (level + 2))
            quantity = round(self.items[sku]) if draw.random() > 0.1 else 0
            counted = self.arrival(week) - timedelta(days=draw.randrange(30))
            rows.append((
                sku, f"{sku[-2:]}-{sku[-4:-2]}", str(quantity), str(round(level / 3)),
                counted.isoformat(), draw.choice(("A", "B", "C")),
            ))  # fmt: skip
        headers = ("SKU", "Bin", "Quantity", "Minimum", "Counted", "Class")
        types = {"SKU": "string", "Bin": "string", "Quantity": "int", "Minimum": "int",
                 "Counted": "date_iso", "Class": "string"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


class Signups(Feed):
    """A small, noisy feed: some dozens of rows, most of them free text."""

    def begin(self) -> None:
        """Make it small."""
        self.base = self.drawn.randrange(15, 60)
        self.noise = 0.2

    def file(self, week: int) -> File:
        """Return the people who signed up."""
        draw = self.drawn
        rows = []
        for day in self.days(week):
            name = "".join(draw.choices("abcdefghilmnorstu", k=draw.randrange(3, 9))).title()
            comment = " ".join(draw.choices(("please", "call", "me", "soon", "demo"), k=6))
            rows.append(
                (
                    day.isoformat(),
                    name,
                    f"{name.lower()}@example.com",
                    draw.choice(("web", "fair", "friend", "ad")),
                    str(np.round(draw.lognormvariate(4, 1))),
                    self.sometimes(0.3, comment),
                )
            )
        headers = ("Date", "Name", "E-mail", "Source", "Employees", "Comment")
        types = {"Date": "date_iso", "Name": "string", "E-mail": "email", "Source": "string",
                 "Employees": "float", "Comment": "string"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


class Claims(Feed):
    """A few rows a week, often two: what happened lately, to people born at any time."""

    def begin(self) -> None:
        """Draw how many there are at most."""
        self.most = self.drawn.randrange(2, 9)

    def file(self, week: int) -> File:
        """Return the claims of a week."""
        draw = self.drawn
        rows = []
        for happened in sorted(self.day(week) for _ in range(draw.randrange(2, self.most + 1))):
            born = date(1940, 1, 1) + timedelta(days=draw.randrange(25_000))
            rows.append((
                f"CL-{self.next_number()}", happened.isoformat(), born.isoformat(),
                self.amount(800, 1.0), draw.choice(("water", "fire", "theft")),
            ))  # fmt: skip
        headers = ("Claim", "Happened", "Born", "Amount", "Cause")
        types = {"Claim": "string", "Happened": "date_iso", "Born": "date_iso",
                 "Amount": "currency_eur", "Cause": "string"}  # fmt: skip
        return File(cells_of(headers, rows), types, self.arrival(week))


KINDS: dict[str, Callable[[int], Feed]] = {
    "orders": Orders,
    "members": Members,
    "prices": Prices,
    "sensors": Sensors,
    "timesheets": Timesheets,
    "invoices": Invoices,
    "stock": Stock,
    "signups": Signups,
    "claims": Claims,
}
TINY = frozenset({"claims"})  # too few rows for most changes to show: false alarms are counted
