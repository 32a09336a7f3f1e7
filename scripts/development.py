"""
Run a command of the engine with development keys: ``python scripts/development.py serve``.

The keys are created once, in the data folder, readable by their owner only. Variables that are
already set have priority, so the same commands run against PostgreSQL and Redis.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = "127.0.0.0/8,::1/128"


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a development engine; create missing keys."""
    folder = Path(given.get("IMPORT_DATA_DIR") or ROOT / "var").absolute()
    keys = folder / "keys"
    keys.mkdir(parents=True, exist_ok=True, mode=0o700)
    env = dict(given)
    env.setdefault("IMPORT_DATA_DIR", str(folder))
    env.setdefault("IMPORT_DEMO", "1")
    env.setdefault("IMPORT_WEBHOOK_ALLOW_NETWORKS", LOOPBACK)
    for variable, name in (
        ("IMPORT_SECRET_KEY", "secret-key"),
        ("IMPORT_ENCRYPTION_KEYS", "encryption-keys"),
    ):
        _name_file(env, variable, _secret(keys / name))
    for variable, name in (
        ("IMPORT_LICENSE_PUBLIC_KEY", "license-public.pem"),
        ("IMPORT_DEMO_LICENSE_KEY", "demo-license"),
    ):
        if (keys / name).exists():
            _name_file(env, variable, keys / name)
    return env


def _secret(path: Path) -> Path:
    if not path.exists():
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48))
    return path


def _name_file(env: dict[str, str], variable: str, path: Path) -> None:
    if variable not in env and f"{variable}_FILE" not in env:
        env[f"{variable}_FILE"] = str(path)


def main(arguments: list[str]) -> int:
    """Run ``manage.py`` with the arguments; the first run ever creates the license key pair."""
    manage = [sys.executable, str(ROOT / "manage.py")]
    env = environment(os.environ)
    if "IMPORT_LICENSE_PUBLIC_KEY" not in env and "IMPORT_LICENSE_PUBLIC_KEY_FILE" not in env:
        subprocess.run(
            [*manage, "license", "keygen"], env=env, check=True, stdout=subprocess.DEVNULL
        )
        env = environment(os.environ)
    os.chdir(ROOT)
    os.execve(sys.executable, [*manage, *arguments], env)  # noqa: S606  (a list, no shell)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
