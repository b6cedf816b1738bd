"""Is this iteration graph one that can be lowered, and to the right result? Run after the build and every command."""

from __future__ import annotations

from heddle.advice import StoreInOrder
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.analysis.result_in_parts import check_result_in_parts
from heddle.iteration_graph.checks.merging import check_merges
from heddle.iteration_graph.checks.parallel import check_parallel
from heddle.iteration_graph.checks.unordered import check_unordered
from heddle.iteration_graph.graph.constraining_relation import constraining_relations
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    closure,
    is_computed,
    leaves,
    level_variables,
    position_relation,
    relation_below,
    remember,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.storage_order import arrow, conversion_fixes, wanted_order
from heddle.iteration_graph.transform.implicit import with_implicit_positions
from heddle.notation.nodes import Access, accesses

MAX_RELATIONS = 40


def verify(graph: IterationGraph, settled: bool = True) -> None:
    """Raises Refusal for the first rule that the graph breaks. Unless ``settled``, converted operands may be visited in
    another order than they are stored in, which later commands put right."""
    _check_size(graph)
    lowered = with_implicit_positions(graph)
    _check_orders(lowered, settled)
    for relation in constraining_relations(lowered):
        relation.check(lowered)
    _check_iterators(lowered)
    check_parallel(lowered)
    check_result_in_parts(lowered)


@remember
def _check_iterators(graph: IterationGraph) -> None:
    check_unordered(graph)
    check_merges(graph)


def _check_size(graph: IterationGraph) -> None:
    """Deep chains of derived variables cost time and stack in every later pass; no sensible schedule has them."""
    if len(graph.relations) > MAX_RELATIONS:
        raise Refusal(
            "schedule/too-many-variables",
            f"the schedule would derive variables {len(graph.relations)} times; the limit is {MAX_RELATIONS}.",
            expected=f"at most {MAX_RELATIONS} commands that derive variables",
            actual=str(len(graph.relations)),
        )


@remember
def _check_orders(graph: IterationGraph, settled: bool) -> None:
    """Raises the first Refusal, with the orders in which all operands would have to be stored."""
    refusals: list[Refusal] = []
    for path, assign in all_assignments(graph):
        for access in dict.fromkeys(accesses(assign.expression)):
            known = graph.signature.tensors.get(access.tensor)
            if known is None or not (settled or known.loops is None):
                continue
            try:
                _check_order(graph, path, access)
            except Refusal as refusal:
                refusals.append(refusal)
            if refusals and not refusals[-1].advice:  # nothing that follows helps
                break
    if refusals:
        refusals[0].advice = tuple(dict.fromkeys(advice for refusal in refusals for advice in refusal.advice))
        raise refusals[0]


def _check_order(graph: IterationGraph, path: tuple[str, ...], access: Access) -> None:
    """Every iterated level of ``access`` is reached after the levels above it."""
    levels = level_variables(graph, access)
    tensor = graph.signature.tensors[access.tensor]
    for number, variable in enumerate(levels, start=1):
        if not LEVEL_KINDS[tensor.format.levels[number - 1].kind].iterated:
            continue
        relation = position_relation(graph, variable)
        access_relation = relation if relation is not None and relation.access == access else None
        if is_computed(graph, variable):
            continue  # searched where it is known
        if variable in levels[: number - 1]:
            continue  # a diagonal: the coordinate is known from the level above, and searched here
        for above in levels[: number - 1]:
            together = access_relation is not None and above in access_relation.components
            if (
                _find_determining_loop(graph, path, above) >= _find_determining_loop(graph, path, variable)
                and not together
            ):
                raise _out_of_order(graph, path, access, above, variable)
            if (
                access_relation is not None
                and not together
                and _find_first_loop(graph, path, variable) <= _find_determining_loop(graph, path, above)
            ):
                raise _out_of_order(graph, path, access, above, path[_find_first_loop(graph, path, variable)])
        if access_relation is not None:
            _check_window(
                graph,
                path,
                access,
                access_relation.components[0],
                access_relation.narrowed,
                _find_first_loop(graph, path, variable),
            )
        elif relation is None:
            last = _find_determining_loop(graph, path, variable)
            _check_window(graph, path, access, variable, path[last], last)


