"""What runs in a compile process for an explanation: two plans are counted on the same small data, and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.cost_report.comparison import Side, compare_sides, describe_side, side_of, side_view
from heddle.explorer.cost_report.comparison_schema import ComparedSideView, CountedOn, ExplanationView, ScaledTileView
from heddle.explorer.cost_report.run import Operands, TooLong
from heddle.explorer.cost_report.shares import ScaledAccount, Tiles, account_with_shares
from heddle.explorer.cost_report.view import account_view, refused_account, too_long
from heddle.explorer.views.trace.trace_operands import SHRINKING, trace_operands
from heddle.frontends.table import no_statements
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan
from heddle.result import CompileResult
from heddle.targets import C
from heddle_server.services.compiling.account_data import small_data
from heddle_server.services.compiling.account_worker import MOST_EVENTS, without_shapes
from heddle_server.services.compiling.input_parts import input_parts

UNSCHEDULED, EARLIER = "No schedule", "The plan before"


def explanation_document(
    document: dict[str, Any],
    earlier: dict[str, Any] | None,
    operands: dict[str, Any] | None,
    paths: Mapping[str, str],
    tiles: Tiles = "scaled",
) -> bytes:
    """The ExplanationView as JSON bytes; what cannot be counted is in its diagnostics. Counted on ``operands``, and on
    what the other panels draw for those that are left out; None: on a part of the plan's own inputs, whose files
    ``paths`` has. ``tiles``: see :func:`account_with_shares`."""
    plan = parse_plan(document)
    result = lower(without_shapes(plan))
    try:
        result.raise_errors()
        if result.assignment is None:
            raise no_statements(plan.language, "an account")
        view = _explain(plan, result, None if earlier is None else parse_plan(earlier), operands, paths, tiles)
    except CompileError as error:
        account = refused_account(result, error)
        view = ExplanationView(
            ok=False,
            diagnostics=account["diagnostics"],
            counted_on="operands" if operands is not None else "part",
            part="",
            tiles=[],
            before=None,
            after=None,
            sentence="",
            account=account,
        )
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()


def _explain(
    plan: Plan,
    result: CompileResult,
    earlier: Plan | None,
    operands: Mapping[str, Any] | None,
    paths: Mapping[str, str],
    tiles: Tiles,
) -> ExplanationView:
    """On the first data that can be followed to the end."""
    for data, kind, part in _data(plan, result, operands, paths):
        with suppress(TooLong):
            scaled = account_with_shares(result, data, MOST_EVENTS, tiles)
            return _compare(plan, scaled, _find_earlier(plan, earlier, data, tiles), kind, part)
    raise too_long()


def _data(
    plan: Plan, result: CompileResult, operands: Mapping[str, Any] | None, paths: Mapping[str, str]
) -> Iterator[tuple[Operands, CountedOn, str]]:
    assert result.assignment is not None
    assert result.signature is not None
    if operands is None:
        # Inputs that cannot be made are refused by a run, with their place; there are data of their kind.
        with suppress(CompileError):
            for data, part in input_parts(plan, result, paths):
                yield data, "part", part
        for data, name in small_data(plan, result):
            yield data, "copy", name
        return
    for sizes in SHRINKING:
        yield trace_operands(plan, result.assignment, result.signature, operands, sizes).operands, "operands", ""


def _find_earlier(plan: Plan, earlier: Plan | None, data: Operands, tiles: Tiles) -> tuple[str, ScaledAccount] | None:
    """What the plan is compared with, with its name: ``earlier`` where it can be counted on the same data, else the
    plan without its schedule, as one thread of a CPU runs it. None where nothing differs."""
    others = [] if earlier is None else [(EARLIER, earlier)]
    if plan.schedule:
        others.append((UNSCHEDULED, replace(plan, schedule=(), target=C.name)))
    for title, other in others:
        if _way(other) == _way(plan):
            continue
        with suppress(CompileError, TooLong):
            scaled = account_with_shares(lower(without_shapes(other)), data, MOST_EVENTS, tiles)
            if scaled.account.run.fault is None:
                return title, scaled
    return None


def _way(plan: Plan) -> tuple[object, ...]:
    """All of a plan that its counts depend on."""
    return plan.expression, plan.schedule, plan.tensors, plan.target, plan.sizes


def _compare(
    plan: Plan, scaled: ScaledAccount, earlier: tuple[str, ScaledAccount] | None, kind: CountedOn, part: str
) -> ExplanationView:
    account = account_view(scaled.account, part, scaled.restore_tiles)
    after = side_of(scaled.account) if account["ok"] else None
    tiles = [ScaledTileView(command=tile.command, counted=tile.counted) for tile in scaled.tiles]
    before: Side | None = None
    before_view: ComparedSideView | None = None
    if earlier is not None and after is not None:
        title, other = earlier
        before = side_of(other.account)
        before_view = side_view(before, title, other.account.result.plan.schedule)
        tiles += [
            ScaledTileView(command=tile.command, counted=tile.counted)
            for tile in other.tiles
            if tile not in scaled.tiles
        ]
    sentence = ""
    if after is not None:
        sentence = describe_side(after) if before is None else compare_sides(before, after)
    return ExplanationView(
        ok=account["ok"],
        diagnostics=account["diagnostics"],
        counted_on=kind,
        part=part,
        tiles=tiles,
        before=before_view,
        after=None if after is None else side_view(after, "This plan", scaled.account.result.plan.schedule),
        sentence=sentence,
        account=account,
    )
