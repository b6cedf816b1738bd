"""What a GPU needs of a kernel: the functions that run there, how each is launched, and the text of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from heddle.loop_ir.analysis.launch_shape import LaunchShape
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    CombineRuns,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Insert,
    Load,
    Search,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.printing.source_text import SourceText
from heddle.loop_ir.walk import declared_names, expressions, statements, subexpressions


class WarpForm(StrEnum):
    """How the lanes of a warp exchange values. SHUFFLES: CUDA. SUB_GROUPS: OpenCL, with shuffles within a sub-group of
    32 work-items. LOCAL_MEMORY: OpenCL on a device without sub-groups; a work-group is then one warp, unless the block
    synchronises as a whole."""

    SHUFFLES = "shuffles"
    SUB_GROUPS = "sub-groups"
    LOCAL_MEMORY = "local memory"


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a device function: an array in the device's memory, or a scalar that the host passes by value, an
    index of loop IR perhaps in 32 bits."""

    name: str
    dtype: str
    array: Array | None = None


@dataclass(frozen=True, slots=True)
class DeviceKernel:
    """One launch of the loop over blocks ``loop``: ``groups`` groups of ``threads`` threads for each of its
    iterations (one CUDA block or OpenCL work-group; one for each warp where a warp is a work-group). ``short`` are its
    index scalars of 32 bits, see :mod:`heddle.codegen.device.short_indices`; None: its indices have 64."""

    name: str
    loop: For
    arguments: tuple[Argument, ...]
    shape: LaunchShape
    threads: int
    groups: int
    short: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class DeviceProgram:
    """``kernels`` in the order of the loops over blocks in the body of ``function``, which is what the host does.
    ``short``: the text is that with indices of 32 bits."""

    function: Function
    source: SourceText
    kernels: tuple[DeviceKernel, ...]
    form: WarpForm
    short: bool


def capture(loop: For, function: Function, short: frozenset[str] | None) -> tuple[Argument, ...]:
    """What ``loop`` uses of the function's parameters and of what the host declared, in the order of their declaration.

    Bounds of the loop itself count: its lower bound is where the first block starts. Indices in ``short`` have 32 bits.
    """
    used = set(_find_used_names(loop)) - {name for statement in statements(loop) for name in declared_names(statement)}
    declared = [Argument(parameter.name, parameter.dtype, parameter.array) for parameter in function.parameters]
    for statement in function.body.statements:
        match statement:
            case Declare(name=name, dtype=dtype):
                declared.append(Argument(name, dtype))
            case Search(name=name):
                declared.append(Argument(name, INDEX))
            case Allocate(array=array):
                declared.append(Argument(array.name, array.dtype, array))
            case _:
                pass
    return tuple(
        replace(argument, dtype="int32") if argument.dtype == INDEX and argument.name in (short or ()) else argument
        for argument in declared
        if argument.name in used
    )


def _find_used_names(loop: For) -> Iterator[str]:
    for statement in statements(loop):
        yield from _arrays(statement)
        roots: tuple[Expr, ...] = (loop.lower,) if statement is loop else expressions(statement)
        for root in roots:
            for part in subexpressions(root):
                match part:
                    case Var(name=name):
                        yield name
                    case Load(array=array):
                        yield array.name
                    case _:
                        pass


def _arrays(statement: Stmt) -> tuple[str, ...]:
    match statement:
        case Store(array=array) | Search(array=array) | Fill(array=array):
            return (array.name,)
        case Insert(keys=array):
            return (array.name,)
        case CombineRuns(key=key):
            return (key,)
        case _:
            return ()
