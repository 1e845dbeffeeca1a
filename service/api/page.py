"""The pages for a browser: a welcome, and the OpenAPI document as something to read.

They stand for themselves: no script, no font, nothing fetched from elsewhere.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The content security policy under which the pages work."""

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8886; border-radius: .3rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; }
h3 { margin: 2rem 0 .3rem; } h3 b { display: inline-block; min-width: 3.5rem; }
table { border-collapse: collapse; margin: .5rem 0; width: 100%; }
td { vertical-align: top; padding: .15rem .8rem .15rem 0; }
td:first-child { white-space: nowrap; width: 12rem; }
"""

WELCOME: Final = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Gaps</title><style>{_STYLE}</style>
<h1>Gaps</h1>
<p>A Gaps (Montana) deal a day. A solver has won each of them, and a separately written checker has
replayed the win move by move; when the day is over everywhere, anybody can do the same.</p>
<ul>
<li><a href="v1/daily">Today's deal</a>, <a href="v1/dailies">all before it</a>,
<a href="v1/variants">the variants</a></li>
<li><a href="docs">How to use the API</a>, and <a href="openapi.json">the same for programs</a></li>
<li><a href="checker.pyz">The checker</a> in one file, to run at home, and
<a href="checker.pyz.sha256">its SHA-256</a></li>
<li><a href="readyz">Whether the service is ready</a></li>
</ul>
</html>
"""


def reference(document: Mapping[str, Any]) -> str:
    """An OpenAPI document as an HTML page."""
    return "".join(_page(document))


def _page(document: Mapping[str, Any]) -> Iterator[str]:
    info = document["info"]
    yield '<!doctype html><html lang="en"><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{escape(info['title'])} API</title><style>{_STYLE}</style>"
    yield f"<h1>{escape(info['title'])} API {escape(info['version'])}</h1>"
    yield from (f"<p>{_text(part)}</p>" for part in info["description"].strip().split("\n\n"))
    yield '<p><a href="openapi.json">The same for programs</a> (OpenAPI).</p>'
    for tag in document["tags"]:
        yield f"<h2>{escape(tag['name'].capitalize())}</h2><p>{_text(tag['description'])}</p>"
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if tag["name"] in operation.get("tags", ()):
                    yield from _operation(path, method, operation)
    yield "<h2>Schemas</h2>"
    for name, schema in document["components"]["schemas"].items():
        yield from _schema(name, schema)
    yield "</html>"


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{escape(operation["operationId"])}"><b>{method.upper()}</b> '
    yield f"<code>{escape(path)}</code></h3><p>{_text(operation.get('description', ''))}</p>"
    yield from _table(
        (f"<code>{escape(param['name'])}</code>", _parameter(param))
        for param in operation.get("parameters", ())
    )
    for body in operation.get("requestBody", {}).get("content", {}).values():
        yield f"<p>Takes {_type(body['schema'])}.</p>"
    yield from _table(
        (escape(status), _response(response)) for status, response in operation["responses"].items()
    )


def _parameter(param: Mapping[str, Any]) -> str:
    needed = "required" if param.get("required") else "optional"
    return f"{needed}, {_type(param['schema'])}. {_text(param.get('description', ''))}"


def _response(response: Mapping[str, Any]) -> str:
    types = [
        _type(content["schema"])
        for media_type, content in response.get("content", {}).items()
        if media_type == "application/json" and content.get("schema")
    ]
    return " ".join([*types, _text(response["description"])])


def _schema(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{escape(name)}">{escape(name)}</h3>'
    yield f"<p>{_text(schema.get('description', ''))}</p>"
    required = schema.get("required", ())
    yield from _table(
        (
            f"<code>{escape(key)}</code>{'' if key in required else ' (optional)'}",
            f"{_type(part)}. {_text(part.get('description', ''))}",
        )
        for key, part in schema.get("properties", {}).items()
    )
    if "enum" in schema:
        yield f"<p>One of {', '.join(map(_code, schema['enum']))}.</p>"


def _type(schema: Mapping[str, Any]) -> str:
    """A schema in a few words, with links to those that have a name."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    for key in ("const", "enum"):
        if key in schema:
            values = schema[key] if key == "enum" else [schema[key]]
            return "one of " + ", ".join(map(_code, values))
    words = str(schema.get("format") or schema.get("type", "anything"))
    return f"{escape(words)} {_code(schema['pattern'])}" if "pattern" in schema else escape(words)


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    cells = "".join(f"<tr><td>{left}<td>{right}" for left, right in rows)
    if cells:
        yield f"<table>{cells}</table>"


def _code(value: object) -> str:
    return f"<code>{escape(str(value))}</code>"


def _text(text: str) -> str:
    """Escaped text, with what stands in backquotes as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))
