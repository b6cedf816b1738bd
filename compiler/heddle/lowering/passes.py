"""The passes over the loops of a kernel, in the order in which they run, from what was lowered to what is printed.

A new pass is one file, with a function that gives back the very function it was given where it changes nothing, and
one row of :data:`PASSES`. Each is named, timed and traced, and shown in *Stages* where it changed something.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.passes.delinearization import straight_runs
from heddle.loop_ir.passes.invariant_values import invariant_values
from heddle.loop_ir.passes.lane_invariant_branches import choose_around_lanes
from heddle.loop_ir.passes.partial_sums import partial_sums
from heddle.loop_ir.passes.register_parts import register_parts
from heddle.loop_ir.passes.row_positions import row_positions
from heddle.loop_ir.passes.simplify import simplify
from heddle.loop_ir.passes.stored_sums import store_sums
from heddle.loop_ir.passes.unrolled_rows import unrolled_rows
from heddle.loop_ir.passes.unswitch import unswitch
from heddle.loop_ir.passes.vectorize_sums import vectorize_sums
from heddle.loop_ir.passes.vectorize_workspaces import vectorize_workspaces
from heddle.loop_ir.passes.whole_tiles import whole_tiles
from heddle.loop_ir.passes.widened_sums import wide_sums
from heddle.loop_ir.printing.printer import print_structured
from heddle.loop_ir.verification.verify import verify
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.same_sizes import same_sizes
from heddle.lowering.gpu.launches import runs_on_gpu, with_launches
from heddle.lowering.prefetching import with_prefetches
from heddle.trace import Trace

VERIFY_EACH = "HEDDLE_VERIFY_PASSES"
"""Set to 1, this environment variable has the loops verified behind each pass, as the tests do. Otherwise they are
verified once, behind the last: each time takes a twentieth of a compile."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a pass may ask beside the function: ``kernel`` is what the lowering knows of it, None where a front end made
    the loops itself; with ``gpu`` all of it runs in launches."""

    kernel: KernelContext | None
    gpu: bool


Rewrite = Callable[[Function, Context], Function]
"""From a verified function to a verified function that computes the same."""


@dataclass(frozen=True, slots=True)
class LoopPass:
    """One row of :data:`PASSES`. ``name`` stands in traces and commands, ``title`` is for people, ``summary`` says in
    one line what it does.

    ``function`` returns the very function it was given where it changes nothing, else a new one, whose statements have
    the origins of those that they replace. It raises Refusal where it cannot do what must be done.
    """

    name: str
    title: str
    summary: str
    function: Rewrite


def alone(rewrite: Callable[[Function], Function]) -> Rewrite:
    """A pass that asks nothing but the function."""
    return lambda function, _: rewrite(function)


LAUNCHES = LoopPass(
    "launches",
    "Launches",
    "Divides the kernel between the host and the threads of a GPU.",
    lambda function, context: with_launches(function, context.gpu),
)

PASSES = (
    LoopPass(
        "prefetch",
        "Prefetches",
        "Requests values ahead of time that a loop over stored coordinates will load, where `prefetch` says so.",
        lambda function, context: with_prefetches(function, context.kernel) if context.kernel else function,
    ),
    LoopPass(
        "row-positions",
        "Rows where they lie",
        "Has a loop over a row run over the positions at which the row lies, so that no element adds where it begins.",
        lambda function, context: function if context.kernel else row_positions(function),
    ),
    LoopPass(
        "straight-runs",
        "Fused loops straight on",
        "Counts on where a fused loop runs over elements that lie one after the other, in place of dividing.",
        lambda function, context: straight_runs(function, same_sizes(context.kernel) if context.kernel else {}),
    ),
    LoopPass(
        "partial-sums",
        "Partial sums",
        "Gives each step of an unrolled reduction a sum of its own, so no addition waits for the one before.",
        alone(partial_sums),
    ),
    LoopPass(
        "unswitch",
        "Separate full tiles",
        "Moves the test for a full tile out of the loops in which it cannot change.",
        alone(unswitch),
    ),
    LoopPass(
        "shared-choices",
        "Shared choices",
        "Moves a choice that all lanes of a vector loop share out of the loop.",
        alone(choose_around_lanes),
    ),
    LoopPass(
        "unrolled-rows",
        "Rows in registers",
        "Turns a workspace of a few rows, over which loops are unrolled, into one workspace for each row.",
        alone(unrolled_rows),
    ),
    LoopPass(
        "simplify",
        "Simplified",
        "Folds known values, and drops branches, loops and scalars that nothing needs.",
        alone(simplify),
    ),
    LoopPass(
        "whole-tiles",
        "Tiles computed whole",
        "Fills a copy of the last tile up with zeros, so that lanes add to a workspace without a test.",
        alone(whole_tiles),
    ),
    LoopPass(
        "invariant-values",
        "Values before loops",
        "Moves divisions and functions that an innermost loop computes alike in every iteration before it.",
        alone(invariant_values),
    ),
    LAUNCHES,
    LoopPass(
        "simplify-launches",
        "Launches, simplified",
        "Folds and drops what the launches made known or unnecessary.",
        alone(lambda function: simplify(function) if runs_on_gpu(function) else function),
    ),
    LoopPass(
        "stored-sums",
        "Sums stored for functions",
        "Copies the sums of a workspace for the loop that applies a function to them, so that registers can hold them.",
        alone(store_sums),
    ),
    LoopPass(
        "register-vectors",
        "Vectors in registers",
        "Turns each workspace that lanes compute with into a vector, and loops over its lanes into vector statements.",
        alone(vectorize_workspaces),
    ),
    LoopPass(
        "vector-sums",
        "Sums in vectors",
        "Takes eight steps of a gathered sum at once: a sum for each lane, added up after the loop.",
        alone(vectorize_sums),
    ),
    LoopPass(
        "register-parts",
        "Parts that fit few registers",
        "Computes vectors in parts on machines whose registers do not hold what a loop adds to.",
        alone(register_parts),
    ),
    LoopPass(
        "wide-sums",
        "Sums in float64",
        "Has scalars that loops add float32 to hold float64, so that long sums keep their digits.",
        lambda function, context: wide_sums(function) if _adds_on_cpu(function, context) else function,
    ),
)


REFUSING = PASSES[: PASSES.index(LAUNCHES) + 1]
"""The passes up to the last that may refuse."""


def _adds_on_cpu(function: Function, context: Context) -> bool:
    """Whether a few workers add up all terms. The threads of a GPU each add up few, and may not know float64."""
    return context.kernel is not None and not context.gpu and not runs_on_gpu(function)


def run_passes(function: Function, context: Context, trace: Trace, passes: tuple[LoopPass, ...] = PASSES) -> Function:
    """``function`` behind all ``passes``, each of them traced; the result is verified.

    Raises
    ------
    Refusal
        of a pass that cannot do what must be done.
    """
    each, launched = os.environ.get(VERIFY_EACH) == "1", False
    if each:
        _verify(function, launched, "as lowered")
    for row in passes:
        with trace.step(f"pass-{row.name}", row.title, summary=row.summary) as step:
            new_function = row.function(function, context)
            step.changed = new_function is not function
            if step.changed:
                step.text = partial(structured_text, new_function)
        function, launched = new_function, launched or row is LAUNCHES
        if each and (step.changed or row is LAUNCHES):
            _verify(function, launched, f"after the pass '{row.name}'")
    if not each:
        _verify(function, launched, "after the last pass")
    return function


def structured_text(function: Function) -> str:
    return print_structured(function).text


def _verify(function: Function, launched: bool, place: str) -> None:
    try:
        verify(function, launched=launched)
    except InternalError as error:
        error.add_note(place)
        raise
