import pytest

from tabular.matching import candidate_fields

DAYS = ["2024-01-02", "2024-02-03", "2024-03-04"]
OTHER_DAYS = ["2023-01-02", "2023-02-03", "2023-03-04"]
MONEY = ["10.20", "33.05", "7.99"]
MORE = ["12.20", "35.05", "9.99"]
PEOPLE = ["Anna Weber", "Peter Novak", "Maria Silva"]


def columns_and_fields(proposal):
    return [(set(q.columns), set(candidate_fields(q))) for q in proposal.questions]


def test_two_columns_that_nothing_tells_apart_are_one_question(matched):
    columns = {"Business Street": ["1 Mill Road", "2 Oak Lane"], "Home Street": ["3 Elm Way"] * 2}
    columns["Home Street"] = ["3 Elm Way", "4 Ash Way"]

    proposal = matched(columns, "street", "city", entry="contacts")

    assert columns_and_fields(proposal) == [
        ({"Business Street", "Home Street"}, {"contacts.street"})
    ]
    assert proposal.mapping == {}


def test_a_column_that_lacks_what_two_fields_differ_in_is_asked(matched):
    proposal = matched({"Amount": MONEY}, "netAmount:float", "grossAmount:float", entry="invoices")

    assert columns_and_fields(proposal) == [
        ({"Amount"}, {"invoices.netAmount", "invoices.grossAmount"})
    ]


def test_a_taken_field_is_not_a_candidate(matched):
    columns = {"Net amount": MONEY, "Amount": MORE}

    proposal = matched(columns, "netAmount:float", "grossAmount:float", entry="invoices")

    assert proposal.questions == ()
    assert proposal.mapping["Amount"] == "invoices.grossAmount"


def test_columns_that_could_change_places_are_asked(matched):
    columns = {"Started Date": DAYS, "Completed Date": OTHER_DAYS}

    proposal = matched(columns, "bookingDate:date", "valueDate:date", entry="bank transactions")

    (question,) = proposal.questions
    assert set(question.columns) == set(columns)
    assert [set(c.value.values()) for c in question.candidates] == [
        {"bank transactions.bookingDate", "bank transactions.valueDate"}
    ] * 2


def test_a_whole_name_is_asked_where_only_its_parts_are_fields(matched):
    proposal = matched({"Name": PEOPLE}, "firstName", "lastName", entry="contacts")

    (question,) = proposal.questions
    assert question.default == ["contacts.firstName", "contacts.lastName"]  # split it


INVERTED = ["Bär, Karl-Heinz", "Müller, Anna", "de Vries, Jan", "Weber, Lena"]
STRAIGHT = ["Karl-Heinz Bär", "Anna Müller", "Jan de Vries", "Lena Weber"]


@pytest.mark.parametrize(
    ("header", "values", "order"),
    [
        ("Name, Vorname", INVERTED, "lf"),
        ("Vorname, Name", INVERTED, "fl"),  # the header shows which one precedes the comma
        ("Name", INVERTED, "lf"),
        ("Vorname Name", STRAIGHT, "fl"),
        ("Vorname Name", INVERTED, "lf"),  # the header has no comma, so the values' one counts
        ("Nachname Vorname", [f"{v.split()[-1]} {v.split()[0]}" for v in STRAIGHT], "lf"),
    ],
)
def test_the_parts_of_a_name_are_split_in_the_order_of_the_values(matched, header, values, order):
    columns = {header: values, "Ort": ["Bonn", "Ulm", "Trier", "Aachen"]}

    proposal = matched(columns, "firstName", "lastName", "city", entry="contacts")

    (question,) = proposal.questions
    keys = {"f": "contacts.firstName", "l": "contacts.lastName"}
    assert question.default == [keys[part] for part in order]
    shown = question.candidates[0].effect
    assert values[0] in shown
    assert values[2] in shown


