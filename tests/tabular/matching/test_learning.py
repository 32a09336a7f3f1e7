from tabular.matching import Learned, fingerprint, question_fingerprint, similarity
from tabular.model.issue import Candidate, Question


def test_a_header_keeps_its_fingerprint_however_it_is_cased():
    assert fingerprint(("First Name", "E-Mail")) == fingerprint(("first_name", "e mail"))


def test_another_order_of_columns_is_another_header():
    assert fingerprint(("a", "b")) != fingerprint(("b", "a"))


def test_words_do_not_run_from_one_column_into_the_next():
    assert fingerprint(("a b", "c")) != fingerprint(("a", "b c"))


def test_similarity_is_the_share_of_common_columns():
    assert similarity(("Name", "City", "Zip"), ("name", "city", "phone")) == 0.5


def test_two_empty_headers_are_the_same():
    assert similarity((), ()) == 1.0


def test_a_question_is_the_same_whatever_its_candidates_order():
    first, other = Candidate("p.a", "A"), Candidate("p.b", "B")
    question = Question("column", ("Amount",), (first, other))
    again = Question("column", ("amount",), (other, first))

    assert question_fingerprint(question) == question_fingerprint(again)


def test_another_choice_of_fields_is_another_question():
    question = Question("column", ("Amount",), (Candidate("p.a", "A"),))
    other = Question("column", ("Amount",), (Candidate("p.c", "C"),))

    assert question_fingerprint(question) != question_fingerprint(other)


def test_a_header_is_left_out_when_that_was_chosen_more_often():
    learned = Learned({"fax": {"": 3, "people.phone": 1}, "tel": {"": 1, "people.phone": 2}})

    assert learned.is_mostly_unmapped("Fax")
    assert not learned.is_mostly_unmapped("Tel")
