"""Account -> AccountView: five answers to why a plan is fast, all counted in one run on small data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Literal

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic, Fix
from heddle.explorer.cost_report.account import MACHINE_BALANCE, Account, lanes_idle, sectors_used
from heddle.explorer.cost_report.counted import UNITS, arrays_of
from heddle.explorer.cost_report.findings.table import findings
from heddle.explorer.cost_report.view_schema import (
    AccountView,
    CacheMissesView,
    FindingView,
    OperandShapeView,
    RooflineView,
    SharingView,
    TrafficView,
    WorkView,
)
from heddle.explorer.cost_report.work import work_text
from heddle.explorer.views.diagnostics import diagnostic_view, fix_view
from heddle.formats.printer import format_text
from heddle.frontends.table import no_statements
from heddle.loop_ir.interpreter.trace import LoadEvent, StoreEvent
from heddle.plan import plan_hash
from heddle.result import CompileResult

CACHES = (1024, 4096, 32768)
"""Bytes: small ones stand for the caches of a machine as small data stand for real ones."""
MOST_SHARES = 64


def _keep(fix: Fix) -> Fix:
    return fix


def account_view(account: Account, data: str, restore: Callable[[Fix], Fix] = _keep) -> AccountView:
    """``data`` says what the operands are; ``restore`` makes of a repair that was tried the one that is offered.

    Raises
    ------
    CompileError
        the errors of the result, operands that do not fit, ``plan/no-statements`` for a language without statements.
    TooLong
        the run has more events than the account follows.
    """
    account.result.raise_errors()
    if account.result.assignment is None:
        raise no_statements(account.result.plan.language, "an account")
    run = account.run
    view = _empty(account.result, data)
    view["ok"], view["fault"] = run.fault is None, run.fault
    view["operands"] = [
        OperandShapeView(tensor=name, shape=list(np.shape(array)), nonzeros=int(np.count_nonzero(array)))
        for name, array in account.operands.items()
    ]
    view["work"] = _work(account)
    view["traffic"] = _traffic(account)
    view["sharing"] = _sharing(account)
    view["roofline"] = RooflineView(
        operations=account.operations,
        bytes=account.bytes_moved,
        intensity=account.intensity,
        balance=MACHINE_BALANCE,
        bound="memory" if account.bound == "memory" else "compute",
    )
    view["findings"] = [
        FindingView(
            rule=finding.rule,
            text=finding.text,
            fix=None if finding.fix is None else fix_view(restore(finding.fix)),
            gain=finding.gain,
        )
        for finding in findings(account)
    ]
    return view


def refused_account(result: CompileResult, error: CompileError) -> AccountView:
    """The answer where nothing could be counted: the errors alone."""
    view = _empty(result, "")
    view["diagnostics"] = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
    return view


def _empty(result: CompileResult, data: str) -> AccountView:
    return AccountView(
        hash=plan_hash(result.plan),
        ok=False,
        diagnostics=[],
        data=data,
        operands=[],
        fault=None,
        work=None,
        traffic=[],
        sharing=None,
        roofline=None,
        findings=[],
    )


def _work(account: Account) -> WorkView:
    counts, terms = account.counts, account.work
    return WorkView(
        formula=None if terms is None else work_text(terms),
        value=None if terms is None else sum(term.value for term in terms),
        counted=counts.work,
        multiplications=counts.multiplications,
        iterations=counts.iterations,
        merges=counts.merges,
        index_loads=counts.index_loads,
        zeroed=counts.zeroed,
    )


def _traffic(account: Account) -> list[TrafficView]:
    counts, lines, run = account.counts, account.lines, account.run
    by_size = {size: account.misses(size) for size in CACHES}
    code = _code_lines(account)
    names = [*account.operands, *(name for name in run.tensors if name not in account.operands)]
    shown = [name for name in names if name in run.tensors]
    shown += sorted(name for name in {*counts.loads, *lines} if name not in run.tensors)
    views = []
    for name in shown:
        tensor = run.tensors.get(name)
        role: Literal["operand", "result", "workspace"] = "operand"
        if tensor is None:
            role = "workspace"
        elif name == run.computed:
            role = "result"
        loads, elements = counts.loads[name], counts.elements[name]
        views.append(
            TrafficView(
                tensor=name,
                role=role,
                format=None if tensor is None else format_text(tensor.format),
                bytes=None if tensor is None else tensor.nbytes,
                loads=loads,
                gathers=counts.gathered[name],
                elements=elements,
                reuse=loads / elements if elements else None,
                lines=lines[name],
                misses=[CacheMissesView(size=size, misses=miss_counts[name]) for size, miss_counts in by_size.items()],
                code_lines=sorted(code[name]),
            )
        )
    return views


def _code_lines(account: Account) -> defaultdict[str, set[int]]:
    owners, arrays = arrays_of(account.run.function), defaultdict[str, set[int]](set)
    for event in account.run.events:
        if isinstance(event, LoadEvent | StoreEvent):
            owner = owners.get(event.array)
            arrays[owner.tensor or event.array if owner is not None else event.array].add(event.line)
    return arrays


def _sharing(account: Account) -> SharingView:
    counts, graph = account.counts, account.result.graph
    tagged = {} if graph is None else graph.parallel
    shared = next(((name, tag.unit) for name, tag in tagged.items() if tag.unit in UNITS), None)
    total, launches = sum(counts.shares.values()), account.result.launches
    return SharingView(
        variable=None if shared is None else shared[0],
        unit=None if shared is None else shared[1].value,
        workers=counts.workers,
        shares=[share for _, share in sorted(counts.shares.items())][:MOST_SHARES],
        imbalance=counts.imbalance,
        largest=max(counts.shares.values()) / total if total else 1.0,
        atomics=counts.atomics,
        lanes_idle=lanes_idle(account.launches) if launches else None,
        sectors_used=sectors_used(account.launches) if launches else None,
    )


def too_long() -> CompileError:
    """``account/too-large``: no data were small enough."""
    return CompileError(
        Diagnostic(
            "account/too-large",
            "This kernel does too much on the data to be followed step by step.",
            expected="a million loads, stores and assignments at most",
            hint="Give the plan smaller inputs: a schedule behaves the same way on a few rows.",
        )
    )
