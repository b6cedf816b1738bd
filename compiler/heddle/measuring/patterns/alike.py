"""What else computes what a program of patterns computes: a statement of index notation over the tensors that its
arguments are taken from, recognised by its result on these inputs, and the libraries that know that statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from heddle.diagnostics import CompileError
from heddle.formats.printer import format_text
from heddle.measuring.baselines.choose import baselines_for, check_baseline, known_baselines
from heddle.measuring.baselines.registry import BASELINES
from heddle.measuring.contender import Contender, Operand, Problem, Stopwatch, Unavailable, operands_by_format
from heddle.measuring.patterns.arguments import Arguments
from heddle.measuring.patterns.sources import Source, stored_source
from heddle.measuring.threads_used import shares_loops, threads_used
from heddle.measuring.verification.reference import Reference, evaluate
from heddle.measuring.verification.verify import compare
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.result import CompileResult
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native import toolchain
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.shapes import variable_sizes
from heddle.targets import C

LABEL = "Heddle, index notation"
MOST_STORED = 1 << 26
"""Entries of an operand, times the columns of a dense one, that a candidate may be evaluated with."""


def candidates(shapes: Mapping[str, tuple[int, ...]], result: tuple[int, ...]) -> Iterator[str]:
    """Statements over all of these tensors whose result has that shape: products of a matrix with a vector or a
    matrix, and sums of its rows or columns."""
    target = next(name for name in ("y", "r", "result") if name not in shapes)
    names = tuple(shapes)
    orders = {name: len(shape) for name, shape in shapes.items()}
    matrices = [name for name in names if orders[name] == 2]
    if len(names) == 1 and matrices and len(result) == 1:
        yield f"{target}(i) = {names[0]}(i,j)"
        yield f"{target}(j) = {names[0]}(i,j)"
    if len(names) != 2 or not matrices:
        return
    for left in matrices:
        (right,) = (name for name in names if name != left)
        if orders[right] == 1 and len(result) == 1:
            yield f"{target}(i) = {left}(i,j) * {right}(j)"
            yield f"{target}(j) = {left}(i,j) * {right}(i)"
        if orders[right] == 2 and len(result) == 2:
            yield f"{target}(i,k) = {left}(i,j) * {right}(j,k)"


def in_index_notation(
    plan: Plan, result: CompileResult, arguments: Arguments, reference: Reference, threads: int
) -> list[Contender | Unavailable]:
    """Index notation with the same formats and, where the program has parallel loops, a parallel outer loop; and the
    plan's libraries."""
    names = known_baselines(plan)
    recognised = _recognise(arguments, reference)
    if recognised is None:
        reason = "No product of these inputs that is known in index notation has the same result."
        return [
            Unavailable("notation", LABEL, reason),
            *(Unavailable(BASELINES[name].name, BASELINES[name].title, reason) for name in names),
        ]
    problem, wanted, sources, reference = recognised
    ours = _notation(plan, result, wanted, sources, reference, threads)
    problem = replace(problem, threads=threads, openmp=toolchain.discover().openmp)
    dtype = problem.signature.result.dtype
    libraries = baselines_for(plan, problem)
    return [ours, *(check_baseline(BASELINES[name].prepare(problem), reference, dtype) for name in libraries)]


def _recognise(
    arguments: Arguments, reference: Reference
) -> tuple[Problem, Plan, Mapping[str, Source], Reference] | None:
    """The first statement that has the same result, with the tensors that it reads and the result in its shape."""
    if not arguments.sources or any(source.stored.fill != 0 for source in arguments.sources.values()):
        return None
    for sources, shaped in _readings(arguments.sources, reference):
        statement = _find_statement(sources, shaped)
        if statement is not None:
            return *statement, sources, shaped
    return None


