"""The examples of the OpenAPI document: what the service really answered, kept in a file.

``make openapi`` makes them anew.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("examples.json")


@cache
def load() -> Mapping[str, Mapping[str, Any]]:
    """Per operation id: `parameters` and `body` as sent, `status` and `answer` as they came."""
    loaded: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return loaded


def put_into(operation: dict[str, Any]) -> None:
    """Gives an operation of an OpenAPI document its example, if there is one."""
    example = load().get(operation["operationId"])
    if example is None:
        return
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in example["parameters"]:
            parameter["example"] = example["parameters"][parameter["name"]]
    if "requestBody" in operation:
        operation["requestBody"]["content"]["application/json"]["example"] = example["body"]
    if example["answer"] is None:
        return
    for content in operation["responses"][str(example["status"])].get("content", {}).values():
        content["example"] = example["answer"]
