"""Why an import is held, in words."""

from common.http.language import using_language
from common.wording.messages import english
from feeds.applying.rules import Counted, Facts, Rules, reasons_against
from imports.advice.held_reasons import REASONS
from schemas.shapes.feeds import reasons_in_words

LIMITS = (
    "max_invalid_rows", "max_invalid_percent", "max_changed_rows", "max_changed_percent",
    "max_missing_rows", "max_missing_percent",
)  # fmt: skip
MANY = Counted(300, 1000)


def all_reasons():
    """Return the reasons against an import that keeps no rule."""
    facts = Facts(
        is_remembered=False, open_questions=2, invalid=MANY, changed=MANY, missing=MANY,
        is_again=True, is_blocked=True,
    )  # fmt: skip
    return reasons_against(Rules(**dict.fromkeys(LIMITS, 10)), facts)


def test_each_reason_of_the_rules_has_words():
    reasons = [*all_reasons(), {"code": "apply_refused", "refusal": "not_in_review"}]
    english_texts = [item["detail"] for item in reasons_in_words(reasons)]

    with using_language("de"):
        german_texts = [item["detail"] for item in reasons_in_words(reasons)]

    assert {reason["code"] for reason in reasons} <= REASONS.keys()
    assert not set(english_texts) & set(german_texts)


def test_a_limit_and_the_number_are_in_the_words():
    texts = {item["code"]: item["detail"] for item in reasons_in_words(all_reasons())}

    assert texts["too_many_invalid_rows"] == "Rows with errors: 300, more than 10."
    assert texts["too_many_invalid_percent"] == "Rows with errors: 30.0 %, more than 10 %."


def test_every_reason_of_a_feed_has_a_template():
    keys = {key for key in english().templates if key.startswith("feed_reason.")}

    assert set(REASONS.values()) == keys
    assert all(key == f"feed_reason.{code}" for code, key in REASONS.items())


def test_a_reason_of_a_newer_version_keeps_its_code():
    (worded,) = reasons_in_words([{"code": "moon"}])

    assert (worded["code"], worded["detail"]) == ("moon", "moon")
