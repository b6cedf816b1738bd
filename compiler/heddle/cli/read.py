"""The shell's arguments to a Plan: a JSON document, the options, or a document that the options change."""

from __future__ import annotations

import argparse
from pathlib import Path

from heddle.cli.emit import TARGET_EMITS
from heddle.cli.parsing import UsageError
from heddle.cli.source import read_json
from heddle.plan import VERSION, Plan, parse_plan, split_schedule

LARGEST_PLAN = 1 << 20
"""Characters of a plan file."""


def read_plan(options: argparse.Namespace) -> Plan:
    """Raises CompileError for a plan that is wrong; UsageError for arguments that are, SourceError for a file."""
    document = _document(options.plan) if options.plan is not None else {"version": VERSION}
    if not isinstance(document, dict):
        return parse_plan(document)
    if options.expression is not None:
        document["expression"] = options.expression
    elif options.plan is None:
        raise UsageError('give a plan or an expression, e.g. --expression "y(i) = A(i,j) * x(j)"')
    if options.language is not None:
        document["language"] = options.language
    tensors = document.setdefault("tensors", {})
    for option, key, values in (
        ("--format", "format", options.format),
        ("--dtype", "dtype", options.dtype),
        ("--shape", "shape", options.shape),
    ):
        for value in values:
            tensor, text = _pair(option, value)
            if not isinstance(tensors, dict):
                return parse_plan(document)
            entry = tensors.setdefault(tensor, {})
            if not isinstance(entry, dict):
                return parse_plan(document)
            entry[key] = _sizes(option, text) if key == "shape" else text
    if options.schedule:
        # A shell passes \n inside quotes as two characters.
        document["schedule"] = [
            command for text in options.schedule for command in split_schedule(text.replace("\\n", "\n"))
        ]
    if options.plan_version is not None:
        document["version"] = options.plan_version
    if options.convert is not None:
        document["options"] = {"convert": options.convert}
    if options.emit in TARGET_EMITS:
        document["target"] = options.emit
    return parse_plan(document)


def _document(path: str) -> object:
    if "=" in path and not Path(path).exists():
        raise UsageError(f'{path!r} is not a file; give an expression as --expression "{path}"')
    return read_json(path, LARGEST_PLAN, "a plan")


def _pair(option: str, value: str) -> tuple[str, str]:
    """The tensor and what is said of it, behind TACO's colon or the = of ``--input``: whichever comes first."""
    between = min((sign for sign in ":=" if sign in value), key=value.index, default=":")
    tensor, sign, text = value.partition(between)
    if not sign or not tensor.strip():
        raise UsageError(f"{option} takes TENSOR:VALUE, found {value!r}")
    return tensor.strip(), text


def _sizes(option: str, text: str) -> list[int]:
    try:
        return [int(size) for size in text.split(",")] if text.strip() else []
    except ValueError:
        raise UsageError(f"{option} takes sizes separated by commas, found {text!r}") from None
