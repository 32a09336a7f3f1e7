"""Hashes of rows are stored with a table, so a later engine has to find the same ones."""

import pyarrow as pa

from tabular.types.hashing import hash_rows

TEXTS = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "sixteen letters!", "Zoë" * 9, None]
NUMBERS = [1, -2, None, 4, 5, 6, 7, None]


def test_a_text_has_the_hash_that_was_stored_of_it():
    assert hash_rows([pa.array(TEXTS)]).tolist() == [
        0x6818B26F1033D9DC,
        0x1436BF17251D2362,
        0x65D1E398BD630FDC,
        0x2CB1286A6FA8DABC,
        0x945B8728469DEF6B,
        0x48770ADFCBCD1619,
        0x00EBE93E87AF5702,
        0,
    ]


def test_a_row_of_several_columns_has_the_hash_that_was_stored_of_it():
    texts, numbers = pa.array(TEXTS), pa.array(NUMBERS)

    assert hash_rows([texts, numbers]).tolist()[:2] == [0xBA6B4252B075BDB4, 0xC7C5D49C795EFE37]
    assert hash_rows([numbers, texts]).tolist()[:2] == [0x42C3BAEAE1A56C6C, 0x24DFBA6B691DC82D]
    assert hash_rows([numbers, texts]).tolist()[7] == 0  # nothing in it


def test_a_part_of_a_column_has_the_hashes_of_the_whole():
    whole = pa.array(TEXTS)
    hashes = hash_rows([whole]).tolist()

    for start in range(len(TEXTS) + 1):
        assert hash_rows([whole.slice(start)]).tolist() == hashes[start:]
        assert hash_rows([whole.slice(0, start)]).tolist() == hashes[:start]
