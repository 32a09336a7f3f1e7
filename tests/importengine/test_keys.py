"""The keys of an engine are created once, readable by their owner only."""

import stat

from django.core.management import call_command


def lines(capsys) -> dict[str, str]:
    out = capsys.readouterr().out
    return dict(line.removeprefix("export ").split("=") for line in out.splitlines())


def test_what_is_missing_is_made_and_what_is_there_is_kept(tmp_path, capsys):
    (tmp_path / "secret-key").write_text("mine")
    call_command("keys", "--directory", str(tmp_path))
    first = lines(capsys)
    call_command("keys", "--directory", str(tmp_path))

    assert set(first) == {
        "IMPORT_SECRET_KEY_FILE",
        "IMPORT_ENCRYPTION_KEYS_FILE",
        "IMPORT_LICENSE_PUBLIC_KEY_FILE",
    }
    assert lines(capsys) == first
    assert (tmp_path / "secret-key").read_text() == "mine"
    made = tmp_path / "encryption-keys"
    assert len(made.read_text()) >= 64
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
