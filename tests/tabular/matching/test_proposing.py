import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest

from eval.matching.made_up import column
from eval.matching.namesakes import namesakes, outcomes
from tabular.matching import Learned, propose
from tests.tabular.matching.conftest import make_catalog
from tests.tabular.matching.exports import cases
from tests.tabular.matching.figures import catalog, proposal_of

ROOT = Path(__file__).parents[3]
EXPECTED = {("mapped", False), ("mapped", True), ("asked", True)}  # the results with odd values
EMAILS = ["a@b.test", "c@d.test", "e@f.test"]


def test_a_proposal_says_why(matched):
    proposal = matched({"email": EMAILS, "Junk": ["x", "y"]}, "email:email", "note")

    (email, junk) = proposal.columns
    assert email.reason == "Same name; 100 % are e-mail addresses"
    assert email.score == 100.0
    assert email.samples == ("a@b.test", "c@d.test", "e@f.test")
    assert (junk.field, junk.reason) == (None, "No field fits")


@pytest.mark.parametrize(
    ("header", "values", "reason"),
    [
        ("Remarks", [""], "The column is empty"),
        ("Blorp", ["same"], "No field fits; every value is “same”"),
    ],
)
def test_what_is_left_out_says_why(matched, header, values, reason):
    proposal = matched({header: values}, "price:float")

    assert proposal.columns[0].reason == reason


def test_a_loser_names_the_winner(matched):
    columns = {"E-mail": EMAILS, "Second e-mail": ["g@h.test", "i@j.test"]}

    proposal = matched(columns, "email:email")

    assert proposal.columns[1].reason == "“E-mail” fits email better"


def test_a_winner_names_the_column_that_comes_next(matched):
    columns = {"Work Phone": ["030 123456", "030 987654"], "Mobile": ["0170 12345", "0171 2345"]}

    proposal = matched(columns, "phone:phone", entry="employees")

    assert proposal.columns[0].reason.endswith("; “Mobile” comes next")


def test_values_veto_a_name(matched):
    proposal = matched({"Date of invoice": ["red", "green", "blue"]}, "invoiceDate:date")

    assert proposal.mapping == {}
    assert proposal.questions == ()


def test_an_exact_name_over_values_of_another_kind_is_asked_about(matched):
    proposal = matched({"Invoice date": ["red", "green", "blue"]}, "invoiceDate:date")

    (question,) = proposal.questions
    assert [candidate.value for candidate in question.candidates] == ["rows.invoiceDate", None]


@pytest.mark.parametrize(
    ("values", "column_type"),
    [
        pytest.param(["2024-W12", "2024-W40"], "date", id="a date in a form of its own"),
        pytest.param(["DE89370400440532013000"], "string", id="a bank account in a text"),
        pytest.param(["-", "-"], "email", id="dashes"),
        pytest.param([""], "date", id="nothing"),
    ],
)
def test_an_exact_name_is_mapped_over_values_that_may_be_meant(matched, values, column_type):
    proposal = matched({"Zork": values}, f"zork:{column_type}", "city")

    assert proposal.mapping == {"Zork": "rows.zork"}


def test_an_exact_name_gives_way_to_no_sum_of_others(matched):
    columns = {"OS": ["Windows", "Linux", "macOS"], "OS version": ["10.1", "22.04", "14.5"]}

    proposal = matched(columns, "os", "osVersion", entry="devices")

    assert proposal.mapping == {"OS": "devices.os", "OS version": "devices.osVersion"}
    assert proposal.questions == ()


@pytest.mark.parametrize("seed", range(40))
def test_columns_named_like_their_field_are_mapped_or_asked_about(seed):
    case = namesakes(seed)

    outcome_of = dict(zip(case.columns, zip(outcomes(case), case.odd, strict=True), strict=True))

    assert not {name: what for name, what in outcome_of.items() if what not in EXPECTED}


def test_values_decide_where_headers_say_nothing(matched):
    columns = {"Column 1": EMAILS, "Column 2": ["2024-01-02", "2024-02-03"]}

    proposal = matched(columns, "mail:email", "born:date")

    assert proposal.mapping == {"Column 1": "rows.mail", "Column 2": "rows.born"}
    assert proposal.columns[0].reason.startswith("The header gives no hint; the values match")


