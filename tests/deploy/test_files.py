"""What ``deploy/`` says is so: commands, settings, folders, images, probes, alerts."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from fastapi.routing import APIRoute

from service import __version__, metrics
from service.api.routes import ROUTERS
from service.cli.commands import app
from service.metrics import Supplies, Supply
from service.scheduler import Jobs
from service.settings import Settings, settings_table
from tests.clock import NOON
from tests.deploy.files import (
    DEPLOY,
    ROOT,
    compose,
    documents,
    instructions,
    kubernetes,
    pods,
    text,
    unit,
)

FILES = sorted(
    path.relative_to(DEPLOY).as_posix()
    for path in DEPLOY.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
)
IMAGE = "gaps"


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every ``gaps`` command that a file of ``deploy/`` runs, with the file's name."""
    arguments = dict(instructions())["CMD"]
    yield "Dockerfile", re.findall(r'"([^"]+)"', arguments)
    for name, service in compose().items():
        if service["image"].startswith(f"{IMAGE}:"):
            yield f"compose.yaml: {name}", service["command"]
    for name, pod in pods().items():
        for container in pod["containers"]:
            yield f"kubernetes: {name}", container["args"]
    for name in ("gaps.service", "gaps-backup.service"):
        line = unit(name)["Service"]["ExecStart"][0]
        yield name, shlex.split(re.sub(r".*/bin/gaps |'$", "", line))
    for quoted, alone in re.findall(
        r"`gaps ([a-z][^`]*)`|^gaps ([a-z][^#\n]*)", text("README.md"), re.MULTILINE
    ):
        yield "README.md", shlex.split(quoted or alone)


@pytest.mark.parametrize(("where", "arguments"), list(commands()))
def test_commands_are_commands_of_gaps(where: str, arguments: list[str]) -> None:
    command: Any = typer.main.get_command(app)
    rest = list(arguments)
    while hasattr(command, "commands"):
        name = rest.pop(0)
        assert name in command.commands, f"{where}: gaps {' '.join(arguments)}"
        command = command.commands[name]
    if where != "README.md":
        command.make_context(command.name, rest)
    options = {option for parameter in command.params for option in parameter.opts}
    options |= {option for parameter in command.params for option in parameter.secondary_opts}
    assert {word for word in rest if word.startswith("--")} <= options


@pytest.mark.parametrize("name", FILES)
def test_settings_are_settings(name: str) -> None:
    named = set(re.findall(r"\bGAPS_[A-Z_]+", text(name)))
    assert named <= {row.name for row in settings_table()}


def environments() -> Iterator[tuple[str, dict[str, str]]]:
    """The settings that each way of running gives, with its name."""
    words = shlex.split(" ".join(rest for word, rest in instructions() if word == "ENV"))
    image = dict(word.split("=", 1) for word in words)
    yield "Dockerfile", image
    for name, service in compose().items():
        yield f"compose.yaml: {name}", image | service.get("environment", {})
    shared = kubernetes()["ConfigMap", "gaps-settings"]["data"]
    for name, pod in pods().items():
        own = {entry["name"]: entry["value"] for entry in pod["containers"][0].get("env", [])}
        yield f"kubernetes: {name}", image | shared | own
    for name in ("gaps.service", "gaps-backup.service"):
        yield name, dict(value.split("=", 1) for value in unit(name)["Service"]["Environment"])
    lines = re.findall(r"^#?([A-Z_]+)=(.+)$", text("systemd/gaps.env"), re.MULTILINE)
    yield "gaps.env", dict(lines)


