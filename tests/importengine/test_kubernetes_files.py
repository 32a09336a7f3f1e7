"""What ``deploy/kubernetes`` says agrees with the schemas, the engine and its documentation."""

import os
import shutil
import subprocess

import pytest
import yaml

from importengine.processes import heartbeats
from tests.importengine.test_deploy_files import DEPLOY, PROGRAMS, SETTINGS

FOLDER = DEPLOY / "kubernetes"
FILES = sorted(path for path in FOLDER.glob("*.yaml") if path.name != "kustomization.yaml")
OBJECTS = [item for file in FILES for item in yaml.safe_load_all(file.read_text("utf-8"))]
NEEDED = {"IMPORT_POSTGRES_URL", "IMPORT_REDIS_URL", "IMPORT_SECRET_KEY", "IMPORT_ENCRYPTION_KEYS"}


def of_kind(*kinds):
    return {item["metadata"]["name"]: item for item in OBJECTS if item["kind"] in kinds}


PODS = {name: item["spec"]["template"] for name, item in of_kind("Deployment", "Job").items()}


def container_of(name):
    (container,) = PODS[name]["spec"]["containers"]
    return container


@pytest.mark.parametrize(
    "item", OBJECTS, ids=lambda item: f"{item['kind']}/{item['metadata']['name']}"
)
def test_every_object_is_valid_by_the_published_schema(item):
    if not os.environ.get("IMPORT_CI"):
        pytest.importorskip("kubernetes_validate")
    import kubernetes_validate

    kubernetes_validate.validate(item, "1.37", strict=True)


def test_every_file_is_listed():
    listed = yaml.safe_load((FOLDER / "kustomization.yaml").read_text("utf-8"))["resources"]

    assert sorted(listed) == [file.name for file in FILES]


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kustomize_builds_all_objects():
    done = subprocess.run(["kubectl", "kustomize", str(FOLDER)], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert len(list(yaml.safe_load_all(done.stdout))) == len(OBJECTS)


def test_the_deployments_start_the_programs_of_the_production_page():
    started = {" ".join(container_of(name)["command"]) for name in of_kind("Deployment")}
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))

    assert started == set(PROGRAMS)
    assert container_of("migrate")["command"] == compose["services"]["migrate"]["command"]
    assert {container_of(name)["image"] for name in PODS} == {compose["services"]["web"]["image"]}


@pytest.mark.parametrize("name", PODS)
def test_a_program_has_no_privilege_and_writes_to_two_folders(name):
    pod, container = PODS[name]["spec"], container_of(name)

    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    user = {pod["securityContext"][key] for key in ("runAsUser", "runAsGroup", "fsGroup")}
    (written,) = user
    assert f"USER {written}:{written}" in (DEPLOY / "Dockerfile").read_text("utf-8")
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == ["/data", "/tmp"]


def test_every_setting_exists_and_no_secret_is_among_them():
    (settings,) = of_kind("ConfigMap").values()

    assert settings["data"].keys() <= set(SETTINGS)
    assert not NEEDED & settings["data"].keys()
    for name in PODS:
        sources = container_of(name)["envFrom"]
        assert [next(iter(source.values()))["name"] for source in sources] == [
            "settings",
            "import-engine",
        ]


def test_each_worker_scales_by_the_age_of_its_own_queue():
    scaled = of_kind("HorizontalPodAutoscaler")
    for name in set(heartbeats.QUEUES) & of_kind("Deployment").keys() - {"beat"}:
        command = container_of(name)["command"]
        (metric,) = scaled[name]["spec"]["metrics"]
        queue = metric["external"]["metric"]["selector"]["matchLabels"]["queue"]

        assert command[command.index("-Q") + 1] == queue == name
    assert {"imports", "deliveries"} <= scaled.keys()
    assert "beat" not in scaled
    assert of_kind("Deployment")["beat"]["spec"]["replicas"] == 1


def test_policies_budgets_and_the_service_select_pods_that_exist():
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    for item in OBJECTS:
        spec = item.get("spec", {})
        selector = spec.get("selector") or spec.get("podSelector")
        if selector is None:
            continue
        wanted = selector.get("matchLabels", selector).items()
        assert any(wanted <= of.items() for of in labels), item["metadata"]
    (port,) = container_of("web")["ports"]
    (service,) = of_kind("Service").values()
    command = container_of("web")["command"]

    assert str(port["containerPort"]) == command[command.index("--port") + 1]
    assert service["spec"]["ports"][0]["targetPort"] == port["name"]
    probes = ("startupProbe", "livenessProbe", "readinessProbe")
    assert {container_of("web")[probe]["httpGet"]["port"] for probe in probes} == {port["name"]}
