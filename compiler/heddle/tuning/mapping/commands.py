"""From mapping options to commands for the program at hand (docs/sources.toml C19): each option becomes commands that
this program allows, or a remark that says why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from heddle.iteration_graph.graph.sequence import in_order
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.targets import target_named
from heddle.tuning.mapping.options import Option
from heddle.tuning.mapping.writer import Writer, band, fuse, in_registers

MOST_THREADS = 1024
"""Of a block on a GPU."""

STRATEGIES: Mapping[str, int | None] = {"Max": None, "Preserve3Coincident": 3, "Min": 0}
"""How many loops around several statements each fusion strategy makes at most; None: as many as are legal."""


@dataclass(frozen=True, slots=True)
class Said:
    """What became of one option. ``taken``: it is in the commands, or asks for what holds anyway."""

    option: Option
    taken: bool
    text: str


@dataclass(frozen=True, slots=True)
class Mapped:
    """Commands that compile, and a remark for each option in the order of the text."""

    commands: tuple[str, ...]
    said: tuple[Said, ...]


def map_options(plan: Plan, options: Sequence[Option]) -> Mapped:
    """What ``options`` mean for ``plan``, whose own schedule is left out.

    Raises
    ------
    CompileError
        the plan does not compile without a schedule.
    """
    bare = replace(plan, schedule=())
    start = lower(bare)
    start.raise_errors()
    if not start.graphs:
        said = [
            Said(option, False, "The program becomes loops directly, which no command changes.") for option in options
        ]
        return Mapped((), tuple(said))
    gpu, named = target_named(plan.target).only_gpu, {option.name: option for option in options}
    writer = _Writer(bare, start.graphs[0], gpu=gpu, options=named)
    texts = {name: HOW[name](writer, option) for name in HOW for option in options if option.name == name}
    dropped = "".join(f" {text} is left out: {why}" for text, why in writer.settle())
    said = []
    for option in options:
        applied, text = texts.get(option.name) or (False, LEFT.get(option.name, "Heddle does not know this option."))
        said.append(Said(option, applied, f"{text}{dropped}" if applied and option.name == "unroll" else text))
    return Mapped(tuple(writer.commands), tuple(said))


@dataclass(slots=True)
class _Nest:
    """The loops around one statement, or several: ``outer`` over tiles, ``inner`` over the points of a tile."""

    outer: list[str]
    inner: list[str]


@dataclass(slots=True)
class _Writer(Writer):
    """``nests`` are the statements' loops as the options cut them, ``lanes`` those that run in lanes."""

    gpu: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)
    nests: list[_Nest] = field(default_factory=list)
    lanes: set[str] = field(default_factory=set)

    def bands(self) -> list[_Nest]:
        if not self.nests:
            self.nests = [
                _Nest([], loops) for statement in in_order(self.graph.statement) if (loops := band(statement))
            ]
        return self.nests


Answer = tuple[bool, str]


def _fusion(writer: _Writer, option: Option) -> Answer:
    name = str(option.values[0]) if option.values else ""
    if name not in STRATEGIES:
        return False, f"A fusion strategy is one of {', '.join(STRATEGIES)}."
    most = STRATEGIES[name]
    fusions, why = fuse(writer, most)
    if fusions:
        return True, f"{fusions} time{'s' if fusions > 1 else ''} two statements run under one loop."
    if most == 0:
        return True, "Every statement keeps loops of its own."
    return True, f"No statements run under one loop: {why}" if why else "There is one statement, and nothing to fuse."


def _tile(writer: _Writer, option: Option) -> Answer:
    sizes = [value for value in option.values if isinstance(value, int)]
    why = ""
    for nest in writer.bands():
        band, cut = nest.inner, []
        for loop, size in zip(band, sizes, strict=False):
            if size > 1:
                outer, inner = writer.fresh(f"{loop}0", f"{loop}1")
                refused = writer.try_commands(f"split({loop}, {outer}, {inner}, {size})")
                if refused is None:
                    cut.append((loop, outer, inner))
                why = why or refused or ""
        outside = [outer for _, outer, _ in cut]
        points = {loop: inner for loop, _, inner in cut}
        inside = [points.get(loop, loop) for loop in band]
        if cut and len(band) > 1:
            refused = writer.try_commands(f"reorder({', '.join((*outside, *inside))})")
            if refused is not None:
                why = why or refused
                outside, inside = [], [piece for loop in band for piece in _pieces(loop, cut)]
        nest.outer, nest.inner = outside, inside
    count = sum(command.startswith("split") for command in writer.commands)
    if count:
        return True, f"{count} loop{'s are' if count > 1 else ' is'} cut into tiles.{f' {why}' if why else ''}"
    return (False, why) if why else (True, "Tiles of one iteration are the loops themselves.")


def _pieces(loop: str, cut: Sequence[tuple[str, str, str]]) -> list[str]:
    return next(([outer, inner] for variable, outer, inner in cut if variable == loop), [loop])


def _blocks(writer: _Writer, option: Option) -> Answer:
    unit = "GPUBlock" if writer.gpu else "CPUThread"
    why, count = "", 0
    for nest in writer.bands():
        loop = (nest.outer or nest.inner)[0]
        refused = writer.try_commands(f"parallelize({loop}, {unit}, NoRaces)")
        count += refused is None
        why = why or refused or ""
    if not count:
        return False, why
    how = "each iteration is a block" if writer.gpu else "the threads of the machine share it, whatever their number"
    return True, f"The outermost loop of {count} nest{'s' if count > 1 else ''} runs in parallel; {how}.{_then(why)}"


