"""A Python script that compiles, verifies and times a plan again, with the library alone, and what was measured."""

from __future__ import annotations

import json
import pprint
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heddle.measuring.reproduction import pack_file
from heddle.plan import Plan, plan_hash, to_document
from heddle_server.machine_name import machine_name
from heddle_server.version import VERSION

if TYPE_CHECKING:  # the schema needs pydantic, and the page without a server does without
    from heddle_server.schema.run import RunResult

SCRIPT = '''"""Reproduces plan {key}.

    pip install "heddle-sparse[run]=={version}"
    python3 reproduce.py

It makes or reads the same inputs, verifies the kernel against a reference, times it beside the same libraries, and
compares with what was measured when this script was saved. Libraries that are not installed are left out.
"""

import sys
from pathlib import Path

try:
    from heddle.cli.reproduce import reproduce
except ModuleNotFoundError:
    sys.exit('This script needs Heddle {version}: pip install "heddle-sparse[run]=={version}"')

PLAN = {plan}

# {about_stored}
STORED = {stored}

# {about_files}
FILES = {files}

if __name__ == "__main__":
    sys.exit(reproduce(PLAN, FILES, STORED, Path(__file__).resolve().parent))
'''


def reproducer(plan: Plan, paths: Mapping[str, str], result: RunResult | None) -> str:
    """The script for ``plan`` on the data of ``paths``; ``result`` is what it is compared with."""
    document = pprint.pformat(json.loads(json.dumps(to_document(plan))), sort_dicts=False, width=100)
    files = {identity: _file(Path(path)) for identity, path in paths.items()}
    outside = [file["name"] for file in files.values() if "packed" not in file]
    return SCRIPT.format(
        key=plan_hash(plan),
        version=VERSION,
        plan=document,
        about_stored="Nothing was measured." if result is None else "What was measured before.",
        stored=pprint.pformat(None if result is None else stored_result(result), sort_dicts=False, width=100),
        about_files=f"Put beside this script: {', '.join(outside)}."
        if outside
        else "The data files of the plan, packed.",
        files=_literal(files),
    )


def stored_result(result: RunResult) -> dict[str, Any]:
    """What the script compares with: all but the samples."""
    return {
        "date": result["date"],
        "machine": machine_name(result["machine"]),
        "threads": result["threads"],
        "control": result.get("control"),
        "load": result.get("load"),
        "inputs": result["inputs"],
        "entries": [{**entry, "samples_ns": []} for entry in result["entries"]],
    }


def _file(path: Path) -> dict[str, str]:
    packed = pack_file(path)
    return {"name": packed.name, "sha256": packed.sha256} | (
        {} if packed.content is None else {"packed": packed.content}
    )


def _literal(files: Mapping[str, Mapping[str, str]]) -> str:
    """As ``pprint``, which would break the packed content into thousands of lines."""
    lines = [
        f"    {identity!r}: {{{', '.join(f'{name!r}: {text!r}' for name, text in file.items())}}},\n"
        for identity, file in files.items()
    ]
    return "{\n" + "".join(lines) + "}" if lines else "{}"