def _readings(sources: Mapping[str, Source], reference: Reference) -> Iterator[tuple[Mapping[str, Source], Reference]]:
    """The tensors as they are; with an array as the lower triangle whose rows it has one behind another; and with
    vectors in blocks, as products with a matrix in blocks have them, as vectors."""
    yield sources, reference
    result = reference.values.shape
    rows = result[0] if len(result) == 1 else 0
    for name, source in sources.items():
        if rows > 1 and source.stored.shape == (rows * (rows + 1) // 2,):
            dtype, values = source.stored.dtype, np.asarray(source.parts["vals"])
            triangle = Entries((rows, rows), np.tril_indices(rows), values)
            yield {**sources, name: stored_source(name, triangle, TensorSpec("csr", dtype), dtype, True)}, reference
    blocks = [
        name for name, source in sources.items() if source.stored.format.is_dense and len(source.stored.shape) == 2
    ]
    if len(result) == 2 and blocks and len(blocks) < len(sources):
        flat = replace(reference, values=reference.values.reshape(-1), scale=reference.scale.reshape(-1))
        yield {**sources, **{name: _flattened_source(sources[name]) for name in blocks}}, flat


def _flattened_source(source: Source) -> Source:
    dtype = source.stored.dtype
    values = np.asarray(source.parts["vals"]).reshape(-1)
    return stored_source(source.name, values, TensorSpec("dense", dtype), dtype, False)


def _find_statement(sources: Mapping[str, Source], reference: Reference) -> tuple[Problem, Plan] | None:
    operands: dict[str, Operand] = {name: source.operand for name, source in sources.items()}
    stored = {name: source.stored for name, source in sources.items()}
    shapes = {name: tensor.shape for name, tensor in stored.items()}
    tensors = {name: TensorSpec(format_text(tensor.format), tensor.dtype) for name, tensor in stored.items()}
    for text in candidates(shapes, reference.values.shape):
        wanted = Plan(text, tensors)
        compiled = lower(wanted)
        assignment, signature = compiled.assignment, compiled.signature
        if not compiled.ok or assignment is None or signature is None:
            continue
        try:
            sizes = variable_sizes(assignment, shapes, {})
        except CompileError:  # the shapes do not fit this statement
            continue
        work = max(tensor.stored for tensor in stored.values()) * (sizes.get("k", 1))
        if tuple(sizes[index] for index in assignment.target.indices) != reference.values.shape or work > MOST_STORED:
            continue
        meant = evaluate(assignment, operands, sizes, signature.result.dtype)
        if compare(meant.values, reference, signature.result.dtype)["ok"]:
            return Problem(assignment, signature, operands_by_format(operands, signature), sizes, 1, None), wanted
    return None


def _notation(
    plan: Plan,
    result: CompileResult,
    wanted: Plan,
    sources: Mapping[str, Source],
    reference: Reference,
    threads: int,
) -> Contender | Unavailable:
    label = f"Heddle, {wanted.expression}"
    if plan.target != C.name:
        return Unavailable("notation", label, "It is compared on the target c.")
    schedule = _same_loops(result, wanted)
    compiled = lower(Plan(wanted.expression, wanted.tensors, schedule))
    if not compiled.ok:
        return Unavailable("notation", label, compiled.diagnostics[0].message)
    watch = Stopwatch()
    kernel = watch.step("build", lambda: Kernel(compiled))
    call = kernel.bind(**{name: source.stored for name, source in sources.items()})
    formats = ", ".join(f"{name} {spec.format}" for name, spec in wanted.tensors.items() if spec.format != "dense")
    loops = f" with {schedule[0]}" if schedule else ""
    note = f"The same result on these inputs, written in index notation: {formats or 'all dense'}{loops}."
    contender = Contender(
        "notation",
        label,
        call.timed,
        lambda: np.asarray(call.output.to_numpy()),
        watch.steps,
        note,
        threads_used(compiled, threads),
    )
    return check_baseline(contender, reference, call.output.dtype)


def _same_loops(result: CompileResult, wanted: Plan) -> tuple[str, ...]:
    """A parallel outer loop where the program has one on threads."""
    outer = wanted.expression[wanted.expression.index("(") + 1]
    return (f"parallelize({outer}, CPUThread, NoRaces)",) if shares_loops(result) else ()
