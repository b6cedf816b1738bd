"""What runs in a compile process for a suggestion: the sparse operands are looked at, then the rules are asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.frontends.front_end import Statements
from heddle.frontends.table import assignment_of, front_end_of
from heddle.plan import Plan, parse_plan
from heddle.runtime.native import cpu
from heddle.runtime.tensors.coordinates import Entries
from heddle.semantics.declared import declared_signature
from heddle.signature import TensorSignature
from heddle.targets import C
from heddle.tuning.facts.described_machines import described_machine
from heddle.tuning.facts.machine import Machine, this_machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.search.suggest import suggest
from heddle.tuning.search.suggest_with_formats import suggest_with_formats
from heddle_server.schema.suggestion import MachineName, SuggestionView
from heddle_server.services.compiling.storage_worker import DEFAULT_NNZ, expected_entries, requested_entries

MAX_LOOKED_AT = 4_000_000
"""Entries; an operand with more is treated as unknown, for making and sorting it takes too long for an answer."""


def suggestion_document(document: dict[str, Any], paths: dict[str, str], machine: MachineName = "server") -> bytes:
    """The SuggestionView as JSON bytes; what cannot be scheduled is in its diagnostics. ``paths`` are of the data sets
    and uploads that the plan names. ``machine`` is the one that will run the kernel."""
    view: SuggestionView
    try:
        plan = parse_plan(document)
        facts, preface = _machine_of(plan, machine)
        has_statements = isinstance(front_end_of(plan.language).entry, Statements)
        entries, unseen = looked_at(plan, paths) if has_statements else ({}, [])
        statistics = {name: statistics_of(operand, order) for name, (operand, order) in entries.items()}
        if has_statements:
            operands = {name: operand for name, (operand, _) in entries.items()}
            suggestion = suggest_with_formats(plan, statistics, operands, facts)
        else:
            suggestion = suggest(plan, statistics, facts)
        view = {
            "ok": True,
            "rule": suggestion.rule,
            "title": suggestion.title,
            "schedule": list(suggestion.schedule),
            "reasons": [*preface, *suggestion.reasons, *unseen],
            "formats": [
                {"tensor": offer.tensor, "format": offer.format, "reason": offer.reason} for offer in suggestion.formats
            ],
            "diagnostics": [],
        }
    except CompileError as error:
        diagnostics = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
        view = {
            "ok": False,
            "rule": "",
            "title": "",
            "schedule": [],
            "reasons": [],
            "formats": [],
            "diagnostics": diagnostics,
        }
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()


def _machine_of(plan: Plan, name: MachineName) -> tuple[Machine, tuple[str, ...]]:
    """What the rules are told, and the reasons that stand before theirs."""
    described = described_machine(name)
    if described is None:
        return this_machine(plan.run.threads or cpu.available_cores()), ()
    note = (described.note,) if plan.target == C.name else ()
    return described.facts(plan.run.threads), note


def looked_at(plan: Plan, paths: Mapping[str, str]) -> tuple[dict[str, tuple[Entries, tuple[int, ...]]], list[str]]:
    """The entries of the sparse operands that have an input and the order in which their dimensions are stored, and a
    sentence for each that could not be looked at."""
    known: dict[str, tuple[Entries, tuple[int, ...]]] = {}
    unseen: list[str] = []
    for tensor in declared_signature(plan, assignment_of(plan.language, plan.expression, plan.sizes)).operands:
        source = plan.inputs.get(tensor.name)
        if tensor.format.is_dense or source is None:
            continue
        shape = source.get("shape", plan.shapes.get(tensor.name))
        sized_source = (
            {**source, "shape": list(shape)} if isinstance(shape, list | tuple) and "generator" in source else source
        )
        if _too_many(sized_source):
            unseen.append(f"{tensor.name} is too large to be examined here: the schedule suits any rows.")
            continue
        try:
            entries = _entries(tensor, sized_source, paths)
        except CompileError as error:
            unseen.append(f"{tensor.name} was not examined: {error.diagnostics[0].message}")
            continue
        if len(entries.shape) == tensor.order:
            known[tensor.name] = entries, tuple(dict.fromkeys(tensor.format.order))
        else:
            unseen.append(f"{tensor.name} was not examined: its data has {len(entries.shape)} dimensions.")
    return known, unseen


def _too_many(source: Mapping[str, Any]) -> bool:
    if "generator" not in source:
        return False
    shape = tuple(int(size) for size in source.get("shape", ()))
    return (expected_entries(source, shape) if shape else int(source.get("nnz", DEFAULT_NNZ))) > MAX_LOOKED_AT


def _entries(tensor: TensorSignature, source: Mapping[str, Any], paths: Mapping[str, str]) -> Entries:
    path = paths.get(str(source.get("dataset", source.get("upload"))))
    return requested_entries(tensor.name, tensor.order, tensor.dtype, {"input": dict(source)}, path)
