"""What the host says about one import."""

from datetime import date

from pydantic import Field as Default

from tabular.model.catalog import Option
from tabular.model.noun import Noun


class Given(Noun):
    """Per-import defaults and options, by field path, and what "here" means."""

    defaults: dict[str, str] = Default(default_factory=dict)
    options: dict[str, tuple[Option, ...]] = Default(default_factory=dict)
    region: str | None = None  # ISO 3166 alpha-2: how to read phone numbers without a country


class Context(Given):
    """The same, and what "today" means."""

    today: date
