"""What runs in a compile process for an account: small data of the plan's own kind, one run, and what it did."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.run import TooLong
from heddle.explorer.cost_report.view import account_view, refused_account, too_long
from heddle.explorer.cost_report.view_schema import AccountView
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec, parse_plan
from heddle.result import CompileResult
from heddle_server.services.compiling.account_data import small_data

MOST_EVENTS = 60_000
"""Loads, stores and assignments of a run, so that repairs can be tried as well: about a second."""


def account_document(document: dict[str, Any]) -> bytes:
    """The AccountView as JSON bytes; what cannot be counted is in its diagnostics."""
    plan = parse_plan(document)
    result = lower(without_shapes(plan))
    try:
        result.raise_errors()
        view = account_view(Account(result, {}), "") if result.assignment is None else _count(plan, result)
    except CompileError as error:
        view = refused_account(result, error)
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()


def without_shapes(plan: Plan) -> Plan:
    """Without what it says of shapes: those of the small data decide."""
    specs = {name: replace(spec, shape=None) for name, spec in plan.tensors.items()}
    return replace(plan, tensors={name: spec for name, spec in specs.items() if spec != TensorSpec()}, inputs={})


def _count(plan: Plan, result: CompileResult) -> AccountView:
    """On the first data that can be followed to the end."""
    for operands, data in small_data(plan, result):
        with suppress(TooLong):
            return account_view(Account(result, operands, MOST_EVENTS), data)
    raise too_long()
