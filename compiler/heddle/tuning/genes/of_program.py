"""The space of a program on a machine: which genes it has, from its loops, sizes and formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice, permutations

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.formats.format import Format
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.frontends.front_end import Loops
from heddle.frontends.table import front_end_of
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import loop_variables, roots
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.runtime.tensors.coordinates import Entries
from heddle.targets import Feature, target_named
from heddle.tuning.facts.machine import Machine, this_machine
from heddle.tuning.facts.program import Program, program_of
from heddle.tuning.facts.statistics import Statistics, statistics_of
from heddle.tuning.genes.of_patterns import pattern_space
from heddle.tuning.genes.products import product_genes, tile_of_large_products, tiled_schedule
from heddle.tuning.genes.schedules import NONE, free_schedule, with_numbers
from heddle.tuning.genes.sizes import tile_sizes
from heddle.tuning.genes.space import Gene, Space, Value
from heddle.tuning.genes.statements import genes_of
from heddle.tuning.mapping.statements import GUESS, has_statements, statements_schedule, writer_of
from heddle.tuning.search.suggest import proposals

MOST_ORDERS = 24
UNROLL = (1, 2, 4, 8, 16)
AHEAD = (0, 4, 8, 16, 32)
OTHER_FORMATS: Mapping[int, tuple[str, ...]] = {
    1: ("sparse", "dense"),
    2: ("csr", "dcsr", "csc", "bcsr(4,4)", "bcsr(8)", "sell(8)", "sell(8,64)", "ell"),
    3: ("csf", "coo"),
}
"""What sparse operands may be stored as instead, by their order; those that do not compile count as inadmissible."""

RULES = ("free loops", "first rule", "second rule")
"""Where a schedule begins: nowhere, or with what the rules say of these formats (Vasilache et al. 2018: options that
are a reasonable guess)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """A plan with its formats chosen: what free loops and rules need, found out once."""

    plan: Plan
    program: Program
    rules: tuple[tuple[str, ...], ...]
    graph: IterationGraph | None


class _Builder:
    """Remembers the cases of a program, one for each choice of formats."""

    def __init__(self, plan: Plan, operands: Mapping[str, Entries], machine: Machine) -> None:
        self.plan, self.operands, self.machine = replace(plan, schedule=()), operands, machine
        self._cases: dict[tuple[str, ...], _Case] = {}
        self.sparse = tuple(
            tensor.name
            for tensor in self.case(()).program.signature.operands
            if not tensor.format.is_dense and tensor.order in OTHER_FORMATS and tensor.name in self.plan.tensors
        )

    def case(self, formats: tuple[str, ...]) -> _Case:
        """``formats`` of the sparse operands in their order; empty for those of the plan."""
        if formats not in self._cases:
            self._cases[formats] = self._extend(dict(zip(self.sparse, formats, strict=True)) if formats else {})
        return self._cases[formats]

    def build(self, choice: Mapping[str, Value]) -> Plan:
        formats = tuple(str(choice[f"format {name}"]) for name in self.sparse)
        case = self.case(formats)
        chosen = RULES.index(str(choice.get("start", RULES[0])))
        if 0 < chosen <= len(case.rules):
            return replace(case.plan, schedule=with_numbers(case.rules[chosen - 1], choice))
        tiled = None if case.graph is None else tiled_schedule(case.plan, case.graph, case.program, choice)
        if tiled is not None:
            return replace(case.plan, schedule=tiled)
        if case.graph is not None and has_statements(case.program):
            return replace(
                case.plan, schedule=statements_schedule(writer_of(case.plan, case.graph, case.program), choice)
            )
        return replace(case.plan, schedule=free_schedule(case.program, choice))

    def _extend(self, formats: Mapping[str, str]) -> _Case:
        changed = {name: replace(self.plan.tensors[name], format=format) for name, format in formats.items()}
        plan = replace(self.plan, tensors={**self.plan.tensors, **changed})
        known = self._statistics(plan)
        shapes = {name: operand.shape for name, operand in self.operands.items()}
        program = program_of(plan, known, self.machine, shapes)
        graphs = lower(plan).graphs
        order = tuple(loop_variables(graphs[0].statement)) if graphs else ()
        target_indices = {*program.target.indices}
        summed = frozenset(loop for loop in order if not {*roots(graphs[0], loop)} <= target_indices)
        program = replace(program, order=order, summed=summed)
        try:
            rules = tuple(proposal.schedule for proposal in islice(proposals(plan, known, self.machine, shapes), 2))
        except CompileError:
            rules = ()  # no schedule at all compiles for these formats
        return _Case(plan, program, rules, graphs[0] if graphs else None)

    def _statistics(self, plan: Plan) -> dict[str, Statistics]:
        statistics: dict[str, Statistics] = {}
        for name, entries in self.operands.items():
            spec = plan.tensors.get(name, TensorSpec())
            order = _format(spec, len(entries.shape), name).order
            statistics[name] = statistics_of(entries, tuple(dict.fromkeys(order)))
        return statistics


