"""The files of ``deploy/``, read."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def text(name: str) -> str:
    """A file of ``deploy/``."""
    return (DEPLOY / name).read_text("utf-8")


def documents(name: str) -> list[Any]:
    """The documents of a YAML file of ``deploy/``."""
    return list(yaml.safe_load_all(text(name)))


def compose() -> dict[str, Any]:
    """The services of the Compose file, by name."""
    services: dict[str, Any] = documents("compose.yaml")[0]["services"]
    return services


def kubernetes() -> dict[tuple[str, str], Any]:
    """All that the Kubernetes set makes, by kind and name."""
    found = {}
    for folder in ("kubernetes", "kubernetes/migration"):
        for resource in documents(f"{folder}/kustomization.yaml")[0]["resources"]:
            for document in documents(f"{folder}/{resource}"):
                found[document["kind"], document["metadata"]["name"]] = document
    return found


def pods() -> dict[str, Any]:
    """The pods' specifications, by the name of what makes them."""
    return {
        name: document["spec"]["template"]["spec"]
        for (_, name), document in kubernetes().items()
        if "template" in document.get("spec", {})
    }


def unit(name: str) -> dict[str, dict[str, list[str]]]:
    """A systemd unit: sections of keys, each with all its values."""
    sections: dict[str, dict[str, list[str]]] = {}
    for line in text(f"systemd/{name}").splitlines():
        if section := re.fullmatch(r"\[(\w+)\]", line):
            current = sections.setdefault(section[1], {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            current.setdefault(key, []).append(value)
    return sections


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions: the word they begin with, and the rest on one line."""
    lines = [line for line in text("Dockerfile").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in joined.splitlines() if line]
