"""The iteration graph: loops as index variables in an order, statements below them, and where the variables come from.

This is concrete index notation plus provenance (docs/sources.toml T5 to T10). All schedule commands rewrite this stage
alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.relation import Relation
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import Access, Expression
from heddle.signature import Signature


@dataclass(frozen=True, slots=True)
class Forall:
    """``∀variable body``: one loop."""

    variable: str
    body: Statement


@dataclass(frozen=True, slots=True)
class Where:
    """``consumer where producer``: the producer computes a workspace that the consumer reads."""

    consumer: Statement
    producer: Statement


@dataclass(frozen=True, slots=True)
class Assign:
    """``target operator expression``; operator is ``=`` or ``+=``."""

    target: Access
    operator: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class Series:
    """``statements`` one after the other. A matrix that is stored as a sum of parts is computed with by one for each
    part: all combine into the same result, and none reads it. Statements that share a loop compute tensors of their
    own, and may read what those in front of them compute."""

    statements: tuple[Statement, ...]
    cases: tuple[str, ...] = ()
    """Only one statement runs in an iteration of the loop around them: that whose variable has a value there. One for
    each statement, of a relation that says ``in_turn``; empty where all run."""


Statement = Forall | Where | Assign | Series


@dataclass(frozen=True, slots=True)
class ParallelTag:
    unit: LoopKind
    race: str
    command: int


@dataclass(frozen=True, slots=True)
class AssembleTag:
    """How the sparse result is assembled, when a command says so."""

    strategy: str
    command: int


@dataclass(frozen=True, slots=True)
class Remark:
    """What a person should know about a command that applies: nothing is wrong, but it does not do what it says."""

    command: int
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class UnrollTag:
    factor: int
    command: int


class WorkspaceKind(StrEnum):
    """DENSE: a value for each coordinate. LISTED: the same, with a list of the coordinates that were written. MAPPED: a
    hash map from coordinates to values."""

    DENSE = "dense"
    LISTED = "listed"
    MAPPED = "mapped"


@dataclass(frozen=True, slots=True)
class MergeTag:
    """How the loop that merges several sparse operands moves forward: ``TwoFinger``, ``Gallop`` or ``Minimum``."""

    strategy: str
    command: int


@dataclass(frozen=True, slots=True)
class PrefetchTag:
    """Elements of a tensor are prefetched ``distance`` stored coordinates ahead."""

    distance: int
    command: int


@dataclass(frozen=True, slots=True)
class Workspace:
    """A temporary of the expression: a scalar, e.g. a sum that a larger expression uses, or an array over the ranges of
    ``variables``, the index variables by which the consumer reads it. ``dimensions`` are those of its accesses that it
    has memory for, one for each of ``variables``; None where it is all of them."""

    name: str
    dtype: str
    variables: tuple[str, ...] = ()
    kind: WorkspaceKind = WorkspaceKind.DENSE
    dimensions: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class ProducerCopies:
    """The producer of ``workspace`` runs over ``children`` where its consumer runs over ``parents``. No relation:
    neither is recovered from the other, what they share is the workspace. ``command`` is None where no command asked
    for it."""

    workspace: str
    command: int | None
    parents: tuple[str, ...]
    children: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartOrder:
    """The order in which the loops of a statement run before any command: ``text`` says it and why. ``result_first`` is
    that of plans of version 1. A temporary's loops are after those around them."""

    loops: tuple[str, ...]
    result_first: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class IterationGraph:
    """``relations`` is the provenance in the order of the commands; tags say how a loop variable's loop runs."""

    statement: Statement
    signature: Signature
    relations: tuple[Relation, ...] = ()
    parallel: dict[str, ParallelTag] = field(default_factory=dict)
    unroll: dict[str, UnrollTag] = field(default_factory=dict)
    merge: dict[str, MergeTag] = field(default_factory=dict)
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    underived: tuple[str, ...] = ()
    copies: dict[str, str] = field(default_factory=dict)
    """Underived variables of a producer, and which one of the expression each stands for."""
    producers: tuple[ProducerCopies, ...] = ()
    """How the copies that commands made came about, in the order of the commands."""
    assemble: AssembleTag | None = None
    scattered: frozenset[str] = frozenset()
    """The tensors whose rows are counted and scattered into (``analysis/scattering.py``)."""
    pattern_operands: dict[str, str] = field(default_factory=dict)
    """The operand whose coordinates a temporary has, by temporary (``analysis/assembly.py``)."""
    remarks: tuple[Remark, ...] = ()
    prefetch: dict[str, PrefetchTag] = field(default_factory=dict)
    """By tensor."""
    started: tuple[StartOrder, ...] = ()
    """For each statement with several loops."""
    commands: tuple[str, ...] = field(default=(), compare=False)
    """The schedule that made it, of which ``ParallelTag.command`` and its like are indices."""
    bare: IterationGraph | None = field(default=None, repr=False, compare=False)
    """The same without the automatic workspace, as long as all commands apply to that, too
    (``schedule/automatic_workspace.py``)."""
    above: dict[str, Relation] = field(init=False, repr=False, compare=False)
    below: dict[str, Relation] = field(init=False, repr=False, compare=False)
    """Of each variable, the relation that derived it, and the one that replaced it: found for every loop and access."""
    memo: dict[tuple[object, ...], Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Answers to questions of ``provenance.py`` about this graph, tags left out: graphs that differ in nothing else
    have one."""
    tag_memo: dict[tuple[object, ...], Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Those that depend on the tags as well."""

    def __reduce__(self) -> tuple[type[IterationGraph], tuple[object, ...]]:
        """What copies and other processes get: all but what follows from it. Not as ``__getstate__``, which dataclasses
        with slots replace by their own before Python 3.11.3."""
        return type(self), tuple(getattr(self, argument.name) for argument in fields(self) if argument.init)

    def __post_init__(self) -> None:
        above: dict[str, Relation] = {}
        below: dict[str, Relation] = {}
        for relation in self.relations:
            for child in relation.children:
                above.setdefault(child, relation)
            for parent in relation.parents:
                below.setdefault(parent, relation)
        object.__setattr__(self, "above", above)
        object.__setattr__(self, "below", below)

    def with_relation(self, relation: Relation, statement: Statement) -> IterationGraph:
        return replace(self, relations=(*self.relations, relation), statement=statement)

    def with_statement(self, statement: Statement) -> IterationGraph:
        return replace(self, statement=statement)

    def with_tags(
        self,
        *,
        parallel: dict[str, ParallelTag] | None = None,
        unroll: dict[str, UnrollTag] | None = None,
        prefetch: dict[str, PrefetchTag] | None = None,
        remarks: tuple[Remark, ...] | None = None,
        commands: tuple[str, ...] | None = None,
    ) -> IterationGraph:
        """The same loops, which run in another way: what is known of them stays known."""
        tags = {"parallel": parallel, "unroll": unroll, "prefetch": prefetch, "remarks": remarks, "commands": commands}
        tagged = object.__new__(type(self))
        for member in fields(self):  # not by replace(), which takes ten times as long
            tag = tags.get(member.name)
            object.__setattr__(tagged, member.name, getattr(self, member.name) if tag is None else tag)
        object.__setattr__(tagged, "tag_memo", {})
        return tagged