def _threads(writer: _Writer, option: Option) -> Answer:
    sizes = [value for value in option.values if isinstance(value, int)]
    if prod(sizes) > MOST_THREADS:
        shown = " × ".join(map(str, sizes))
        return False, f"A block has at most {MOST_THREADS:,} threads, and {shown} are {prod(sizes):,}."
    if prod(sizes) <= 1:
        return True, "One thread of a block: no loop runs in lanes."
    unit = "GPUThread" if writer.gpu else "CPUVector"
    why, count = "", 0
    for nest in writer.bands():
        lane = next(
            (loop for loop in reversed(nest.inner) if writer.keeps(loop) and loop not in _parallel(writer)), None
        )
        if lane is None:
            why = why or "Every loop of the tile adds up: none of them has independent iterations."
            continue
        moved = [*(loop for loop in nest.inner if loop != lane), lane]
        order = [f"reorder({', '.join(moved)})"] if moved != nest.inner else []
        refused = writer.try_commands(*order, *_in_registers(writer, lane), f"parallelize({lane}, {unit}, NoRaces)")
        if refused is not None:
            refused = writer.try_commands(*order, f"parallelize({lane}, {unit}, NoRaces)")
        if refused is None:
            count += 1
            nest.inner = moved
            writer.lanes.add(lane)
        why = why or refused or ""
    if not count:
        return False, why
    where = "the threads of a block" if writer.gpu else "vector lanes"
    return (
        True,
        f"The innermost independent loop of {count} nest{'s' if count > 1 else ''} runs in {where}.{_then(why)}",
    )


def _in_registers(writer: _Writer, lane: str) -> list[str]:
    """The sums of a tile's lanes in registers, where private memory is asked for."""
    asked = writer.options.get("usePrivateMemory")
    return [] if writer.gpu or asked is None or not _true(asked) else in_registers(writer, lane)


def _unroll(writer: _Writer, option: Option) -> Answer:
    most = option.values[0] if option.values and isinstance(option.values[0], int) else 1
    if most <= 1:
        return True, "Nothing is unrolled."
    why, count = "", 0
    for nest in writer.bands():
        loop = next((candidate for candidate in reversed(nest.inner) if candidate not in _parallel(writer)), None)
        if loop is None:
            continue
        refused = writer.try_commands(f"unroll({loop}, {most})")
        count += refused is None
        why = why or refused or ""
    if not count:
        return False, why or "No loop is left to unroll."
    return True, f"The innermost loop of {count} nest{'s' if count > 1 else ''} is unrolled {most} times.{_then(why)}"


def _private(writer: _Writer, option: Option) -> Answer:
    if not _true(option):
        return True, "Nothing is copied."
    if any(command.startswith("precompute") for command in writer.commands):
        return True, "Sums of a tile's lanes are in registers."
    return False, "No sum of this program goes into registers by itself: write precompute for the part that should."


def _map_shared(writer: _Writer, option: Option) -> Answer:
    if not _true(option):
        return True, "Nothing is copied."
    if writer.gpu:
        return False, "Copies into shared memory are written with precompute, for the part that is read again."
    return False, "A CPU has no memory of this kind: its caches hold what a tile reads again."


def _then(why: str) -> str:
    return f" Elsewhere it does not: {why}" if why else ""


def _true(option: Option) -> bool:
    return option.values == () or str(option.values[0]).lower() in ("true", "1")


def _parallel(writer: _Writer) -> set[str]:
    return {*writer.graph.parallel}


HOW: Mapping[str, Callable[[_Writer, Option], Answer]] = {
    "outerScheduleFusionStrategy": _fusion,
    "scheduleFusionStrategy": _fusion,
    "tile": _tile,
    "mapToBlocks": _blocks,
    "mapToThreads": _threads,
    "unroll": _unroll,
    "usePrivateMemory": _private,
    "useSharedMemory": _map_shared,
}
"""In the order in which they become commands."""

_BY_SIZES = "Fix sizes in the plan: they are then numbers in the loops."
_ISL = "Loops are not skewed here: each keeps the direction in which it was written."
LEFT: Mapping[str, str] = {
    "fixParametersBeforeScheduling": _BY_SIZES,
    "outerScheduleAllowSkewing": _ISL,
    "intraTileScheduleAllowSkewing": _ISL,
    "outerSchedulePositiveOrthant": _ISL,
    "intraTileSchedulePositiveOrthant": _ISL,
    "intraTileScheduleFusionStrategy": "Statements under one loop stay together inside its tiles; apart divides them.",
    "tileImperfectlyNested": "Loops are cut where they are directly inside one another.",
    "matchLibraryCalls": "Kernels are made whole, and call no library.",
    "useReadOnlyCache": "The compiler of the target chooses how operands are loaded.",
    "unrollCopyShared": "There are no copies into shared memory to unroll.",
    "maxSharedMemory": "How much memory workspaces take is shown, not set.",
    "privateDepth": "precompute says for which loops a copy is made.",
    "sharedDepth": "precompute says for which loops a copy is made.",
}
"""Options without a command, and what there is instead."""