def test_addresses_of_machines_are_told_by_their_form(matched):
    columns = {
        "c1": ["192.0.2.17", "192.0.2.18", "2001:db8::1"],
        "c2": ["00:1A:2B:3C:4D:5E", "00:1A:2B:3C:4D:5F", "00:1A:2B:3C:4D:60"],
        "c3": ["db01.corp.example", "web02.corp.example", "nas.corp.example"],
    }

    proposal = matched(columns, "mac_address", "ip_address", "hostname", entry="devices")

    assert proposal.mapping == {
        "c1": "devices.ip_address",
        "c2": "devices.mac_address",
        "c3": "devices.hostname",
    }


def test_which_angle_a_column_of_degrees_is_has_to_be_asked(matched):
    degrees = ["52.520008", "48.856613", "40.712776"]

    proposal = matched({"f4": degrees}, "phone:phone", "longitude:float", "latitude:float")

    (question,) = proposal.questions
    assert {candidate.value for candidate in question.candidates} == {
        "rows.longitude",
        "rows.latitude",
    }


def test_what_was_confirmed_before_is_proposed(matched):
    learned = Learned({"blorp": {"rows.note": 3}})

    proposal = matched({"Blorp": ["x", "y"]}, "note", "price:float", learned=learned)

    assert proposal.mapping == {"Blorp": "rows.note"}
    assert proposal.columns[0].reason == "Confirmed 3 times before"


def test_what_was_left_out_before_stays_out(matched):
    learned = Learned({"note": {"": 2}})

    proposal = matched({"Note": ["x", "y"]}, "note", learned=learned)

    assert proposal.mapping == {}
    assert proposal.columns[0].reason == "Skipped before"


def test_values_veto_even_what_was_confirmed(matched):
    learned = Learned({"when": {"rows.day": 1}})

    proposal = matched({"When": ["red", "green"]}, "day:date", learned=learned)

    assert proposal.mapping == {}


@pytest.mark.parametrize("flag", ["disabled", "hidden"])
def test_a_disabled_or_hidden_field_is_not_proposed(matched, flag):
    made = make_catalog("note")
    field = made.entries[0].fields[0].model_copy(update={flag: True})
    entry = made.entries[0].model_copy(update={"fields": (field,)})

    proposal = propose(("note",), [["x"]], catalog=made.model_copy(update={"entries": (entry,)}))

    assert proposal.mapping == {}


def test_an_arrow_table_is_read_like_lists():
    cells = [["a@b.test", None], ["x", "y"]]
    table = pa.table({"Mail": cells[0], "Note": cells[1]})
    wanted = make_catalog("email:email", "note")

    assert propose(("Mail", "Note"), table, catalog=wanted) == propose(
        ("Mail", "Note"), cells, catalog=wanted
    )


# The same input gives the same proposal.


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_columns_changes_nothing(seed):
    for case in cases()[:12]:
        order = list(range(len(case.columns)))
        Random(seed).shuffle(order)
        names = tuple(case.columns[i] for i in order)
        cells = [column(case.values[i], seed=case.columns[i]) for i in order]

        shuffled = propose(names, cells, catalog=catalog(case.catalog))

        assert shuffled.mapping == proposal_of(case).mapping, case.name
        assert {frozenset(q.columns) for q in shuffled.questions} == {
            frozenset(q.columns) for q in proposal_of(case).questions
        }


def test_threads_agree():
    case = cases()[0]
    with ThreadPoolExecutor(4) as pool:
        proposals = list(pool.map(lambda _: proposal_of(case), range(8)))

    assert all(proposal == proposals[0] for proposal in proposals)


SCRIPT = """
import json
from dataclasses import asdict
from tests.tabular.matching.exports import cases
from tests.tabular.matching.figures import proposal_of
print(json.dumps([asdict(proposal_of(case)) for case in cases()[:6]], sort_keys=True))
"""


