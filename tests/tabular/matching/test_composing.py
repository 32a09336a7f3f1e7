import pytest

PEOPLE = ["Anna Weber", "Peter Rossi", "Maria Costa", "Laura Keller"]


@pytest.mark.parametrize("header", ["Ansprechpartner", "Nombre completo", "Nom complet"])
def test_a_whole_name_is_asked_about_where_only_its_parts_are_fields(matched, header):
    columns = {header: PEOPLE, "E-Mail": ["a@mail.test", "b@mail.test"]}

    proposal = matched(columns, "firstName", "lastName", "email", entry="contacts")

    assert [question.columns for question in proposal.questions] == [(header,)]


def test_another_whole_name_next_to_both_parts_is_not_asked_about(matched):
    columns = {
        "First name": ["Anna", "Peter"],
        "Last name": ["Weber", "Rossi"],
        "Ansprechpartner": PEOPLE,
    }

    proposal = matched(columns, "firstName", "lastName", "email", entry="contacts")

    assert proposal.questions == ()