def space_of(plan: Plan, operands: Mapping[str, Entries] | None = None, machine: Machine | None = None) -> Space:
    """The space of ``plan``, whose schedule is left out; ``operands`` are the sparse ones that were looked at.

    Raises
    ------
    CompileError
        the expression or a format is wrong; ``tune/no-loops`` for what has none, ``tune/no-patterns`` for a program in
        patterns without any that a search changes, ``tune/target`` for a target whose loops no gene changes.
    """
    if target_named(plan.target).only_gpu or Feature.MACHINE_CLASSES not in target_named(plan.target).features:
        raise CompileError(
            Diagnostic(
                "tune/target",
                f"A search changes loops for the threads and vectors of a CPU, not for {plan.target}.",
                Location(Part.PLAN, path="/target"),
                expected="the target c",
                actual=plan.target,
                hint="Set the target to c, or let the rules choose the schedule for this one.",
            )
        )
    machine = machine or this_machine(plan.run.threads)
    if isinstance(front_end_of(plan.language).entry, Loops):
        return pattern_space(plan, machine)
    builder = _Builder(plan, operands or {}, machine)
    case = builder.case(())
    program = case.program
    if not program.order:
        raise CompileError(
            Diagnostic(
                "tune/no-loops",
                "A search needs loops to change, and this program has none.",
                Location(Part.EXPRESSION, 0, len(plan.expression)),
                expected="an expression with an index variable",
                actual=plan.expression,
                hint="Tune a program over vectors, matrices or tensors.",
            )
        )
    genes = [Gene("start", RULES[: 1 + len(case.rules)], "where the schedule begins"), *_formats(builder)]
    several = case.graph is not None and has_statements(program)
    if case.graph is not None and several:
        genes += genes_of(case.graph, program, UNROLL)
    else:
        genes += [*_loops(program), *_parallel(program)]
    products = [] if case.graph is None else product_genes(case.plan, case.graph, program)
    genes += products
    space = Space(tuple(genes), builder.build)
    plain = space.choice([0] * len(genes))
    starts = [space.genome({**plain, "start": start}) for start in genes[0].values]
    guessed = [space.genome({**plain, **GUESS})] if several else []
    if products:
        threads = next(gene for gene in genes if gene.name == "threads").values
        tiled = {**tile_of_large_products(program), "threads": threads[:2][-1]}
        guessed.append(space.genome({**plain, **tiled}))
    return replace(space, starts=(*guessed, *reversed(starts)))


def _formats(builder: _Builder) -> list[Gene]:
    genes: list[Gene] = []
    for name in builder.sparse:
        tensor = builder.case(()).program.signature.tensors[name]
        text = format_text(tensor.format)
        others = [other for other in OTHER_FORMATS[tensor.order] if other not in (text, "dense")]
        genes.append(Gene(f"format {name}", (text, *others), f"how {name} is stored"))
    return genes


def _loops(program: Program) -> list[Gene]:
    default = " ".join(program.order)
    orders = [" ".join(order) for order in islice(permutations(program.order), MOST_ORDERS)]
    genes = [Gene("order", (default, *(order for order in orders if order != default)), "loops, outermost first")]
    if len(orders) == 1:
        genes.clear()
    for loop in program.order:
        genes.append(Gene(f"tile {loop}", tile_sizes(program.sizes.get(loop)), f"iterations of {loop} in a tile"))
    genes.append(Gene("tiles", ("in place", "outside"), "where loops over tiles go"))
    genes.append(Gene("unroll", UNROLL, "iterations of the innermost loop written one after the other"))
    return genes


def _parallel(program: Program) -> list[Gene]:
    free_loops = [loop for loop in program.order if loop not in program.summed]
    rows = [access for access in program.sparse if program.has_rows(access)]
    threads = [NONE, *free_loops, *(f"{program.list_stored_variables(row)[0]} by {row.tensor}" for row in rows)]
    threads += [
        f"{loop} {race}" for loop in program.order if loop in program.summed for race in ("Atomics", "Temporary")
    ]
    if program.machine.threads < 2:
        threads = [NONE]
    counts = (0, *(factor * program.machine.threads for factor in (1, 2, 4, 8, 16, 32)))
    return [
        Gene("vectors", (NONE, *program.order), "the loop in vector lanes"),
        Gene("copies", (NONE, "sums in registers"), "what is computed in registers first"),
        Gene("threads", tuple(threads), "the loop on threads, and how they share it"),
        Gene("parts", counts, "parts that threads share, where entries are counted; 0 for the usual number"),
        Gene("ahead", AHEAD, "entries by which the rules' prefetches are ahead; 0 for theirs"),
    ]


def _format(spec: TensorSpec, order: int, name: str) -> Format:
    return parse_format(spec.format or "dense", order, name)
