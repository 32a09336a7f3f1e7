from collections import Counter, defaultdict

import pytest

from tabular.detecting.fitting import KINDS_BY_VALUE
from tabular.vocabulary.headers import take_apart
from tabular.vocabulary.lexicon import ANY, NEARNESS, TABLES, lexicon, split_terms, table

ATTRIBUTES = {
    "kind", "facet", "alone", "values", *NEARNESS, "miss", "extra", "implies", "party", "helper",
    "generic", "body", "things",
}  # fmt: skip
PLAIN_VALUES = {"", "text", "code", "category"}  # properties of a head, not visible in its values
LANGUAGES = tuple(lexicon().languages)


def rows():
    """Yield every line of the vocabulary: file, concept or phrase, key, value."""
    for name in TABLES:
        for concept, lines in table(name).items():
            for key, value in lines.items():
                yield name, concept, key, value


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_has_one_meaning_unless_it_is_marked(language):
    meanings, marks = defaultdict(set), defaultdict(set)
    for _, concept, key, line in rows():
        if key == language:
            for term, is_marked in split_terms(line):
                meanings[take_apart(term).key].add(concept)
                marks[take_apart(term).key].add(is_marked)

    unmarked = {key: c for key, c in meanings.items() if len(c) > 1 and marks[key] != {True}}
    in_vain = {key: c for key, c in meanings.items() if len(c) == 1 and True in marks[key]}

    assert unmarked == {}
    assert in_vain == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_term_is_written_twice_on_a_line_or_empty(language):
    for name, concept, key, line in rows():
        if key == language:
            terms = [take_apart(term).key for term, _ in split_terms(line)]

            assert all(terms), (name, concept)
            assert len(terms) == len(set(terms)), (name, concept)


def test_every_line_is_a_language_or_an_attribute():
    keys = {key for _, _, key, _ in rows()}

    assert keys <= ATTRIBUTES | set(LANGUAGES)


def test_everything_a_concept_refers_to_exists():
    concepts = lexicon().concepts
    for concept in concepts.values():
        named = {*concept.near, *concept.alone, *concept.implies, *concept.party}

        assert named <= concepts.keys(), concept.name
    for _, phrase, _, _ in rows():
        assert set(phrase.split()) <= concepts.keys(), phrase


def test_every_number_is_a_share():
    for concept in lexicon().concepts.values():
        assert 0 <= concept.miss < 1, concept.name
        assert 0 <= concept.extra < 1, concept.name


def test_how_near_two_concepts_are_is_said_once():
    counts = Counter(
        frozenset((concept, other))
        for _, concept, key, others in rows()
        if key in NEARNESS
        for other in others
    )

    assert counts
    assert [sorted(pair) for pair, times in counts.items() if times > 1 or len(pair) < 2] == []


def test_a_bare_noun_stands_for_a_head_or_a_form():
    concepts = lexicon().concepts
    for concept in concepts.values():
        assert all(concepts[head].kind in {"head", "form"} for head in concept.alone), concept.name
        assert concept.kind in {"head", "form", "entity", "modifier"}


def test_expected_values_are_kinds_that_can_be_seen():
    for concept in lexicon().concepts.values():
        assert concept.values in PLAIN_VALUES | KINDS_BY_VALUE.keys(), concept.name


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != ANY])
def test_every_language_knows_the_words_no_catalog_does_without(language):
    essential = (
        "name", "number", "date", "amount", "email", "phone", "street", "city", "postcode",
        "country", "status", "price", "quantity", "customer", "invoice", "order", "product",
    )  # fmt: skip
    known = {
        atom for meanings in lexicon().terms[language].values() for m in meanings for atom in m
    }
    known |= {atom for meanings in lexicon().terms[ANY].values() for m in meanings for atom in m}

    assert set(essential) <= known
