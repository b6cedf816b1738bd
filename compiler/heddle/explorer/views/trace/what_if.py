"""What would happen without one guard: the checked interpreter runs the kernel with and without it
(docs/sources.toml V7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from heddle.codegen.languages import printer_of
from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.trace.trace import trace_view
from heddle.explorer.views.trace.trace_schema import TraceTensorView, WhatIfChangeView, WhatIfView
from heddle.loop_ir.nodes import Block, Break, Continue, Function, If, Stmt
from heddle.loop_ir.printing.printer import headline, statement_lines
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.verification.verify import verify
from heddle.loop_ir.walk import all_statements
from heddle.origin import Role
from heddle.plan import plan_hash
from heddle.result import CompileResult, replace_function
from heddle.targets import target_named

Text = Literal["c", "loops"]
Outcome = Literal["fault", "different", "same"]


def what_if_view(
    result: CompileResult, line: int, text: Text, operands: Mapping[str, object] | None = None
) -> WhatIfView:
    """The run on small operands without the guard that is in the 1-based ``line`` of the generated code or of the
    loops' text.

    ``outcome`` is ``fault`` (the interpreter stops it), ``different`` (it ends with other values) or ``same`` (these
    operands never need the guard).

    Raises
    ------
    CompileError
        the result's own errors, ``what-if/no-guard``, and those of a trace.
    """
    result.raise_errors()
    function = result.function
    if function is None:
        raise InternalError("A run without a guard needs a compile without errors")
    printer = printer_of(function, target_named(result.plan.target))
    lines = statement_lines(function) if text == "loops" else printer.statement_lines(function)
    guard = _guard_at(function, line, lines)
    changed = replace(function, body=_block(_remove_guard(function.body, guard)))
    verify(changed)
    sound = trace_view(result, operands)
    broken = trace_view(replace_function(result, changed, result.source), operands)
    differences = _differences(sound["tensors"], broken["tensors"]) if broken["ok"] else []
    outcome: Outcome = "fault" if not broken["ok"] else "different" if differences else "same"
    return WhatIfView(
        hash=plan_hash(result.plan),
        guard=headline(guard),
        line=line,
        command=guard.origin.command,
        outcome=outcome,
        summary=_summary(outcome, differences),
        diagnostics=broken["diagnostics"] if sound["ok"] else sound["diagnostics"],
        changes=differences,
    )


def refused_what_if(result: CompileResult, line: int, error: CompileError) -> WhatIfView:
    """The answer when nothing could be run: the errors alone."""
    return WhatIfView(
        hash=plan_hash(result.plan),
        guard=None,
        line=line,
        command=None,
        outcome=None,
        summary=error.diagnostics[0].message,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in error.diagnostics],
        changes=[],
    )


def _guard_at(function: Function, line: int, lines: tuple[int, ...]) -> If:
    guards = [
        (number, statement)
        for number, statement in zip(lines, all_statements(function), strict=True)
        if isinstance(statement, If) and statement.origin.role is Role.GUARD
    ]
    for number, statement in guards:
        if number == line:
            return statement
    known = ", ".join(str(number) for number in dict.fromkeys(number for number, _ in guards))
    raise CompileError(
        Diagnostic(
            "what-if/no-guard",
            f"Line {line} has no guard that could be removed.",
            expected=f"a line with a guard: {known}" if known else "a kernel with guards; this one has none",
            actual=f"line {line}",
            hint="Guards are marked with a diamond. A split whose size does not divide the dimension makes one.",
        )
    )


def _remove_guard(statement: Stmt, guard: If) -> Stmt:
    """The same with what ``guard`` lets pass always run; a guard that leaves the loop never leaves it."""
    if statement is guard:
        jumps = _jumps(guard.then)
        return (guard.otherwise or Block(())) if jumps else guard.then
    return map_children(statement, lambda child: _remove_guard(child, guard))


def _jumps(body: Stmt) -> bool:
    last = body.statements[-1] if isinstance(body, Block) and body.statements else body
    return isinstance(last, Break | Continue)


def _block(body: Stmt) -> Block:
    return body if isinstance(body, Block) else Block((body,))


def _differences(sound: list[TraceTensorView], broken: list[TraceTensorView]) -> list[WhatIfChangeView]:
    """The elements of the result that come out differently."""
    before, after = sound[-1], broken[-1]
    changes = []
    for array, values in before["arrays"].items():
        for index, (expected, actual) in enumerate(zip(values, after["arrays"].get(array, []), strict=False)):
            if expected != actual:
                changes.append(WhatIfChangeView(array=array, index=index, expected=expected, found=actual))
    return changes


def _summary(outcome: Outcome, differences: list[WhatIfChangeView]) -> str:
    match outcome:
        case "fault":
            return "Without this guard the run goes wrong."
        case "different":
            first = differences[0]
            return (
                f"Without this guard the result is wrong in {len(differences)} "
                f"{'place' if len(differences) == 1 else 'places'}: {first['array']}[{first['index']}] is "
                f"{first['found']}, not {first['expected']}."
            )
        case "same":
            return "On these small operands nothing changes: no iteration here needs the guard."
        case _:
            raise TypeError(f"unexpected outcome {outcome!r}")