def test_a_split_shows_three_rows_as_they_would_be(matched):
    proposal = matched({"Name": INVERTED}, "firstName", "lastName", entry="contacts")

    assert (
        proposal.questions[0]
        .candidates[0]
        .effect.startswith(
            "“Bär, Karl-Heinz”: lastName “Bär”, firstName “Karl-Heinz”; “Müller, Anna”: "
        )
    )


def test_a_place_is_split_in_the_order_of_its_header(matched):
    columns = {"Ort PLZ": ["Bonn 53111", "Ulm 89073", "Trier 54290"]}

    proposal = matched(columns, "zip", "city", entry="contacts")

    assert proposal.questions[0].default == ["contacts.city", "contacts.zip"]


def test_the_parts_of_a_name_are_asked_where_only_the_whole_is_a_field(matched):
    columns = {"First Name": ["Anna", "Peter"], "Last Name": ["Weber", "Novak"]}

    proposal = matched(columns, "customerName", "email:email", entry="orders")

    (question,) = proposal.questions
    assert question.default == dict.fromkeys(columns, "orders.customerName")  # join them


def test_postcode_and_city_in_one_column_are_asked(matched):
    columns = {
        "PLZ/Ort": ["83683 Naila", "07056 Gera", "10115 Berlin"],
        "Straße": ["Weg 1", "Weg 2"],
    }

    proposal = matched(columns, "plz", "ort", "strasse", entry="lieferanten")

    assert columns_and_fields(proposal) == [({"PLZ/Ort"}, {"lieferanten.plz", "lieferanten.ort"})]
    assert proposal.questions[0].default == ["lieferanten.plz", "lieferanten.ort"]


def test_money_in_and_money_out_may_be_put_together(matched):
    proposal = matched({"Debit": MONEY, "Credit": MORE}, "amount:float!", entry="bank")

    (question,) = proposal.questions
    assert question.candidates[0].value == {"Debit": "bank.amount", "Credit": "bank.amount"}
    assert question.blocking


def test_a_labelled_phone_is_asked(matched):
    columns = {
        "Phone 1 - Label": ["Home", "Mobile"],
        "Phone 1 - Value": ["030 123456", "030 987654"],
    }

    proposal = matched(columns, "phone:phone", "mobile:phone", entry="contacts")

    assert columns_and_fields(proposal) == [
        ({"Phone 1 - Value"}, {"contacts.phone", "contacts.mobile"})
    ]


def test_a_text_that_holds_names_is_asked_while_a_name_is_wanted(matched):
    columns = {"Description": ["Alpine Tools GmbH", "Northwind Ltd", "Delta Inc"], "Amount": MONEY}

    proposal = matched(columns, "purpose", "counterpartyName", "amount:float", entry="bank")

    assert columns_and_fields(proposal) == [
        ({"Description"}, {"bank.purpose", "bank.counterpartyName"})
    ]


@pytest.mark.parametrize(
    "rival",
    [
        pytest.param([""], id="empty"),
        pytest.param(["3 Elm Way"], id="constant"),
    ],
)
def test_a_rival_with_nothing_to_say_is_not_asked_about(matched, rival):
    columns = {"Business Street": ["1 Mill Road", "2 Oak Lane"], "Home Street": rival}

    proposal = matched(columns, "street", "city", entry="contacts")

    assert proposal.questions == ()
    assert proposal.mapping == {"Business Street": "contacts.street"}


def test_a_label_column_is_not_a_rival(matched):
    columns = {"E-mail 1 - Type": ["Work", "Home"], "E-mail 1 - Value": ["a@b.test", "c@d.test"]}

    proposal = matched(columns, "email:email", entry="contacts")

    assert proposal.questions == ()
    assert proposal.mapping == {"E-mail 1 - Value": "contacts.email"}