@pytest.mark.parametrize("seed", ["1", "77"])
def test_hash_seeds_agree(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed}

    output = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, check=True
    )

    here = [asdict(proposal_of(case)) for case in cases()[:6]]
    assert json.loads(output.stdout) == json.loads(json.dumps(here))


# Bad input.


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        pytest.param((), [], id="no column"),
        pytest.param(("", " ", "\x00"), [["a"], ["b"], ["c"]], id="blank headers"),
        pytest.param(("Amount", "Amount", "Amount"), [["1"], ["2"], ["3"]], id="duplicates"),
        pytest.param(("x" * 10_000,), [["1"]], id="a header of 10 kB"),
        pytest.param(("order date " * 900,), [["2024-01-01"]], id="a long readable header"),
        pytest.param(("Amount",), [["12.00"]], id="one row"),
        pytest.param(("Amount", "Date"), [[], []], id="no row"),
        pytest.param(("Amount", "Date"), [[None, ""], ["", None]], id="all empty"),
        pytest.param(("金額", "日付", "Сумма"), [["1"], ["2"], ["3"]], id="other alphabets"),
        pytest.param(("Note",), [["x" * 100_000]], id="a huge cell"),
        pytest.param(("###", "---", "€ %", "()"), [["1"]] * 4, id="only symbols"),
        pytest.param(("Amount",) * 500, [["1", "2"]] * 500, id="500 equal headers"),
        pytest.param(tuple(f"c{n}x" for n in range(2_000)), [["1"]] * 2_000, id="2,000 columns"),
        pytest.param(("ชื่อ", "ဒေတာ", "数量 (個)", "שם"), [["a"]] * 4, id="scripts not in it"),
    ],
)
def test_bad_input_gets_a_proposal_with_reasons(columns, cells):
    wanted = make_catalog("amount:float", "date:date", "note")

    proposal = propose(columns, cells, catalog=wanted)

    assert tuple(c.column for c in proposal.columns) == columns
    assert all(c.reason for c in proposal.columns)


def test_a_wide_file_and_a_large_catalog_are_matched():
    columns = tuple(f"Amount {n}" for n in range(120))
    wanted = make_catalog(*(f"amount{n}:float" for n in range(200)))

    proposal = propose(columns, [["1.00", "2.00"]] * 120, catalog=wanted)

    assert proposal.mapping["Amount 17"] == "rows.amount17"


@pytest.mark.parametrize("cells", [[["1", "2"]] * 3, [[]] * 3, [["", None]] * 3])
def test_a_catalog_of_one_field_gets_its_namesake(cells):
    proposal = propose(("Amount", "Date", "Note"), cells, catalog=make_catalog("amount:float"))

    assert proposal.mapping == {"Amount": "rows.amount"}


def test_an_empty_catalog_leaves_everything_out():
    proposal = propose(("a",), [["1"]], catalog=make_catalog())

    assert proposal.mapping == {}


@pytest.mark.parametrize("header", ["UTR", "Aadhaar", "Steuer-ID", "Blorp"])
@pytest.mark.parametrize("field", ["phone:phone", "mobile:phone", "phone"])
def test_digits_under_another_name_are_not_telephone_numbers(matched, header, field):
    columns = {"Name": ["Anna Weber", "Jan Novak"], header: ["1734628395", "9827364518"]}

    assert matched(columns, "name", field).columns[1].field is None


@pytest.mark.parametrize("header", ["Phone", "Tel.", "Mobile", "Handynummer", "Teléfono"])
def test_digits_under_a_name_of_telephones_are_their_numbers(matched, header):
    columns = {"Name": ["Anna Weber", "Jan Novak"], header: ["1734628395", "9827364518"]}

    assert matched(columns, "name", "phone:phone").columns[1].field == "rows.phone"


def test_numbers_that_show_how_they_are_dialled_need_no_name(matched):
    columns = {"Name": ["Anna Weber", "Jan Novak"], "Blorp": ["+49 30 1234567", "0170 9876543"]}

    assert matched(columns, "name", "phone:phone").columns[1].field == "rows.phone"
