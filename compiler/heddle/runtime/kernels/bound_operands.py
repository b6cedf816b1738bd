"""Operands of calls that are repeated: those whose new values the kernel would not see are refused, and what the caller
may have changed since is looked at before each run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.formats.printer import format_text
from heddle.runtime.packing.snapshot import is_in_place
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.interop.scipy_operands import is_scipy_sparse
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name
from heddle.signature import TensorSignature


def require_in_place(operand: object, packed: Tensor, signature: TensorSignature) -> None:
    """That a kernel which reads ``packed`` sees what is written into ``operand``, or that nobody can write there.

    Raises
    ------
    OperandError
        ``runtime/bound-copy``.
    """
    if packed is operand or packed.ownership is Ownership.SNAPSHOT or is_in_place(packed, operand):
        return
    raise _copy_error(signature.name, _difference(operand, signature), signature)


def require_unconverted(packed: Tensor, wanted: str, signature: TensorSignature) -> None:
    """That an operand which the kernel reads in the format ``wanted``, other than declared, is a snapshot.

    Raises
    ------
    OperandError
        ``runtime/bound-copy``.
    """
    if packed.ownership is not Ownership.SNAPSHOT:
        raise _copy_error(signature.name, f"the loops read it as {wanted}", signature)


def _copy_error(name: str, reason: str, signature: TensorSignature) -> OperandError:
    layout = format_text(signature.format) or "dense"
    return OperandError(
        Diagnostic(
            code="runtime/bound-copy",
            message=f"{name} would be copied when it is bound, because {reason}: a run would not see its new values.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"{signature.dtype} values that lie in memory as {layout}, or a packed tensor",
            actual=reason,
            hint=f'Bind {name}=hd.pack({name}, "{layout}", "{signature.dtype}") and replace it by call({name}=…) when '
            "its values change.",
        )
    )


def _difference(operand: Any, signature: TensorSignature) -> str:
    """Why the kernel cannot read an operand where it is."""
    dtype, layout = getattr(operand, "dtype", None), format_text(signature.format) or "dense"
    if isinstance(operand, list | tuple):
        return "it is a list" if isinstance(operand, list) else "it is given by coordinates"
    if isinstance(dtype, np.dtype) and dtype_name(dtype) != signature.dtype:
        return f"it holds {dtype_name(dtype)} values and the kernel computes with {signature.dtype}"
    if isinstance(operand, Tensor):
        return f"it holds {operand.dtype} values and the kernel computes with {signature.dtype}"
    if is_scipy_sparse(operand):
        if operand.format == layout and operand.format in ("csr", "csc"):
            if not _can_be_read_in_place(operand.data):
                return f"the elements of its data {_SCATTERED}"
            lines = "rows" if operand.format == "csr" else "columns"
            return f"its {lines} are not in ascending order, each coordinate once"
        return f"it is stored as SciPy's {operand.format} and the kernel reads {layout}"
    if not isinstance(operand, np.ndarray):
        return f"it is a {type(operand).__module__}.{type(operand).__qualname__}"
    if not signature.format.is_dense:
        return f"it is dense and the kernel reads {layout}"
    return f"its elements {_SCATTERED}"


_SCATTERED = "do not lie in memory one after the other in the kernel's order and in the machine's bytes"


def _can_be_read_in_place(values: Any) -> bool:
    """Whether a kernel can read the values of a matrix where they are."""
    array = np.asarray(values)
    return array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative


Guard = Callable[[], None]
"""Looks before a run at what the caller may have changed since the call was bound, and raises OperandError."""


def joined_guards(guards: list[Guard]) -> Guard | None:
    """All of them one after the other; None where there are none."""
    if len(guards) < 2:
        return guards[0] if guards else None

    def look() -> None:
        for guard in guards:
            guard()

    return look


def watched_entries(name: str, operand: Tensor) -> Guard:
    """That ``operand`` has as many entries as it has now: a result has got its coordinates."""
    ends = [(level.pos, level.pos.item(-1)) for level in operand.levels if level.pos is not None and level.pos.size]

    def look() -> None:
        for pos, count in ends:
            if pos.item(-1) != count:
                raise _pattern_changed(name, count, pos.item(-1))

    return look


def _pattern_changed(name: str, before: int, now: int) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/pattern-changed",
            message=f"{name} has {now:,} entries now and had {before:,} when it was bound; the result still has its "
            "coordinates of then.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"{before:,} entries",
            actual=f"{now:,}",
            hint=f"Values may change between runs. For other coordinates use call({name}=…), or bind again.",
        )
    )


def watched_sizes(before: list[tuple[str, Tensor, Any]]) -> Guard:
    """That tensors from whose values sizes follow have the values that they had ``before``."""

    def look() -> None:
        for name, tensor, value in before:
            now = tensor.item()
            if now != value:
                raise OperandError(
                    Diagnostic(
                        code="runtime/bound-sizes",
                        message=f"{name} is {now} and was {value} when it was bound, when sizes followed from it.",
                        location=Location(Part.INPUT, tensor=name),
                        expected=str(value),
                        actual=str(now),
                        hint=f"Use call({name}=…).",
                    )
                )

    return look
