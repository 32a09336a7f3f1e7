"""Settings of the engine: ``IMPORT_*`` are an operator's choices, the others are fixed."""

import logging
import os
import sys
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from deliveries.http.guard import WEB_PORTS
from deliveries.verdict import WAITS_S
from importengine.enum_names import ENUM_NAMES
from importengine.env import Env
from importengine.people import group_map
from importengine.people.fixed import PASSWORD, PROVIDER, allauth_settings
from importengine.processes.memory import default_bound
from importengine.processes.wake_ups import beat_schedule
from tabular.model.problem import ADJUSTABLE, CELLS_A_ROW, Limits, setting_of

os.umask(0o077)  # files are private: folders 0700, files 0600

env = Env()
BASE_DIR = Path(__file__).resolve().parent.parent
TESTING = "pytest" in sys.modules

# Location and mode
DATA_DIR = env.path("IMPORT_DATA_DIR", BASE_DIR / "var")
DEBUG = False  # its pages show settings and values of rows
S3_URL = env.bucket("IMPORT_S3_URL")  # https://host/bucket/prefix; without, files stay in DATA_DIR
S3_REGION = env.text("IMPORT_S3_REGION", "us-east-1")
CACHE_BYTES = env.integer("IMPORT_CACHE_BYTES", 10 * 1024**3, at_least=1)  # of a bucket's files
DEMO = env.boolean("IMPORT_DEMO", default=False)
DEMO_LICENSE_KEY = env.text("IMPORT_DEMO_LICENSE_KEY")  # for sessions opened by the demo host
PATH_PREFIX = env.path_prefix("IMPORT_PATH_PREFIX")  # "/imports": every address is below it
FORCE_SCRIPT_NAME = PATH_PREFIX or None
PUBLIC_ORIGIN = env.origin("IMPORT_PUBLIC_ORIGIN")  # "https://import.example.com", of notices
ALLOWED_HOSTS = list(env.words("IMPORT_ALLOWED_HOSTS", ("127.0.0.1", "localhost", "[::1]")))
SECRET_KEY = env.text("IMPORT_SECRET_KEY", "for tests only" if TESTING else "")
ENCRYPTION_KEYS = env.words("IMPORT_ENCRYPTION_KEYS", ("for tests only",) if TESTING else ())
LICENSE_PUBLIC_KEY = env.text("IMPORT_LICENSE_PUBLIC_KEY")
LICENSE_KEY = env.text("IMPORT_LICENSE_KEY")  # of the one agent that `manage.py mcp` serves
AGENT_FILES = env.folder("IMPORT_AGENT_FILES")
AGENT_LANGUAGE = env.text("IMPORT_AGENT_LANGUAGE")  # it sends no Accept-Language

INSTALLED_APPS = [
    "importengine.site.EngineAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "corsheaders",
    "common",
    "licensing",
    "mails",
    "catalogs",
    "ledger",
    "references",
    "deliveries",
    "staging",
    "imports",
    "changesets",
    "contracts",
    "links",
    "feeds",
    "workflow",
    "analytics",
    "api",
    "importengine",
]
MIDDLEWARE = [
    "importengine.web.request_ids.with_request_id",
    "importengine.web.requests_seen.count_requests",
    "importengine.web.health.answer_probes",
    "importengine.web.metrics.answer_scrapes",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "common.http.middleware.with_policy",
    "common.http.language.use_requested_language",
    "common.http.middleware.refuse_unread",
    "common.http.middleware.refuse_unstorable",
    "common.http.middleware.refuse_large_answers",
    "importengine.web.elements.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "importengine.urls"
WSGI_APPLICATION = "importengine.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Database: PostgreSQL if it is named, else SQLite next to the files
EMBEDDED: dict[str, object] = {
    "ENGINE": "common.databases.sqlite",
    "NAME": DATA_DIR / "engine.sqlite3",
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    },
}
if TESTING:  # a file, as in use: SQLite locks an in-memory database that threads share by table
    EMBEDDED["TEST"] = {"NAME": f"{tempfile.gettempdir()}/import-engine-{os.getpid()}.sqlite3"}
