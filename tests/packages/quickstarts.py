"""The quickstarts of ``docs/start``: what each page starts, and where."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quickstart:
    """A page that is followed in an empty project, down to a verified delivery."""

    page: str
    opens: int  # the port of the page that a person opens, as it is written
    receives: int  # the port that deliveries are sent to
    names_engine: bool = False  # the page has the engine's address, instead of $ENGINE
    is_large: bool = False  # `make test-long` follows it, because it installs much

    def __str__(self) -> str:
        return self.page.removeprefix("start/")


QUICKSTARTS = (
    Quickstart("start/html", opens=9000, receives=9000, names_engine=True),
    Quickstart("start/react-and-fastapi", opens=5173, receives=9000),
    Quickstart("start/vue", opens=5173, receives=9000, is_large=True),
    Quickstart("start/django", opens=9000, receives=9000, is_large=True),
    Quickstart("start/next", opens=3000, receives=3000, is_large=True),
    Quickstart("start/angular", opens=4200, receives=9000, names_engine=True, is_large=True),
    Quickstart("start/rails", opens=9000, receives=9000, is_large=True),
)