def _find_determining_loop(graph: IterationGraph, path: tuple[str, ...], variable: str) -> int:
    """The loop at which ``variable`` becomes known, as an index into ``path``."""
    return max((path.index(leaf) for leaf in leaves(graph, variable)), default=-1)


def _find_first_loop(graph: IterationGraph, path: tuple[str, ...], variable: str) -> int:
    """The first loop over a part of ``variable``."""
    relation = position_relation(graph, variable)
    assert relation is not None
    return min(path.index(leaf) for leaf in leaves(graph, relation.position))


def _check_window(graph: IterationGraph, path: tuple[str, ...], access: Access, root: str, inner: str, at: int) -> None:
    """From ``root`` down to ``inner`` the variable must advance by ones while the outer parts are fixed."""
    known = closure(graph, set(path[:at]))
    variable = root
    while variable != inner:
        below = relation_below(graph, variable)
        following = below.is_window(known) if below is not None else None
        if following is None:
            raise Refusal(
                "schedule/strided",
                f"{inner} would visit the stored coordinates of {access.tensor} (stored "
                f"{arrow(graph.signature, access)}) with a stride, because the other parts of "
                f"{root} are not all outside it. "
                f"Put the loop over single steps innermost among the parts of {root}.",
                expected=f"the tile loops of {root} from outer to inner",
                actual=" → ".join(path),
                unscheduled="format/conflicting-orders",
            )
        variable = following


def _out_of_order(graph: IterationGraph, path: tuple[str, ...], access: Access, above: str, variable: str) -> Refusal:
    stored = arrow(graph.signature, access)
    order = sorted(
        graph.underived, key=lambda v: _find_determining_loop(graph, path, v) if _reachable(graph, path, v) else 99
    )
    return Refusal(
        "schedule/storage-order",
        f"{access.tensor} is stored {stored}, so {variable} cannot be visited before {above} is known. "
        f"Keep {above} outside {variable}, or store {access.tensor} in the order of the loops.",
        expected=f"{above} outside {variable}",
        actual=" → ".join(path),
        hint=_inner_reduction(graph, access),
        fixes=conversion_fixes(graph.signature, access, order),
        advice=_find_wanted_orders(graph, path, access),
        unscheduled="format/conflicting-orders",
    )


def _inner_reduction(graph: IterationGraph, access: Access) -> str | None:
    """What helps where ``access`` is reduced inside an expression, into a number for each element of the result."""
    for _, assign in all_assignments(graph):
        target = assign.target
        written = target.tensor in graph.signature.temporaries or target.tensor not in graph.workspaces
        if written or target.indices or access not in accesses(assign.expression):
            continue
        advice = "compute the reduction in a statement of its own and read that"
        if assign.operator == "+=":
            advice = f"write factors into the sum, as in sum(j, a * x(j)) for a * sum(j, x(j)), or {advice}"
        return f"{access.tensor} is reduced inside an expression, so that each element is reduced by itself: {advice}."
    return None


def _find_wanted_orders(graph: IterationGraph, path: tuple[str, ...], access: Access) -> tuple[StoreInOrder, ...]:
    """The storage order in which the loops would visit ``access``."""
    if not all(_reachable(graph, path, variable) for variable in access.indices):
        return ()
    original = Access(access.tensor, tuple(graph.copies.get(index, index) for index in access.indices))
    order = wanted_order(
        graph.signature, access, original, lambda variable: _find_determining_loop(graph, path, variable)
    )
    return () if order is None else (StoreInOrder((order,)),)


def _reachable(graph: IterationGraph, path: tuple[str, ...], variable: str) -> bool:
    return all(leaf in path for leaf in leaves(graph, variable))
