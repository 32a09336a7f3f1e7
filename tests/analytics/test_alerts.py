"""The alert rules speak of metrics that exist, and fire as their tests say."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from analytics import concerns
from importengine.web import metrics

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy" / "prometheus"
ALERTS = DEPLOY / "alerts.yaml"
DASHBOARD = ROOT / "deploy" / "grafana" / "dashboard.json"
NAME = re.compile(r"import_engine_\w+")


def rules() -> dict[str, dict]:
    groups = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


@pytest.mark.django_db
@pytest.mark.parametrize("file", [ALERTS, DASHBOARD], ids=lambda path: path.stem)
def test_every_metric_named_is_served(file):
    served = set(NAME.findall(metrics.exposition().decode()))
    counted = {f"{metrics.PREFIX}{name}" for name in metrics.HELP}
    named = set(NAME.findall(file.read_text("utf-8")))

    assert named
    ends = re.compile(r"_(?:total|bucket|sum|count)$")
    assert {name for name in named if name not in served and ends.sub("", name) not in counted} == (
        set()
    )


def test_alerts_have_the_limits_of_the_engine():
    expressions = {name: rule["expr"] for name, rule in rules().items()}

    assert f"> {concerns.WAITING.seconds}" in expressions["WorkWaits"]
    assert f"> {concerns.FAILING.seconds}" in expressions["ReceiverFails"]
    assert f"> {concerns.FAILING.seconds}" in expressions["FeedFails"]
    assert f"> {concerns.FAILING.seconds}" in expressions["MailFails"]
    assert f"> {concerns.COUNTED.seconds}" in expressions["CountsAreOld"]
    assert f"< {concerns.LEAST_FREE}" in expressions["DiskAlmostFull"]
    assert f'days="{concerns.SOON_DAYS}"' in expressions["LicenseExpires"]
    assert f'days="{concerns.TOMORROW_DAYS}"' in expressions["LicenseExpiresTomorrow"]


def test_each_alert_has_a_paragraph_in_the_docs():
    page = (ROOT / "docs" / "how-to" / "monitor.md").read_text("utf-8")

    for name, rule in rules().items():
        assert f"### {name}\n" in page
        assert rule["annotations"]["runbook"] == f"docs/how-to/monitor.md#{name.lower()}"


@pytest.mark.skipif(
    shutil.which("promtool") is None and not os.environ.get("IMPORT_CI"),
    reason="promtool is not installed (Debian: prometheus)",
)
def test_promtool_accepts_the_rules_and_their_tests():
    done = subprocess.run(
        ["promtool", "test", "rules", "alerts_test.yaml"],
        cwd=DEPLOY,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
