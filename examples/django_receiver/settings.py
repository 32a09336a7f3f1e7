"""Settings to run the receiver alone, for trying it out.

IMPORT_SIGNING_SECRETS    the signing secret, or several with commas while one is rotated
RECEIVER_DATABASE         path of the SQLite file; default: receiver.sqlite3 in this folder
RECEIVER_MAX_BODY_BYTES   default: 256 MB
"""

import os
import secrets
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECRET_KEY = secrets.token_hex(32)  # nothing is signed with it: there are no sessions
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
ROOT_URLCONF = f"{__package__}.urls"
INSTALLED_APPS = [__package__]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("RECEIVER_DATABASE", str(HERE / "receiver.sqlite3")),
        # The lock is taken when a transaction begins: two writers wait, neither fails half-way.
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True

IMPORT_SIGNING_SECRETS = [
    secret.strip()
    for secret in os.environ.get("IMPORT_SIGNING_SECRETS", "").split(",")
    if secret.strip()
]
IMPORT_MAX_BODY_BYTES = int(os.environ.get("RECEIVER_MAX_BODY_BYTES", str(256 << 20)))
