"""What is committed of the API is what the API is: ``make openapi`` writes it anew."""

import json

from service.api import examples
from tests.api.real_answers import DOCUMENT, document, real_answers, written


def test_the_examples_are_what_is_answered() -> None:
    assert json.loads(examples.FILE.read_text("utf-8")) == real_answers()


def test_the_document_is_what_is_served() -> None:
    served = document()
    assert json.loads(DOCUMENT.read_text("utf-8")) == served
    assert json.loads(written(served)) == served


def test_every_call_has_its_example() -> None:
    for methods in document()["paths"].values():
        for operation in methods.values():
            example = examples.load()[operation["operationId"]]
            for parameter in operation.get("parameters", ()):
                assert ("example" in parameter) >= parameter["required"]
            content = operation["responses"][str(example["status"])].get("content", {})
            assert all({"example", "examples"} & kind.keys() for kind in content.values())
            if "requestBody" in operation:
                assert operation["requestBody"]["content"]["application/json"]["example"]
