"""Which Node builds the elements."""

import doctest
import os
import stat

from scripts import build_elements


def test_the_versions_that_the_bundler_takes():
    assert doctest.testmod(build_elements).failed == 0


def test_an_old_node_of_the_machine_is_left_alone(tmp_path, monkeypatch):
    for name, says in (("node", "v18.20.4"), ("npm", "11.0.0")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho {says}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")

    assert build_elements.of_the_machine() is None
