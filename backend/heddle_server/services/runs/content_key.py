"""What decides the result of a run: the plan, the bytes of its data, the generator of the code, and the machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

from heddle.diagnostics import CompileError
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.frontends.table import front_end_of
from heddle.plan import Plan
from heddle.plan.plan import TensorSpec
from heddle.runtime.native.cache import GENERATOR_VERSION
from heddle.schedule.syntax.spelling import even_spaces, spell_command
from heddle_server.services.runs.documents import Document, hash_of
from heddle_server.version import VERSION


def content_key(plan: Document, digests: Mapping[str, str], machine_kinds: list[tuple[str, ...]]) -> str:
    """``digests`` maps each dataset of the plan to the SHA-256 of its bytes. How a plan is spelled is no part of it."""
    content = hash_of(spelled_plan(plan) if isinstance(plan, Plan) else plan)
    parts = [content, sorted(digests.items()), VERSION, GENERATOR_VERSION, machine_kinds]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def spelled_plan(plan: Plan) -> Plan:
    """The plan with its expression, formats and commands as they are printed: plans that differ in their white space,
    comments and blank lines alone are equal so."""
    expression, orders = _read(plan)
    return replace(
        plan,
        expression=expression,
        tensors={name: _spell(name, spec, orders.get(name)) for name, spec in plan.tensors.items()},
        schedule=tuple(spell_command(text) for text in plan.schedule),
    )


def _read(plan: Plan) -> tuple[str, Mapping[str, int]]:
    """The expression as it is printed, and the order of each tensor; the text itself where it has no meaning."""
    front_end = front_end_of(plan.language)
    try:
        program = front_end.read(plan.expression, plan.sizes)
        return front_end.to_text(program), front_end.tensors(front_end.parse(plan.expression))
    except CompileError:
        return plan.expression, {}


def _spell(tensor: str, spec: TensorSpec, order: int | None) -> TensorSpec:
    if spec.format is None or order is None:
        return spec
    try:
        return replace(spec, format=format_text(parse_format(spec.format, order, tensor)))
    except CompileError:
        return replace(spec, format=even_spaces(spec.format))
