import os
import stat
import subprocess
import sys


def test_what_the_engine_writes_is_for_its_user_alone(tmp_path):
    script = (
        "import django; django.setup(); from common import storage;"
        "print(storage.local_path(storage.store('sources', [b'x']).name))"
    )
    env = {
        **os.environ,
        "IMPORT_DATA_DIR": str(tmp_path / "data"),
        "DJANGO_SETTINGS_MODULE": "importengine.settings",
    }

    output = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    )

    file = output.stdout.strip()
    folder = os.path.dirname(file)
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
