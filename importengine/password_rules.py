"""The password rules of the admin, checked by Django wherever one is chosen."""

from typing import Any

_RULES: dict[str, dict[str, Any]] = {
    "UserAttributeSimilarityValidator": {},
    "MinimumLengthValidator": {"min_length": 12},
    "CommonPasswordValidator": {},
    "NumericPasswordValidator": {},
}
PASSWORD_RULES = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in _RULES.items()
]
