"""The canonical form of a Plan: defaults left out, keys sorted, so that equal plans have equal text and hash."""

from __future__ import annotations

import hashlib
import json

from heddle.fills.fill import spelled_fill
from heddle.plan.plan import Plan, RunSpec, TensorSpec

DEFAULT = Plan(expression="")


def to_document(plan: Plan) -> dict[str, object]:
    """The plan as JSON values: ``version``, ``expression`` and what is not the default. Parses back to an equal plan,
    except that a format ``dense`` and a dtype ``float64`` are left out because they are what no entry means."""
    document: dict[str, object] = {"version": plan.version, "expression": plan.expression}
    if plan.language != DEFAULT.language:
        document["language"] = plan.language
    if plan.sizes:
        document["sizes"] = dict(sorted(plan.sizes.items()))
    if plan.arguments:
        document["arguments"] = dict(sorted(plan.arguments.items()))
    tensors = {name: entry for name, spec in sorted(plan.tensors.items()) if (entry := _tensor(spec))}
    if tensors:
        document["tensors"] = tensors
    if plan.schedule:
        document["schedule"] = list(plan.schedule)
    if plan.target != DEFAULT.target:
        document["target"] = plan.target
    if plan.inputs:
        document["inputs"] = {name: dict(sorted(source.items())) for name, source in sorted(plan.inputs.items())}
    if plan.options != DEFAULT.options:
        document["options"] = {"convert": plan.options.convert}
    run = _run(plan.run)
    if run:
        document["run"] = run
    return document


def plan_hash(plan: Plan) -> str:
    """SHA-256 of the canonical document's JSON text, in hexadecimal."""
    text = json.dumps(to_document(plan), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _tensor(spec: TensorSpec) -> dict[str, object]:
    entry: dict[str, object] = {}
    if spec.dtype not in (None, "float64"):
        entry["dtype"] = spec.dtype
    if spec.format is not None and spec.format.strip() != "dense":
        entry["format"] = spec.format
    if spec.fill != 0 or isinstance(spec.fill, bool):
        entry["fill"] = spelled_fill(spec.fill)
    if spec.shape is not None:
        entry["shape"] = list(spec.shape)
    return entry


def _run(run: RunSpec) -> dict[str, object]:
    entry: dict[str, object] = {}
    if run.baselines != DEFAULT.run.baselines:
        entry["baselines"] = list(run.baselines)
    if run.threads is not None:
        entry["threads"] = run.threads
    return entry