@pytest.mark.parametrize(("where", "environment"), list(environments()))
def test_settings_can_be_used(
    where: str, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        # What an operator may set instead stands before what is taken otherwise.
        monkeypatch.setenv(name, re.sub(r"\$\{\w+:-(.*)\}", r"\1", value))
    assert Settings().database_url.startswith(("sqlite:///", "postgresql://"))


def test_the_image_has_the_version_of_the_program() -> None:
    images = {service["image"] for service in compose().values()}
    assert images == {"postgres:18", f"{IMAGE}:{__version__}"}
    for folder in ("kubernetes", "kubernetes/migration"):
        (image,) = documents(f"{folder}/kustomization.yaml")[0]["images"]
        assert image == {"name": IMAGE, "newTag": __version__}
    for pod in pods().values():
        assert [container["image"] for container in pod["containers"]] == [IMAGE]
    for name in FILES:
        assert set(re.findall(r"\bgaps:(\d[\w.]*)", text(name))) <= {__version__}, name


def test_images_are_named_without_a_registry() -> None:
    bases = {rest.split()[0] for word, rest in instructions() if word == "FROM"}
    assert bases == {"python:${PYTHON}-slim"}


def test_the_dockerfile_copies_what_there_is_and_nothing_else_is_sent() -> None:
    allowed = {line[1:] for line in text("Dockerfile.dockerignore").splitlines() if line[:1] == "!"}
    copied = set()
    for word, rest in instructions():
        parts = [part for part in rest.split() if not part.startswith("--chmod")]
        if word == "COPY" and not parts[0].startswith("--from"):
            copied |= set(parts[:-1])
    assert all((ROOT / source).exists() for source in copied)
    assert {source if source in allowed else str(Path(source).parent) for source in copied} == (
        allowed
    )
    entry = dict(instructions())["ENTRYPOINT"]
    assert entry == '["gaps-entry"]'
    assert (DEPLOY / "image" / "gaps-entry").stat().st_mode & 0o111


def test_no_container_is_root_or_writes_where_it_should_not() -> None:
    user = dict(instructions())["USER"].partition(":")[0]
    for name, service in compose().items():
        if name != "database":
            assert service["read_only"], name
            assert service["cap_drop"] == ["ALL"]
            assert service["tmpfs"][0].startswith("/tmp:")
    for name, pod in pods().items():
        assert pod["securityContext"]["runAsNonRoot"], name
        assert str(pod["securityContext"]["runAsUser"]) == user
        (container,) = pod["containers"]
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"]
        assert not security["allowPrivilegeEscalation"]
        assert security["capabilities"]["drop"] == ["ALL"]
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        assert mounts == {volume["name"]: "/tmp" for volume in pod["volumes"]}


def test_kubernetes_does_not_set_our_settings() -> None:
    """For a Service called gaps it would set GAPS_PORT to an address that is no port."""
    assert all(pod["enableServiceLinks"] is False for pod in pods().values())


def test_the_api_waits_for_the_migration_and_there_is_one_scheduler() -> None:
    services = compose()
    for name in ("api", "scheduler"):
        waits = services[name]["depends_on"]["migration"]["condition"]
        assert waits == "service_completed_successfully"
    assert "--no-scheduler" in services["api"]["command"]
    assert kubernetes()["Deployment", "gaps-scheduler"]["spec"]["replicas"] == 1
    assert "--no-scheduler" in pods()["gaps-api"]["containers"][0]["args"]


def test_services_find_their_pods() -> None:
    labels = kubernetes()["Deployment", "gaps-api"]["spec"]["template"]["metadata"]["labels"]
    service = kubernetes()["Service", "gaps-api"]["spec"]
    assert service["selector"] == labels
    budget = kubernetes()["PodDisruptionBudget", "gaps-api"]["spec"]
    assert budget["selector"]["matchLabels"] == labels
    ports = {port["name"] for port in pods()["gaps-api"]["containers"][0]["ports"]}
    assert {port["targetPort"] for port in service["ports"]} <= ports


ROUTES = {
    route.path for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)
}


def probes() -> Iterator[tuple[str, str, int]]:
    """What asks for a path: where it is said, the path, and the port."""
    for name, pod in pods().items():
        container = pod["containers"][0]
        ports = {port["name"]: port["containerPort"] for port in container.get("ports", [])}
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            if kind in container:
                get = container[kind]["httpGet"]
                yield f"{name}: {kind}", get["path"], ports[get["port"]]
    for name, service in compose().items():
        for port, path in (
            re.findall(r"http://127.0.0.1:(\d+)(/\w+)", str(service["healthcheck"]["test"]))
            if "healthcheck" in service
            else ()
        ):
            yield name, path, int(port)