DATABASES = {"default": env.postgres("IMPORT_POSTGRES_URL") or EMBEDDED}
DATABASES["default"]["KEEP"] = not TESTING  # tests delete databases, which a connection prevents
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Celery: it only carries wake-ups; the truth is in the database
REDIS_URL = env.redis("IMPORT_REDIS_URL")
BROKER_DIR = DATA_DIR / "broker"
CELERY_BROKER_URL = REDIS_URL or ("memory://" if TESTING else "files://localhost/")
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"socket_connect_timeout": 0.2, "socket_timeout": 5, "max_retries": 0}
    if REDIS_URL
    else {}
    if TESTING
    else {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "polling_interval": 0.05,  # listing an empty folder costs 0.1 ms
    }
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_ALWAYS_EAGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "imports"
CELERY_TASK_ROUTES = {"deliveries.tasks.dispatch_due": {"queue": "deliveries"}}
CELERY_BEAT_SCHEDULE = beat_schedule(2)  # seconds until due work is found whose wake-up was lost
CELERY_BEAT_SCHEDULER = "importengine.processes.ringer.Ringer"

# Work: how long each side waits for the other
LEASE_S = 60  # renewed every quarter of it; so long waits the work of a worker that was killed
PATIENCE_S = 60  # until `serve` restarts what does nothing; less than 20 restarts it forever
CHECK_DEADLINE_S = 30  # for a host that checks rows: a person waits for it

# Cache: only counts calls; losing it is harmless
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "import-engine",
        "OPTIONS": {
            "pool_class": "common.databases.redis.SharedPool",
            "socket_connect_timeout": 0.1,
            "socket_timeout": 0.1,
        },
    }
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

