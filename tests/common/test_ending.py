"""A program does what remains when it ends, however its process was started."""

import subprocess
import sys

import pytest

from tests.importengine.test_house import ROOT

ALONE = """
from common.work.ending import at_end
at_end(lambda: print("ended", flush=True))
"""
FORKED = f"""
import multiprocessing
def work():
    {ALONE.strip().replace(chr(10), chr(10) + "    ")}
worker = multiprocessing.get_context("fork").Process(target=work)
worker.start()
worker.join()
"""


@pytest.mark.parametrize("program", [ALONE, FORKED], ids=["alone", "forked"])
def test_what_is_left_for_the_end_is_done_once_in_a_forked_process_too(program):
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout == "ended\n"
