import pytest
from django.core.exceptions import ImproperlyConfigured

from importengine.env import Env


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda env: env.boolean("IMPORT_X", default=False), "maybe"),
        (lambda env: env.integer("IMPORT_X", 3), "three"),
        (lambda env: env.integer("IMPORT_X", 3, at_least=1), "0"),
        (lambda env: env.networks("IMPORT_X"), "10.0.0.0/99"),
        (lambda env: env.one_of("IMPORT_X", "INFO", ("INFO", "DEBUG")), "LOUD"),
        (lambda env: env.postgres("IMPORT_X"), "mysql://host/database"),
        (lambda env: env.postgres("IMPORT_X"), "postgresql://host"),
        (lambda env: env.redis("IMPORT_X"), "http://127.0.0.1"),
        (lambda env: env.path_prefix("IMPORT_X"), "imports"),
        (lambda env: env.path_prefix("IMPORT_X"), "https://a.example/imports"),
        (lambda env: env.path_prefix("IMPORT_X"), "/a/../b"),
        (lambda env: env.path_prefix("IMPORT_X"), "/a;b"),
        (lambda env: env.origin("IMPORT_X"), "import.example.com"),
        (lambda env: env.origin("IMPORT_X"), "https://import.example.com/imports"),
        (lambda env: env.origin("IMPORT_X"), "https://user@import.example.com"),
    ],
)
def test_a_wrong_value_stops_the_start_by_name(read, value):
    with pytest.raises(ImproperlyConfigured, match="IMPORT_X"):
        read(Env({"IMPORT_X": value}))


def test_an_empty_value_means_the_default():
    assert Env({"IMPORT_X": ""}).integer("IMPORT_X", 3) == 3


@pytest.mark.parametrize(
    ("value", "prefix"), [("/imports/", "/imports"), ("/a/b-1", "/a/b-1"), ("/", ""), ("", "")]
)
def test_a_path_prefix_ends_without_a_slash(value, prefix):
    assert Env({"IMPORT_X": value}).path_prefix("IMPORT_X") == prefix


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("https://Import.example.com/", "https://import.example.com"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("", ""),
    ],
)
def test_an_origin_has_no_path(value, origin):
    assert Env({"IMPORT_X": value}).origin("IMPORT_X") == origin


def test_a_secret_is_read_from_the_file_that_is_named(tmp_path):
    (tmp_path / "secret").write_text("s3cret\n")

    assert Env({"IMPORT_X_FILE": str(tmp_path / "secret")}).text("IMPORT_X") == "s3cret"


def test_a_secret_given_twice_is_refused(tmp_path):
    with pytest.raises(ImproperlyConfigured, match="both set"):
        Env({"IMPORT_X_FILE": str(tmp_path), "IMPORT_X": "1"}).text("IMPORT_X")


def test_a_secret_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ImproperlyConfigured, match="IMPORT_X_FILE"):
        Env({"IMPORT_X_FILE": str(tmp_path / "missing")}).text("IMPORT_X")


def test_a_postgres_address_is_taken_apart():
    url = "postgresql://ada:p%40ss@db.example:5433/engine?sslmode=require"

    options = Env({"IMPORT_X": url}).postgres("IMPORT_X")

    assert options == {
        "ENGINE": "common.databases.postgresql",
        "NAME": "engine",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


COLLECTOR = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}


@pytest.mark.parametrize(
    ("variables", "seconds"),
    [
        ({}, None),
        (COLLECTOR, 60),
        (COLLECTOR | {"OTEL_METRIC_EXPORT_INTERVAL": "15000"}, 15),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "https://collector/v1/metrics"}, 60),
        (COLLECTOR | {"OTEL_SDK_DISABLED": "true"}, None),
        (COLLECTOR | {"OTEL_METRICS_EXPORTER": "none"}, None),
        (COLLECTOR | {"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, 60),
    ],
)
def test_metrics_are_pushed_where_a_collector_is_named(variables, seconds):
    assert Env(variables).push_seconds() == seconds


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "a minute"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "0"),
    ],
)
def test_a_wrong_value_of_opentelemetry_stops_the_start_by_name(name, value):
    with pytest.raises(ImproperlyConfigured, match=name):
        Env(COLLECTOR | {name: value}).push_seconds()
