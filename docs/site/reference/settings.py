"""What can be set about the service, from its settings."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from docs.site.reference.tables import table
from heddle_server.settings import Settings

HEAD = """# Settings

A *setting* is an environment variable that the service, its scheduler and its workers read as they start, such as
`HEDDLE_RUN_SECONDS=300`. Sizes are in bytes and times in seconds. Lists and tables are written as JSON. Some
settings have an option of [`serve`](command-line.md#serve) as well.
"""
SIZES = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))


def settings() -> str:
    rows = (
        (f"`HEDDLE_{name.upper()}`", default_of(name, field), field.description or sentence_of(name))
        for name, field in Settings.model_fields.items()
    )
    return "\n".join((HEAD, *table(("variable", "default", "meaning"), rows)))


def default_of(name: str, field: FieldInfo) -> str:
    value = field.default
    if value is PydanticUndefined:
        return "by the system"
    if value is None or value in ((), {}):
        return "none"
    if isinstance(value, Path):
        return "by the installation"
    if isinstance(value, bool):
        return "true" if value else "false"
    for unit, size in SIZES:
        if name.endswith("_bytes") and value >= size and value % size == 0:
            return f"{value // size} {unit}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def sentence_of(name: str) -> str:
    """For a setting whose name says it all."""
    words = re.sub(r"_(bytes|seconds|limit)$", "", name).replace("_", " ")
    kind = re.search(r"_(bytes|seconds|limit)$", name)
    unit = {"bytes": "Size limit of", "seconds": "Time limit of", "limit": "Most entries of"}[kind[1]] if kind else ""
    return f"{unit} {words}.".strip().capitalize()
