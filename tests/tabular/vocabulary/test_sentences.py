"""A header that is a sentence is read as the name of what it asks for."""

import pytest

from tabular.vocabulary.names import read_column
from tabular.vocabulary.sentences import reduced


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How many chairs do you need?", "number of chairs"),
        ("What is your shoe size?", "shoe size"),
        ("When will you arrive?", "arrival date"),
        ("How old are you?", "age"),
        ("How did you hear about our shop?", "source"),
        ("May we publish photos of you?", "photo of consent"),
        ("Anything else?", "comments"),
        ("Wie viele Stühle brauchen Sie?", "anzahl stuhle"),
        ("Wann sind Sie geboren?", "geburt datum"),
        ("Quelle est votre profession ?", "profession"),
        ("Combien de chaises souhaitez-vous ?", "nombre de chaises"),
        ("¿Cuántas sillas desea?", "numero de sillas"),
        ("Quante sedie desidera?", "numero di sedie"),
        ("Hoeveel stoelen wilt u?", "aantal stoelen"),
        ("Quantas cadeiras deseja?", "numero de cadeiras"),
    ],
)
def test_a_question_is_reduced_to_what_it_asks_for(question, name):
    assert reduced(question) == name


@pytest.mark.parametrize(
    "header",
    [
        "Order number",
        "Is featured?",
        "In stock?",
        "Street and house number of the owner",
        "Date of first registration",
        "Wert in Euro ohne Steuer",
        "?",
        "",
    ],
)
def test_a_header_that_is_not_a_sentence_stays(header):
    assert reduced(header) == header


def test_a_sentence_keeps_its_own_spelling_as_a_name():
    named = read_column("When will you arrive?", ("en",))

    assert named.keys == {"whenwillyouarrive"}
    assert named.meanings[0].head == "date"


def test_of_a_very_long_sentence_only_the_beginning_counts():
    assert reduced("What is your shoe size, " + "please, " * 2_000 + "?") == "shoe size"
