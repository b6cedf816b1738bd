"""The routes of the service, from its OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from docs.site.reference.tables import table
from heddle_server.http.quotas import NETWORK_FACTOR, QUOTAS
from heddle_server.places import PACKAGE

HEAD = """# HTTP

The service answers JSON under `/api/v1`. `/api/v1/openapi.json` describes every route with the schemas of what it
takes and gives, for programs that generate clients; this page is made from it. A refusal is a problem document (RFC
9457) with `title`, `status` and `detail`.

Events of a run come as server-sent events. What may be written needs a code where the operator asks for one.
"""
LIMITS = f"""## Quotas

A *quota* is how many requests are allowed in a minute, half of them at once. Beyond that the answer is 429. The first
row that fits a request counts. A network has {NETWORK_FACTOR} times the quota of an address.
"""


def http() -> str:
    document: dict[str, Any] = json.loads((PACKAGE / "openapi.json").read_text(encoding="utf-8"))
    routes: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            routes.setdefault((operation.get("tags") or ["service"])[0], []).append((method.upper(), path, operation))
    lines = [HEAD, LIMITS, *quotas()]
    for tag, operations in sorted(routes.items()):
        lines += [f"## {tag.capitalize()}", ""]
        for method, path, operation in operations:
            lines += [f"### {method} {path}", "", *described(operation)]
    return "\n".join(lines)


def quotas() -> Iterator[str]:
    rows = (
        (
            ", ".join(f"`{method} {path}…`" for path in quota.paths for method in quota.methods),
            f"{quota.of_visitor:,}",
            f"{quota.of_address:,}",
        )
        for quota in QUOTAS
    )
    yield from table(("requests", "of one browser", "of one address"), rows)


def described(operation: dict[str, Any]) -> Iterator[str]:
    yield from (operation.get("description") or f"{operation['summary']}.", "")
    parameters = operation.get("parameters", [])
    if parameters:
        rows = (
            (f"`{each['name']}`", each["in"], "yes" if each.get("required") else "no", type_of(each.get("schema", {})))
            for each in parameters
        )
        yield from table(("parameter", "in", "required", "type"), rows)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from (f"Takes {type_of(content.get('schema', {}))} as `{kind}`.", "")
    yield from (f"Answers {', '.join(answers(operation))}.", "")


def answers(operation: dict[str, Any]) -> Iterator[str]:
    """Status codes, those of success with what they carry."""
    for status, answer in operation["responses"].items():
        schemas = [type_of(content.get("schema", {})) for content in answer.get("content", {}).values()]
        carries = f" with {' or '.join(dict.fromkeys(schemas))}" if status.startswith("2") and schemas else ""
        yield f"{status}{carries}"


def type_of(schema: dict[str, Any]) -> str:
    """In words: the name of a schema, or the type."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(type_of(each) for each in schema[union]))
    if schema.get("type") == "array":
        return f"a list of {type_of(schema.get('items', {}))}"
    return str(schema.get("type", "JSON"))
