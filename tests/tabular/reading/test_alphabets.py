"""How natural a text looks as one encoding reads it, and when two readings are too close."""

import pytest

from tabular.reading.text.alphabets import are_close, naturalness, separator_of


@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        ("cp1252", ["für 5 m²", "für 5 b²"]),  # the area of something
        ("cp1252", ["5 € für", "für 5 €", "5 ¤ für"]),  # a price, a sign, an unused sign
        ("cp1252", ["für ©", "für ¤", "für \x81"]),
        ("cp850", ["für €", "für ¤", "für ▒", "für \ufffd"]),
        ("cp1252", ["Bäume", "BäuMe"]),  # capitals within a word
        ("cp1252", ["wäre", "WÄRE"]),
        ("cp1252", ["schäden", "äöüäöü"]),  # accents on every letter
        ("cp1252", ["1 ä 5 für", "1ä5 für"]),
        ("cp1252", ["« für »", "a‰«’—b für"]),
        ("cp1252", ["l’été für", "l¶été für"]),
        ("cp1251", ["мир и труд", "МИР И ТРУД", "миp и труд", "мИр и трУд"]),
        ("cp1253", ["λόγος", "λόγςο"]),  # a letter that ends words
        ("gb18030", ["东西南北", "龘靐齉", "안녕하세요"]),
        ("gb18030", ["座位", "K座", "Kéé座座"]),
        ("shift_jis", ["東京タワー", "東亰", "안녕"]),
        ("shift_jis", ["人々", "人한"]),
        ("euc_kr", ["안녕하세요", "읔윽읏", "東京", "タワー"]),
    ],
)
def test_the_first_text_looks_most_natural(encoding, texts):
    points = [naturalness(text, encoding) for text in texts]

    assert points == sorted(points, reverse=True)
    assert len(set(points)) > 1
    assert points[0] < 1


@pytest.mark.parametrize(
    ("text", "better", "worse"),
    [
        ("東京タワー", "shift_jis", "gb18030"),
        ("안녕하세요", "euc_kr", "gb18030"),
        ("мир и труд", "koi8-r", "cp1253"),
        ("für", "cp1252", "cp1251"),
        ("5 $ £", "cp1252", "cp1251"),  # signs alone do not indicate another alphabet
    ],
)
def test_a_text_looks_more_natural_in_an_encoding_of_its_language(text, better, worse):
    assert naturalness(text, better) > naturalness(text, worse)


@pytest.mark.parametrize(
    ("lines", "sign"),
    [
        (["a§b", "c§d"], "§"),
        (["1§2", "3§4"], "§"),
        (['"a"¦"b"', '""¦"b"'], "¦"),
        (["1 §2", "3§4", "5§6"], "§"),  # between texts in most lines
        (["1 §2", "3 §4", "5§6"], ""),
        (["1 §2", "3§4"], ""),
        (["a§b"], ""),
        (["a§b", "c§d§e"], ""),
        (["a§b;c", "d§e;f"], ""),  # a usual mark parts them
        (["a§b", "", "c§d"], "§"),
        (["5 §", "6 §"], ""),
    ],
)
def test_a_sign_parts_cells_if_it_is_between_them_in_all_lines(lines, sign):
    assert separator_of("\n".join(lines)) == sign


@pytest.mark.parametrize(
    ("best", "score", "letters", "is_close"),
    [
        (0.5, 0.16, "ä", True),  # one letter is not enough
        (0.5, 0.14, "ä", False),
        (0.5, 0.14, "ä ä", False),  # nor does the same again
        (0.5, 0.31, "äb ö", True),
        (0.5, 0.29, "äb ö", False),
        (0.5, 0.35, "äb ö ß é è à", False),
        (-0.1, -0.35, "äb ö ß é è à", True),  # not even the best one makes words
        (-0.1, -0.55, "äb ö ß é è à", False),
        (0.0, -0.2, "äb ö ß é è à", False),
    ],
)
def test_the_fewer_letters_tell_the_wider_apart_scores_must_be(best, score, letters, is_close):
    assert are_close(best, score, letters.encode("cp1252")) == is_close