def test_a_strictly_better_column_needs_no_question(matched):
    columns = {
        "Work Phone": ["030 123456", "030 987654"],
        "Mobile Phone": ["0170 12345", "0171 2345"],
    }

    proposal = matched(columns, "phone:phone", entry="employees")

    assert proposal.questions == ()
    assert proposal.mapping == {"Work Phone": "employees.phone"}


def test_a_question_carries_evidence_scores_effects_and_a_default(matched):
    proposal = matched({"Amount": MONEY}, "netAmount:float", "grossAmount:float!", entry="invoices")

    (question,) = proposal.questions
    assert "Amount: 10.20, 33.05, 7.99" in question.evidence
    assert all(0 < candidate.score <= 100 for candidate in question.candidates)
    assert all(candidate.effect for candidate in question.candidates)
    assert question.default == question.candidates[0].value
    assert question.blocking  # one of the fields is required


def test_a_short_and_a_long_description_are_asked_about(matched):
    columns = {
        "Short description": ["blue mug", "oak desk"],
        "Description": ["a blue mug for the road", "a desk of old oak"],
    }

    proposal = matched(columns, "description", "sku", entry="products")

    assert columns_and_fields(proposal) == [(set(columns), {"products.description"})]


def test_a_namesake_that_says_more_is_not_a_rival_of_the_very_name(matched):
    columns = {"First name": ["Anna", "Peter"], "Preferred first name": ["Annie", "Pete"]}

    proposal = matched(columns, "firstName", "lastName", entry="employees")

    assert proposal.questions == ()
    assert proposal.mapping == {"First name": "employees.firstName"}


def test_a_bare_amount_is_asked_about_where_two_totals_are_free(matched):
    proposal = matched({"Amount": MONEY}, "subtotal:float", "total:float!", entry="orders")

    assert columns_and_fields(proposal) == [({"Amount"}, {"orders.subtotal", "orders.total"})]


def test_an_id_that_only_counts_gives_way_to_the_number_people_use(matched):
    columns = {"Invoice ID": ["1001", "1002"], "Invoice no": ["RE-2024-7", "RE-2024-8"]}

    proposal = matched(columns, "invoiceNumber", "customer", entry="invoices")

    assert proposal.questions == ()
    assert proposal.mapping == {"Invoice no": "invoices.invoiceNumber"}


def test_a_required_field_that_would_stay_empty_is_asked_about(matched):
    columns = {"zork_flap_glim": ["a1", "b2"], "Town": ["Bonn", "Ulm"], "Junk": ["x y", "u v"]}

    proposal = matched(columns, "zorkTrill!", "town", entry="rows")

    (question,) = proposal.questions
    assert question.columns == ("zork_flap_glim",)
    assert [candidate.value for candidate in question.candidates] == ["rows.zorkTrill", None]
    assert question.blocking


def test_a_required_field_is_asked_about_with_three_columns_at_most(matched):
    columns = {f"Zork {end}": ["a1", "b2", f"c{end}"] for end in ("flup", "grem", "holt", "jask")}

    proposal = matched(columns, "zorkTrill!", "town")

    (question,) = proposal.questions
    assert len(question.columns) == 3


def test_no_column_is_asked_about_where_none_comes_near_a_required_field(matched):
    proposal = matched({"Town": ["Bonn", "Ulm"], "Junk": ["x", "y"]}, "zorkTrill!", "town")

    assert proposal.questions == ()


def test_two_headers_that_both_say_the_field_in_words_of_their_own_are_asked_about(matched):
    columns = {"opened_at": DAYS, "sys_created_at": OTHER_DAYS}

    proposal = matched(columns, "createdAt:date", "town", entry="tickets")

    assert columns_and_fields(proposal) == [(set(columns), {"tickets.createdAt"})]


def test_a_second_namesake_is_asked_about(matched):
    proposal = matched({"date": DAYS, "DATE": OTHER_DAYS}, "date:date", "town")

    assert columns_and_fields(proposal) == [({"date", "DATE"}, {"rows.date"})]