@pytest.mark.parametrize(("where", "path", "port"), list(probes()))
def test_probes_ask_what_is_answered(where: str, path: str, port: int) -> None:
    assert path in ROUTES
    settings = dict(environments())
    own = next(values for name, values in settings.items() if name.endswith(where.split(":")[0]))
    scheduler = "scheduler" in where
    assert int(own["GAPS_METRICS_PORT" if scheduler else "GAPS_PORT"]) == port
    assert not scheduler or path == "/metrics", "a scheduler answers with nothing else"


def test_units_use_the_folders_that_systemd_makes_for_them() -> None:
    service = unit("gaps.service")["Service"]
    environment = dict(value.split("=", 1) for value in service["Environment"])
    assert environment["GAPS_DATABASE_URL"] == "sqlite:////var/lib/gaps/gaps.db"
    assert service["StateDirectory"] == service["CacheDirectory"] == ["gaps"]
    assert environment["NUMBA_CACHE_DIR"].startswith("/var/cache/gaps")
    # A folder that goes with the service: one in /tmp would be left behind by a kill.
    assert (environment["TMPDIR"], service["RuntimeDirectory"]) == ("/run/gaps", ["gaps"])
    assert "MemoryDenyWriteExecute" not in service, "the solver is compiled at run time"
    backup = unit("gaps-backup.service")["Service"]
    assert backup["Environment"][0] == service["Environment"][0]
    assert backup["User"] == service["User"] == ["gaps"]
    assert unit("gaps-backup.timer")["Install"]["WantedBy"] == ["timers.target"]


def alerts() -> list[dict[str, Any]]:
    """All alert rules."""
    (group,) = documents("prometheus/alerts.yaml")[0]["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


@pytest.fixture(scope="module")
def exposed() -> dict[str, set[str]]:
    """All numbers that there are, each with its labels."""
    metrics.request_answered("GET", "/v1/daily", 200, 0.01)
    metrics.task_done("keep_stock", NOON)
    found: dict[str, set[str]] = {}
    there = Supplies([Supply("classic", 1, 1)], 0, 14, 7)
    for line in metrics.exposition(lambda: there).decode().splitlines():
        if sample := re.match(r"(\w+)(?:{(.*)})? ", line):
            found.setdefault(sample[1], set()).update(re.findall(r'(\w+)="', sample[2] or ""))
    return found


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_alerts_ask_for_numbers_that_there_are(
    rule: dict[str, Any], exposed: dict[str, set[str]]
) -> None:
    told = rule["annotations"]["description"] + rule["annotations"]["summary"]
    names = re.findall(r"\b(gaps_\w+)(?:{([^}]*)})?", rule["expr"])
    assert names
    for name, matchers in names:
        assert set(re.findall(r'(\w+)[!=]~?"', matchers)) <= exposed[name], name
    labels = set(re.findall(r"\$labels\.(\w+)", told))
    by = {label for group in re.findall(r"by \((.*?)\)", rule["expr"]) for label in group.split()}
    assert labels <= by
    assert rule["labels"]["severity"] in {"critical", "warning"}
    for task in re.findall(r'task="(\w+)"', rule["expr"]):
        assert callable(getattr(Jobs, task))
    for route in re.findall(r'route!?="([^"]+)"', rule["expr"]):
        assert route in ROUTES


def test_alerts_are_there_for_what_must_not_go_unseen() -> None:
    assert {rule["alert"] for rule in alerts()} >= {
        "GapsNoDailyForTomorrow",
        "GapsStockLow",
        "GapsLineRefused",
        "GapsNoHeartbeat",
    }


def test_links_of_the_page_lead_somewhere() -> None:
    page = text("README.md")
    headings = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    }
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", page):
        if target:
            assert (DEPLOY / target).exists(), target
        else:
            assert anchor in headings, anchor
