import pytest

from common import clock
from common.json_text import WordedField, WordedJsonField
from common.wording.messages import Message, stored
from imports.models import ImportRecord
from licensing.models import Tenant
from tabular.model.sentences import Sentence, translated


@pytest.mark.django_db
def test_json_comes_back_in_its_order_with_its_numbers():
    meta = {"z": 1e30, "a": 1.0, "10": "ß", "9": [9007199254740993]}
    tenant = Tenant.objects.create(public_id="tnt_1", created_at=clock.now())
    ImportRecord.objects.create(
        public_id="rec_1", tenant=tenant, created_at=clock.now(), state="mapping", meta=meta
    )

    kept = ImportRecord.objects.get().meta
    assert list(kept.items()) == list(meta.items())
    assert repr(kept["a"]) == "1.0"


EMPTY = Sentence("The sheet {sheet} is empty.", sheet="May")
KEYED = stored(Message("too_large.file", size=4 * 2**30))
COLUMN, JSON_COLUMN = WordedField(max_length=100), WordedJsonField()


@pytest.mark.parametrize("sentence", [EMPTY, KEYED])
def test_a_stored_sentence_is_worded_in_the_language_of_its_reader(sentence):
    text = COLUMN.from_db_value(COLUMN.get_prep_value(sentence), None, None)
    (member,) = JSON_COLUMN.from_db_value(JSON_COLUMN.get_prep_value([sentence]), None, None)

    for kept in (text, member):
        assert kept == sentence
        assert translated(kept, "de") == translated(sentence, "de") != sentence


@pytest.mark.parametrize(
    "text", ["The sheet May is empty.", "", None, '{"$sentence": "typed"}', "{", EMPTY * 9]
)
def test_a_text_without_values_stays_as_it_was_stored(text):
    kept = COLUMN.from_db_value(COLUMN.get_prep_value(text), None, None)

    assert kept == text
    assert kept is None or translated(kept, "de") == kept


def test_a_sentence_too_long_for_its_column_is_kept_in_english():
    sentence = Sentence("The sheet {sheet} is empty.", sheet="x" * 60)

    assert COLUMN.get_prep_value(sentence) == sentence


def test_a_row_of_before_is_shown_in_english():
    (kept,) = JSON_COLUMN.from_db_value('["The sheet May is empty."]', None, None)

    assert translated(kept, "de") == "The sheet May is empty."
