"""The kernels of a decomposition, compiled and bound once: a sweep packs nothing, and factors change in place."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.choose import Choice
from heddle.algorithms.roles import FACTORS, PARTIAL, TENSOR_NORM
from heddle.algorithms.tensor_input import Input
from heddle.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Products:
    """By mode: ``calls``, of roles with these ``names``, compute what ``results`` holds afterwards, from the factors
    that they were bound to. ``first`` are the partial products, by the names of their roles, that must be made before:
    those of a tree that no mode before this one needs. ``nodes`` are where these are, a row for each coordinate.
    ``packing`` are the seconds that all stored copies of the tensor took."""

    names: Mapping[int, str]
    calls: Mapping[int, BoundCall]
    results: Mapping[int, Array]
    first: Mapping[int, tuple[tuple[str, BoundCall], ...]]
    nodes: Mapping[tuple[int, ...], Array]
    norm2: float
    ratios: Mapping[int, BoundCall]
    scalars: Mapping[str, BoundCall]
    packing: float

    def scalar(self, name: str) -> float:
        """The number that a role computes from the factors as they are now."""
        call = self.scalars[name]
        call.run()
        return float(call.output.item().real)


def bound(
    chosen: Mapping[str, Choice],
    tensor_input: Input,
    factors: list[Array],
    derived: Mapping[str, Input],
    builders: Executor,
) -> Products:
    """Kernels of all roles on ``tensor_input``, or on what is ``derived`` of it for them; each format that occurs is
    packed once, while ``builders`` have C compilers at work.

    Raises
    ------
    CompileError
        ``runtime/no-c-compiler``, ``runtime/too-large``, ``runtime/out-of-memory``.
    """
    stored: dict[str, Tensor] = {}
    names: dict[int, str] = {}
    calls: dict[int, BoundCall] = {}
    results: dict[int, Array] = {}
    first: dict[int, tuple[tuple[str, BoundCall], ...]] = {}
    waiting: list[tuple[str, BoundCall]] = []
    nodes: dict[tuple[int, ...], Array] = {}
    norm2, packing, rank = 0.0, 0.0, int(factors[0].shape[1])
    scalars: dict[str, BoundCall] = {}
    ratios: dict[int, BoundCall] = {}
    kernels: dict[str, Future[Kernel]] = {
        name: builders.submit(Kernel, choice.result) for name, choice in chosen.items()
    }
    # Ratios come first: products read their values.
    for name, choice in sorted(chosen.items(), key=lambda entry: not entry[1].role.valued):
        role, text = choice.role, choice.kernel.formats.get("X", "dense")
        before = perf_counter()
        if not role.original:
            tensor = _pack(derived[name], text)
        else:
            tensor = stored[text] if text in stored else stored.setdefault(text, _pack(tensor_input, text))
        packing += perf_counter() - before
        kernel = kernels[name].result()
        if role.mode in ratios:
            tensor = _as_read(ratios[role.mode].output, text, name)
        if name == TENSOR_NORM:
            norm2 = float(kernel(X=tensor).item().real)
            continue
        operands = {FACTORS[mode]: factors[mode] for mode in role.operands}
        if role.source is not None:
            operands[PARTIAL] = nodes[role.source]
        call = kernel.bind(X=tensor, **operands)
        for letter, memory in operands.items():
            if not np.shares_memory(call.operands[letter].vals, memory):
                raise InternalError(f"{name} reads a copy of {letter}, which would never change")
        if role.row is None and role.mode is None:
            scalars[name] = call
            continue
        if role.valued:
            assert role.mode is not None
            call.run()
            ratios[role.mode] = call
            continue
        product = call.output.vals.reshape(-1, rank)
        if role.node is not None:
            nodes[role.node] = product
            waiting.append((name, call))
            continue
        assert role.mode is not None
        names[role.mode], calls[role.mode], results[role.mode] = name, call, product
        first[role.mode], waiting = tuple(waiting), []
    return Products(names, calls, results, first, nodes, norm2, ratios, scalars, packing)


def _as_read(ratio: Tensor, text: str, name: str) -> Tensor:
    """The ratio, where the product is for its format.

    Raises
    ------
    CompileError
        ``algorithm/ratio-format``.
    """
    if ratio.format == parse_format(text, len(ratio.shape), "X"):
        return ratio
    stored = format_text(ratio.format)
    raise CompileError(
        Diagnostic(
            "algorithm/ratio-format",
            f"{name} reads X as {text}, but what it reads is the result of the ratio, which is stored as {stored}.",
            Location(Part.PLAN, path=f"/kernels/{name}/tensors/X/format"),
            expected=stored,
            actual=text,
            hint="Pin both with the same format, or only one of them.",
        )
    )


def _pack(tensor: Input, text: str) -> Tensor:
    # Not a snapshot: copies for several modes share the entries, which nobody writes while kernels run.
    return pack((tensor.entries.columns, tensor.entries.values, tensor.shape), text, "float64", "X", copy=False)
