"""The JSON that leaves the compiler: typed dictionaries that the HTTP API republishes and the page consumes. Here the
answer to one compile; what it is made of is in the files ``*_schema.py`` next to this one.

Identities used for linking everywhere: ``var:<name>`` (index variable), ``tensor:<name>``, ``level:<tensor>:<level>``
(1-based storage level), ``command:<n>`` (0-based schedule command).
"""

from __future__ import annotations

from typing import Literal, NotRequired

from heddle.explorer.views.code.code_schema import CodeView, RegionView
from heddle.explorer.views.code.gpu_schema import LaunchView
from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.graph.graph_schema import IterationGraphView, LatticeView, ProvenanceView, VariableView
from heddle.explorer.views.patterns_schema import PatternsView
from heddle.explorer.views.ranges_schema import RangesView
from heddle.explorer.views.schedule_tree_schema import ScheduleTreeView
from heddle.explorer.views.typed_dict import TypedDict


class LevelView(TypedDict):
    kind: str
    ordered: bool
    unique: bool
    dimension: int
    variable: str | None
    arrays: list[str]


class TensorView(TypedDict):
    """``format`` is the canonical text (a preset when one fits). ``dimensions`` names the index variable of each."""

    name: str
    result: bool
    order: int
    dtype: str
    format: str
    dimensions: list[str]
    levels: list[LevelView]


class TemporaryView(TypedDict):
    """A workspace: a scalar, or an array over the ranges of ``dimensions``.

    ``kind`` is how it is stored: ``dense`` a value for each coordinate, ``listed`` the same with a list of those that
    were written, ``mapped`` a hash map, ``stored`` as its format says. ``command`` is the 0-based command that made it;
    null when the expression or the assembly of a sparse result needs it.
    """

    name: str
    dtype: str
    kind: Literal["scalar", "dense", "listed", "mapped", "stored"]
    dimensions: list[str]
    command: int | None


class StageView(TypedDict):
    """One step of the pipeline. ``id`` is stable: notation, graph, sums-first, command-<n>, assembly, lowered,
    pass-<name>, structured, flat, c … A pass over the loops has a ``summary``, one line; where it changed nothing that
    is printed, it is not ``changed`` and has no text. ``left_out`` counts the lines behind ``text`` that the answer had
    no room for."""

    id: str
    title: str
    summary: str | None
    text: str
    changed: bool
    command: int | None
    milliseconds: float
    code: NotRequired[CodeView | None]
    left_out: NotRequired[int]


class CommandView(TypedDict):
    """One row of the schedule, with the diagnostics that point at it found by their ``location.command``."""

    index: int
    text: str
    name: str
    arguments: list[str]
    status: Literal["applied", "failed", "skipped"]


class ConversionView(TypedDict):
    """The kernel reads ``name``: the operand ``tensor`` in another format than declared, made when it is called. The
    names differ where the operand is read in two orders."""

    tensor: str
    name: str
    format: str


class CompileView(TypedDict):
    """The answer to one compile. On an error the views that could still be made are there; the rest is null.
    ``coordinates`` are the loops before there are positions, ``regions`` what the final ones read and write.
    ``launches`` are those of a kernel for a GPU, in the order of their start. ``ranges`` says how the ranges of a
    comprehension came about, ``tree`` is its schedule, ``patterns`` how the data of a program of patterns lie. Where a
    command is refused, ``before`` is the answer to the plan of the commands before it, if that compiles."""

    plan: dict[str, object]
    hash: str
    ok: bool
    milliseconds: float
    diagnostics: list[DiagnosticView]
    tensors: list[TensorView]
    conversions: list[ConversionView]
    temporaries: list[TemporaryView]
    variables: list[VariableView]
    commands: list[CommandView]
    graph: IterationGraphView | None
    provenance: ProvenanceView | None
    lattices: list[LatticeView]
    stages: list[StageView]
    coordinates: CodeView | None
    regions: list[RegionView]
    code: CodeView | None
    launches: list[LaunchView]
    ranges: RangesView | None
    patterns: PatternsView | None
    tree: NotRequired[ScheduleTreeView]
    before: CompileView | None