# HTTP API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "licensing.authentication.StaffSessionAuthentication",
        "licensing.authentication.LicenseAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["licensing.rights.permission.IsCaller"],
    "DEFAULT_RENDERER_CLASSES": ["common.http.json_answers.JsonAnswer"],
    "DEFAULT_PARSER_CLASSES": ["api.v1.http.json_body.JsonBody"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "common.http.problems.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": ["licensing.throttle.LicenseRateThrottle"],
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # format=csv is ours: the format of an export
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Import Engine",
    "VERSION": "1",
    "DESCRIPTION": "Any file in, typed rows out, delivered by a signed webhook.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "AUTHENTICATION_WHITELIST": ["licensing.authentication.LicenseAuthentication"],
    "SCHEMA_PATH_PREFIX": "/api/import/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,  # a PATCH has required members too
    "SWAGGER_UI_DIST": "SIDECAR",  # nothing is loaded from elsewhere
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.openapi.complete",
    ],
    "OAS_VERSION": "3.1.0",  # the field model's schema uses null as JSON Schema does
    "ENUM_NAME_OVERRIDES": ENUM_NAMES,
}
ALLOWED_ORIGINS = env.words("IMPORT_ALLOWED_ORIGINS")
CORS_ALLOW_ALL_ORIGINS = not ALLOWED_ORIGINS
CORS_ALLOWED_ORIGINS = list(ALLOWED_ORIGINS)
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = r"^/api/.*$"
CORS_PREFLIGHT_MAX_AGE = 7200
CORS_ALLOW_HEADERS = [
    "authorization",
    "content-type",
    "content-range",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "x-import-actor",
    "x-import-token",
]
CORS_EXPOSE_HEADERS = [
    "location",
    "etag",
    "retry-after",
    "link",
    "www-authenticate",
    "content-disposition",
    "idempotency-replayed",
]
RATE_PER_MINUTE = env.integer("IMPORT_RATE_PER_MINUTE", 6000, at_least=1)
PAGE_RATE_PER_MINUTE = max(1, RATE_PER_MINUTE // 5)  # of a page's session, or one address

# The gateway: threads for views, and what clients may hold open
WEB_THREADS = 32  # views at once in a web process; docs/adr/0094-a-gateway-before-the-threads.md
REQUESTS_PER_ADDRESS = 1024  # without an accepted key, held open at once
BODY_FLOOR = 1024  # bytes a second; a slower sender holds a place that others need
TRUSTED_PROXIES = env.networks("IMPORT_TRUSTED_PROXIES")

# Files
MAX_FILE_BYTES = env.integer("IMPORT_MAX_FILE_BYTES", 1024**3, at_least=1)
MAX_JSON_BYTES = 1024**2  # larger data goes as a file, which is not read in memory
AGENT_BYTES = 12 * 1024**2  # of an agent's message: a file of 8 MB in base64, and the rest
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_JSON_BYTES
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
MEMORY_BYTES = env.integer("IMPORT_MEMORY_BYTES", default_bound(), at_least=512 * 1024**2)
LIMITS = {  # of one file; the others follow from these, or are fixed in tabular.model.problem
    name: env.integer(setting_of(name), getattr(Limits(), name), at_least=1) for name in ADJUSTABLE
}
LIMITS |= {
    "cells": CELLS_A_ROW * LIMITS["rows"],
    "expanded_bytes": max(Limits().expanded_bytes, 4 * MAX_FILE_BYTES),
    "folder_bytes": max(Limits().folder_bytes, 20 * MAX_FILE_BYTES),  # text, Arrow and rows
}
JOBS_AT_ONCE = env.integer("IMPORT_JOBS_AT_ONCE", os.cpu_count() or 1, at_least=1)
GRACE_S = env.integer("IMPORT_GRACE_SECONDS", 10, at_least=0)  # of jobs in a stopping worker
SANDBOX = env.one_of("IMPORT_SANDBOX", "available", ("available", "strict"))
SCAN_LANGUAGES = env.words("IMPORT_SCAN_LANGUAGES")
TENANT_IMPORTS_AT_WORK = 1_000  # tenants take turns: this only bounds what waits
TENANT_STORED_BYTES = env.integer("IMPORT_TENANT_STORED_BYTES", 100 * 1024**3, at_least=1)
RETENTION_DAYS = env.integer("IMPORT_RETENTION_DAYS", 90, at_least=1)

# Metrics: off until one of them is set
METRICS_TOKEN = env.text("IMPORT_METRICS_TOKEN")
METRICS_NETWORKS = env.networks("IMPORT_METRICS_NETWORKS")
METRICS_PUSH_S = env.push_seconds()  # to the collector that OTEL_* names

# Outbound
WEBHOOK_ALLOW_NETWORKS = env.networks("IMPORT_WEBHOOK_ALLOW_NETWORKS")
WEBHOOK_PORTS = env.integers("IMPORT_WEBHOOK_PORTS", WEB_PORTS, at_least=1)
WEBHOOK_CA_FILE = env.text("IMPORT_WEBHOOK_CA_FILE")  # an additional trusted authority
WEBHOOK_CALLS_PER_MINUTE = 60  # registrations and test deliveries of a tenant
MAX_REGISTRATIONS = env.integer("IMPORT_MAX_REGISTRATIONS", 100, at_least=1)  # per tenant
MODEL_URL = env.text("IMPORT_MODEL_URL").rstrip("/")  # off without; OpenAI-compatible
MODEL_NAME = env.text("IMPORT_MODEL_NAME")
MODEL_KEY = env.text("IMPORT_MODEL_KEY")
MODEL_ALLOW_NETWORKS = env.networks("IMPORT_MODEL_ALLOW_NETWORKS")
if MODEL_URL and not MODEL_NAME:
    raise ImproperlyConfigured("IMPORT_MODEL_NAME is missing: it names the model to ask.")
WEBHOOK_WAITS_S = WAITS_S  # about five days, as docs/webhooks.md promises to hosts

# People: a password, a provider, a second factor; docs/how-to/sign-in-with-your-provider.md
PASSWORDS = env.boolean("IMPORT_PASSWORDS", default=True)
OIDC_URL = env.issuer("IMPORT_OIDC_URL")  # off without
OIDC_CLIENT_ID = env.text("IMPORT_OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = env.text("IMPORT_OIDC_CLIENT_SECRET")
OIDC_GROUPS = group_map.read(env.text("IMPORT_OIDC_GROUPS"))
OIDC_CLAIM = env.text("IMPORT_OIDC_CLAIM", "groups")
OIDC_SCOPES = env.words("IMPORT_OIDC_SCOPES", ("openid", "profile", "email"))
OIDC_SESSION_MINUTES = env.integer("IMPORT_OIDC_SESSION_MINUTES", 60, at_least=5)
OIDC_ALLOW_NETWORKS = env.networks("IMPORT_OIDC_ALLOW_NETWORKS")
for needed in ("CLIENT_ID", "CLIENT_SECRET", "GROUPS") if OIDC_URL else ():
    if not globals()[f"OIDC_{needed}"]:
        raise ImproperlyConfigured(f"IMPORT_OIDC_{needed} is missing; IMPORT_OIDC_URL needs it.")
if OIDC_URL or TESTING:  # it loads ``requests`` into every program
    INSTALLED_APPS.append("allauth.socialaccount.providers.openid_connect")
if not PASSWORDS and not OIDC_URL:
    raise ImproperlyConfigured("IMPORT_PASSWORDS is off; IMPORT_OIDC_URL is missing.")
AUTHENTICATION_BACKENDS = [PASSWORD] * PASSWORDS + [PROVIDER] * bool(OIDC_URL)
LOGIN_URL, LOGIN_REDIRECT_URL = "/admin/login/", "/admin/"
globals().update(allauth_settings(passwords=PASSWORDS))

# Mail: invitations, new passwords, and what people chose to hear; off without
MAIL = env.mail("IMPORT_MAIL_URL")
MAIL_FROM = env.text("IMPORT_MAIL_FROM")
if MAIL and not MAIL_FROM:
    raise ImproperlyConfigured("IMPORT_MAIL_FROM is missing: it is the sender of mails.")
globals().update(MAIL)  # EMAIL_HOST and so on
DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL_FROM or "nobody@localhost"
EMAIL_TIMEOUT = 10
PASSWORD_RESET_TIMEOUT = 86_400  # seconds that a link in a mail works

# Language, time, static files, safety
LANGUAGE_CODE = "en"
AUTH_PASSWORD_VALIDATORS: list[dict[str, object]] = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "UserAttributeSimilarityValidator": {},
        "MinimumLengthValidator": {"min_length": 12},
        "CommonPasswordValidator": {},
        "NumericPasswordValidator": {},
    }.items()
]
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = f"{PATH_PREFIX}/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # otherwise WhiteNoise warns on every start
WHITENOISE_USE_FINDERS = True
WHITENOISE_MIMETYPES = {".ts": "text/plain"}
# Named by content: the parts of the elements, and each entry under its version.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/elements/(chunks/.+|[a-z-]+-\d[^/]*)\.js$"
APPEND_SLASH = False
BEHIND_TLS = env.boolean("IMPORT_BEHIND_TLS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = PATH_PREFIX or "/"  # not sent to the host's other pages
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_TLS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
# W004, 8, 12, 16 are importengine.W001. W005, W021: decided by the domain's owner, in the proxy.
SILENCED_SYSTEM_CHECKS = [f"security.W{n}" for n in ("004", "005", "008", "012", "016", "021")]

LOG_LEVEL = env.one_of("IMPORT_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = env.one_of("IMPORT_LOG_FORMAT", "text", ("text", "json"))
LOG_ADDRESSES = env.boolean("IMPORT_LOG_ADDRESSES", default=False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "common.logs.lines.JsonLine"},
    },
    "filters": {
        "broker": {"()": "importengine.logs.OneLineWhileBrokerIsAway"},
        "requests": {"()": "importengine.logs.RequestsWithoutPaths"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "loggers": {
        "celery": {"level": "WARNING"},  # otherwise two lines for every wake-up
        "celery.beat": {"filters": ["broker"]},
        "django.request": {"filters": ["requests"]},
        "mcp": {"level": "WARNING"},  # otherwise two lines for every call
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
logging.captureWarnings(LOG_FORMAT == "json")  # otherwise they are lines of another form
