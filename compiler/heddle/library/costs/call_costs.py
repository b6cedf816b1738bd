"""What a call costs that it need not: loops over coordinates that nobody stores, dense results with few nonzeros, rows
times columns, a product in an expensive order. Each is found from the loops without a schedule and what operands store.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from heddle.diagnostics import Diagnostic
from heddle.formats.printer import format_text
from heddle.iteration_graph.analysis.steps import full_loops
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments
from heddle.library.costs.contraction_order import Contraction
from heddle.library.costs.products import contraction_steps
from heddle.library.costs.searches import count_searches, has_searches
from heddle.library.costs.sparsity import is_result_sparse
from heddle.library.costs.steps import estimate_steps, variable_sizes
from heddle.library.operand_kinds import OperandKind, declared_dtypes
from heddle.notation.nodes import Assignment, accesses, operand_accesses, statements
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.runtime.performance_warnings import performance_diagnostic, spell_count

OTHER_LINES = {"csr": "csc", "csc": "csr"}
_FACTOR = 20.0
"""How many times what would do is worth a warning."""
_SEARCH_FACTOR = 4.0
"""The same of steps of searches, each of which waits for memory."""
_LEAST = 1e6
"""Steps or elements below which nobody waits."""


@dataclass(frozen=True, slots=True)
class CallCosts:
    """Of a kernel on operands of these kinds: loop ``steps``, the ``entries`` that operands and result have at least,
    and what is said about them."""

    steps: float
    entries: float
    diagnostics: tuple[Diagnostic, ...]


def call_costs(result: CompileResult, kinds: Mapping[str, OperandKind], threads: int = 1) -> CallCosts:
    """What the kernel of ``result`` does with operands of these kinds, with a schedule that was chosen for ``threads``,
    where it was."""
    graph, assignment = _loops(result), result.assignment
    assert assignment is not None
    known = {name: kind for name, kind in kinds.items() if name in graph.signature.tensors}
    turned = () if result.kernel is None else result.kernel.turned
    copies = {copy.name: replace(known[copy.tensor], format=format_text(copy.format)) for copy in turned}
    if result.decomposed is not None or len(known) < len(kinds):
        return CallCosts(0.0, 0.0, ())
    sizes = variable_sizes(graph, known)
    entries = float(sum(math.prod(kind.shape) if kind.stored is None else kind.stored for kind in known.values()))
    steps = estimate_steps(graph, {**known, **copies})
    program = _Program(result.plan, assignment, graph, known, sizes, steps, entries)
    diagnostics = [*_full_loops(program), *_dense_result(program), *_dense_temporaries(program)]
    if not diagnostics:
        diagnostics += [*_rows_times_columns(program), *_expensive_order(program)]
    if not diagnostics:
        diagnostics += _searches(program, result, {**known, **copies})
    if not diagnostics and threads > 1:
        diagnostics += _race(program, threads)
    return CallCosts(steps, entries, tuple(diagnostics))


def _loops(result: CompileResult) -> IterationGraph:
    """The loops without a schedule; with copies of operands, those that read the copies."""
    copies = result.kernel is not None and result.kernel.turned
    return result.lowered_graph if copies and result.lowered_graph is not None else result.graphs[0]


def may_cost_more(result: CompileResult) -> bool:
    """Whether any operands of the kernel can give a reason to warn, told from its program alone."""
    graph, assignment = result.graphs[0], result.assignment
    if assignment is None or result.decomposed is not None or assignment.program is not None:
        return False
    operands = [tensor for tensor in graph.signature.inputs if not tensor.is_result]
    sparse = [tensor for tensor in operands if not tensor.format.is_dense]
    factors = [access for access in operand_accesses(assignment) if access.indices]
    more = len(factors) > 2 or len(sparse) > 1 or _scatters(graph, assignment)
    return bool(sparse) and (more or bool(full_loops(graph)) or has_searches(result))


@dataclass(frozen=True, slots=True)
class _Program:
    plan: Plan
    assignment: Assignment
    graph: IterationGraph
    kinds: Mapping[str, OperandKind]
    sizes: Mapping[str, int]
    steps: float
    entries: float

    def elements(self, variables: tuple[str, ...]) -> float:
        return math.prod(float(self.sizes.get(variable, 1)) for variable in variables)

    @property
    def sparse(self) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind.sparse]


def _full_loops(program: _Program) -> Iterator[Diagnostic]:
    """Loops over all coordinates of a dimension of which a sparse operand lists some."""
    loops = full_loops(program.graph)
    if not loops or program.steps < _LEAST:
        return
    target, result = program.assignment.target, program.graph.signature.result
    needed = program.entries + program.elements(target.indices)
    if not result.format.is_dense and set(loops) & set(target.indices):
        if program.elements(target.indices) > _FACTOR * program.entries:
            elements, entries = spell_count(program.elements(target.indices)), spell_count(program.entries)
            yield performance_diagnostic(
                "stores-everything",
                f"{target.tensor} stores all {elements} coordinates, since what is computed has a value where operands "
                f"store nothing; they have {entries} entries.",
                f"{elements} elements for {entries} entries",
                f'Store it dense, formats={{"{target.tensor}": "dense"}}, or compute what is 0 there: expm1 for exp, '
                "log1p for log.",
                target.tensor,
            )
        return
    if program.steps <= _FACTOR * needed:
        return
    operators = {assign.operator for path, assign in assignments(program.graph.statement) if set(loops) & set(path)}
    names = [name for name in program.sparse if set(loops) & set(program.graph.signature.tensors[name].indices)]
    name = names[0] if names else ""
    fill = "-inf" if "max=" in operators else "inf" if "min=" in operators else ""
    rewriting = (
        f"Store {name} with the fill {fill}, so that only entries count: hd.refill({name}, {fill}) and "
        f'fills={{"{name}": {fill}}}, or hd.evaluate, which takes the fill of its operand.'
        if fill
        else "Write the part that is the same at all coordinates without entries as a statement of its own."
    )
    yield performance_diagnostic(
        "every-coordinate",
        f"The loop over {' and '.join(loops)} visits every coordinate, since the term has a value where {name} stores "
        f"nothing: {spell_count(program.steps)} steps for {spell_count(needed)} entries and elements.",
        f"{spell_count(program.steps)} steps instead of about {spell_count(needed)}",
        rewriting,
        name or None,
    )


def _dense_result(program: _Program) -> Iterator[Diagnostic]:
    """A dense result of which sparse operands leave most elements zero."""
    target, result = program.assignment.target, program.graph.signature.result
    elements = program.elements(target.indices)
    if not result.format.is_dense or elements < _LEAST or elements <= _FACTOR * program.steps:
        return
    if is_result_sparse(program.assignment, program.kinds, declared_dtypes(program.kinds)):
        format = {1: "sparse", 2: "csr"}.get(len(target.indices), "csf")
        yield performance_diagnostic(
            "dense-result",
            f"{target.tensor} is dense with {spell_count(elements)} elements, of which at most "
            f"{spell_count(program.steps)} are not zero.",
            f"{spell_count(elements)} elements instead of at most {spell_count(program.steps)}",
            f'Store it sparse: formats={{"{target.tensor}": "{format}"}}.',
            target.tensor,
        )


def _dense_temporaries(program: _Program) -> Iterator[Diagnostic]:
    """Dense temporaries of which sparse operands leave most elements zero."""
    for statement in statements(program.assignment)[:-1]:
        target = statement.target
        signature = program.graph.signature.temporaries.get(target.tensor)
        elements = program.elements(target.indices)
        if signature is None or not signature.format.is_dense or elements < _LEAST:
            continue
        if elements <= _FACTOR * program.entries or not _reads_operands(statement, program.kinds):
            continue
        if is_result_sparse(statement, program.kinds, declared_dtypes(program.kinds)):
            yield performance_diagnostic(
                "dense-temporary",
                f"{target.tensor} is dense with {spell_count(elements)} elements; what it is computed of has "
                f"{spell_count(program.entries)} entries.",
                f"{spell_count(elements)} elements for {spell_count(program.entries)} entries",
                f"Compute {target.tensor} by a kernel of its own, whose result is sparse: hd.evaluate.",
                target.tensor,
            )


def _reads_operands(statement: Assignment, kinds: Mapping[str, OperandKind]) -> bool:

    return all(access.tensor in kinds for access in accesses(statement.expression))


def _rows_times_columns(program: _Program) -> Iterator[Diagnostic]:
    """Two sparse matrices whose storage makes loops look at pairs of rows and columns."""
    if len(program.sparse) < 2 or program.steps < _LEAST or program.steps <= _FACTOR * program.entries:
        return
    cheaper = cheaper_lines(program.plan, program.graph, program.kinds)
    if cheaper is None or cheaper[1] > program.steps / 4:
        return
    formats, steps = cheaper
    names = " and ".join(formats)
    packed = ", ".join(f'{name}=hd.pack({name}, "{format}")' for name, format in formats.items())
    yield performance_diagnostic(
        "storage-order",
        f"With {names} stored so, loops look at pairs of rows and columns: {spell_count(program.steps)} steps, where "
        f"{spell_count(steps)} would do.",
        f"{spell_count(program.steps)} steps instead of {spell_count(steps)}",
        f"Pass {packed} and compile for these formats; hd.evaluate and hd.einsum do so themselves.",
        next(iter(formats)),
    )


def cheaper_lines(
    plan: Plan, graph: IterationGraph, kinds: Mapping[str, OperandKind]
) -> tuple[dict[str, str], float] | None:
    """The other formats, by rows or by columns, of some matrices with which the loops take the fewest steps, and that
    number; None where nothing else compiles."""
    tensors = graph.signature.tensors
    lines = {name: format_text(tensors[name].format) for name, kind in kinds.items() if kind.sparse}
    matrices = [name for name, format in lines.items() if format in OTHER_LINES]
    best: tuple[dict[str, str], float] | None = None
    for turned in product((False, True), repeat=min(len(matrices), 3)):
        formats = {name: OTHER_LINES[lines[name]] for name, turn in zip(matrices, turned, strict=False) if turn}
        if not formats:
            continue
        specs = {name: replace(plan.tensors[name], format=format) for name, format in formats.items()}
        result = lower(replace(plan, tensors={**plan.tensors, **specs}, schedule=()))
        if not result.ok:
            continue
        asked = {name: replace(kinds[name], format=format) for name, format in formats.items()}
        steps = estimate_steps(result.graphs[0], {**kinds, **asked})
        if best is None or steps < best[1]:
            best = formats, steps
    return best


def _scatters(graph: IterationGraph, assignment: Assignment) -> bool:
    """Whether iterations of the outermost loop add to the same elements of the result, and no other loop is shared:
    every loop follows the one sparse operand."""
    target = assignment.target.indices
    if assignment.temporaries or not target or not graph.signature.result.format.is_dense:
        return False
    paths = [path for path, _ in assignments(graph.statement)]
    driver = next((tensor for tensor in graph.signature.operands if not tensor.format.is_dense), None)
    if driver is None or len(paths) != 1 or not paths[0]:
        return False
    return paths[0][0] not in target and set(paths[0]) == set(driver.indices)


def _race(program: _Program, threads: int) -> Iterator[Diagnostic]:
    """Columns that add to the same elements of a result: one thread has to."""
    if program.steps < _LEAST or not _scatters(program.graph, program.assignment):
        return
    cheaper = cheaper_lines(program.plan, program.graph, program.kinds)
    if cheaper is None or cheaper[1] > 2 * program.steps:
        return
    name, format = next(iter(cheaper[0].items()))
    yield performance_diagnostic(
        "one-thread",
        f"{name} is stored in an order in which iterations add to the same elements of "
        f"{program.assignment.target.tensor}, so that one thread has to take all {spell_count(program.steps)} steps.",
        f"1 thread of {threads}",
        f'Store {name} as {format}: hd.convert({name}, "{format}") and formats={{"{name}": "{format}"}}.',
        name,
    )


def _searches(program: _Program, result: CompileResult, kinds: Mapping[str, OperandKind]) -> Iterator[Diagnostic]:
    """A schedule that searches for coordinates more than loops without it would take steps."""
    costs = [costs for costs in count_searches(result, kinds) if costs.steps >= _LEAST]
    most, walked = max(costs, key=lambda costs: costs.steps, default=None), max(program.steps, program.entries)
    if most is None or not program.plan.schedule or most.steps <= _SEARCH_FACTOR * walked:
        return
    merges = any(command.lstrip().startswith("pos(") for command in program.plan.schedule)
    way = "so that both are merged" if merges else f"or cut positions: pos(j, p, {most.tensor}); split(p, …)"
    yield performance_diagnostic(
        "search-per-element",
        f"The coordinates of {most.tensor} are searched {spell_count(most.times)} times, in each iteration of the loop "
        f"over {most.variable}: about {spell_count(most.steps)} steps, where a walk over what is stored takes "
        f"{spell_count(walked)}.",
        f"{spell_count(most.steps)} steps instead of {spell_count(walked)}",
        f"Leave out the command that makes the loop over {most.variable}, {way}.",
        most.tensor,
    )


def _expensive_order(program: _Program) -> Iterator[Diagnostic]:
    """A product that takes fewer steps with an intermediate."""
    if program.steps < _LEAST:
        return
    steps = contraction_steps(program.assignment, program.kinds, declared_dtypes(program.kinds))
    total = sum(step.steps for step in steps)
    if not steps or total > program.steps / 2:
        return
    yield performance_diagnostic(
        "contraction-order",
        f"One loop nest multiplies all factors: {spell_count(program.steps)} steps, where {spell_count(total)} would "
        "do with an intermediate.",
        f"{spell_count(program.steps)} steps instead of {spell_count(total)}",
        f"Write {_spell(steps)}, or use hd.evaluate, which chooses the order.",
    )


def _spell(steps: tuple[Contraction, ...]) -> str:
    return "; ".join(step.expression for step in steps)
