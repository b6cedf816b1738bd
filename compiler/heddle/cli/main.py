"""``heddle compile``: a plan or an expression, and what is printed of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from heddle.cli.emit import EMITS, emit
from heddle.cli.failures import end_command
from heddle.cli.output import printed_into
from heddle.cli.parsing import CommandParser, UsageError, add_common
from heddle.cli.passes import loops_behind
from heddle.cli.read import read_plan
from heddle.cli.render import render
from heddle.diagnostics import CompileError, Diagnostic, Severity
from heddle.frontends.table import DEFAULT_LANGUAGE, LANGUAGES
from heddle.plan import CONVERSIONS, VERSIONS, Plan

EPILOG = """examples:
  compile --expression "y(i) = A(i,j) * x(j)" -f A:csr -s "split(i,i0,i1,32)" --emit c
  compile --expression "y(i)=A(i,j)*x(j)" -f=A:ds:1,0 -s="split(i,i0,i1,32),reorder(j,i0,i1)" --emit loops
  compile plan.json --emit graph
  compile plan.json --emit passes
  compile plan.json --pass partial-sums
"""


def main(arguments: Sequence[str]) -> int:
    """The status of ``compile`` and its arguments."""
    options = compile_parser().parse_args(arguments[1:])
    if options.json:
        options.emit = "json"

    def command() -> int:
        with printed_into(options.output):
            try:
                plan = read_plan(options)
            except CompileError as error:
                return _report(error.diagnostics, None)
            return _compile(plan, options.emit, options.behind)

    return end_command(command)


def compile_parser() -> argparse.ArgumentParser:
    """Of the command ``compile``."""
    compile_ = CommandParser(
        prog="heddle compile",
        description="Print the code or a stage of a plan.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    compile_.add_argument("plan", nargs="?", help="a plan as JSON, - for the standard input")
    compile_.add_argument("--expression", "-e", help='what to compute, e.g. "y(i) = A(i,j) * x(j)"')
    compile_.add_argument(
        "--language",
        help=f"what the expression is written in: {', '.join(LANGUAGES)} (default: that of the plan, or "
        f"{DEFAULT_LANGUAGE})",
    )
    compile_.add_argument(
        "-f",
        "--format",
        action="append",
        default=[],
        metavar="TENSOR:FORMAT",
        help="storage of a tensor: A:csr, A:dense,compressed:1,0 or TACO's A:ds:1,0 (may be repeated)",
    )
    compile_.add_argument(
        "-s",
        "--schedule",
        action="append",
        default=[],
        help="commands, one per line or separated by commas (may be repeated)",
    )
    compile_.add_argument("--dtype", action="append", default=[], metavar="TENSOR:DTYPE", help="e.g. A:float32")
    compile_.add_argument("--shape", action="append", default=[], metavar="TENSOR:SIZES", help="e.g. A:4096,4096")
    compile_.add_argument(
        "--convert",
        choices=CONVERSIONS,
        help="automatic: operands that the loops need in another storage order are converted at each call",
    )
    compile_.add_argument(
        "--plan-version",
        type=int,
        choices=VERSIONS,
        help="which order of loops the schedule starts from: 1, the result first and sums inside, as command lines for "
        "TACO expect; 2, memory in order (default for an expression)",
    )
    printed = compile_.add_mutually_exclusive_group()
    printed.add_argument(
        "--emit",
        choices=EMITS,
        metavar="WHAT",
        help=f"what to print: {', '.join(EMITS)}; the code of the plan's target by default",
    )
    printed.add_argument("--pass", dest="behind", metavar="NAME", help="print the loops after a pass of --emit passes")
    printed.add_argument("--json", action="store_true", help="the same as --emit json")
    add_common(compile_)
    return compile_


def _compile(plan: Plan, wanted: str | None, behind: str | None) -> int:
    from heddle.explorer.quick_fixes import explain_result
    from heddle.explorer.views import compile_view
    from heddle.iteration_graph.analysis.schedule_tree import tree_text
    from heddle.lowering.passes import PASSES
    from heddle.pipeline import lower

    names = [row.name for row in PASSES]
    if behind is not None and behind not in names:
        raise UsageError(f"there is no pass '{behind}'; the passes are {', '.join(names)}")
    result = explain_result(lower(plan))
    view = compile_view(result)
    if wanted == "tree":
        text = tree_text(result.graphs[-1]) if result.graphs else None
    else:
        text = emit(view, wanted) if behind is None else loops_behind(view, behind)
    status = _report(result.diagnostics, plan)
    if text is not None:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
    elif status == 0:
        what = f"--pass {behind}" if behind is not None else f"--emit {wanted}" if wanted else "the plan's target"
        print(
            f"heddle: there is nothing to print for {what}: a program in {plan.language} has no such stage",
            file=sys.stderr,
        )
        return 1
    return status


def _report(diagnostics: Sequence[Diagnostic], plan: Plan | None) -> int:
    for diagnostic in diagnostics:
        print(render(diagnostic, plan), file=sys.stderr)
    return 1 if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics) else 0
