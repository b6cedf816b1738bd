"""Where a decomposition stands: from a state it goes on as if it had never stopped, to the bit."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import Diagnostic, Location, OperandError, Part

__all__ = ["State"]

Array = NDArray[Any]
MAGIC = b"heddle-als-1\n"
LARGEST_HEADER = 1 << 20


@dataclass(frozen=True, eq=False)
class State:
    """After ``sweeps`` sweeps: ``weights`` and ``factors`` as they are between two sweeps, the last ``fit``, and the
    hash of the ``tensor`` that they belong to. ``more`` are arrays of float64 that the ``algorithm`` remembers beside
    them, by name, for the ``modes`` that it updates, in this order; None in files that do not say which."""

    sweeps: int
    fit: float
    weights: Array
    factors: tuple[Array, ...]
    tensor: str
    algorithm: str = "cp-als"
    more: Mapping[str, Array] = field(default_factory=dict)
    modes: tuple[int, ...] | None = None

    def save(self, path: str | Path) -> None:
        """Writes :meth:`to_bytes` to a file."""
        Path(path).write_bytes(self.to_bytes())

    def to_bytes(self) -> bytes:
        """A header as JSON and the arrays, little-endian; no pickle."""
        header = {
            "sweeps": self.sweeps,
            "fit": self.fit.hex(),
            "tensor": self.tensor,
            "shape": [factor.shape[0] for factor in self.factors],
            "rank": int(self.weights.size),
            "algorithm": self.algorithm,
            "more": {name: list(array.shape) for name, array in self.more.items()},
            "modes": None if self.modes is None else list(self.modes),
        }
        text = json.dumps(header).encode()
        arrays = (self.weights, *self.factors, *self.more.values())
        parts = [np.ascontiguousarray(array, dtype="<f8").tobytes() for array in arrays]
        return b"".join([MAGIC, struct.pack("<q", len(text)), text, *parts])

    @staticmethod
    def load(path: str | Path) -> State:
        """What :meth:`save` wrote.

        Raises
        ------
        CompileError
            ``algorithm/state`` for a file that is no state, or not all of one.
        """
        return State.from_bytes(Path(path).read_bytes())

    @staticmethod
    def from_bytes(content: bytes) -> State:
        """What :meth:`to_bytes` gave.

        Raises
        ------
        CompileError
            ``algorithm/state``, as :meth:`load`.
        """
        begin = len(MAGIC) + 8
        if content[: len(MAGIC)] != MAGIC or len(content) < begin:
            raise _malformed_error("it does not begin as one")
        (length,) = struct.unpack("<q", content[len(MAGIC) : begin])
        if not 0 < length <= min(LARGEST_HEADER, len(content) - begin):
            raise _malformed_error("its header is cut off")
        try:
            header = json.loads(content[begin : begin + length])
            shape, rank = [int(size) for size in header["shape"]], int(header["rank"])
            sweeps, fit, tensor = int(header["sweeps"]), float.fromhex(header["fit"]), str(header["tensor"])
            algorithm = str(header.get("algorithm", "cp-als"))
            more = {str(name): tuple(map(int, sizes)) for name, sizes in header.get("more", {}).items()}
            modes = None if header.get("modes") is None else tuple(map(int, header["modes"]))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise _malformed_error("its header cannot be read") from None
        counts = [rank, *(size * rank for size in shape), *map(prod, more.values())]
        wanted = begin + length + 8 * sum(counts)
        if rank < 1 or min(shape, default=0) < 1 or min(counts) < 0 or len(content) != wanted:
            raise _malformed_error(f"it has {len(content):,} bytes, its header says {wanted:,}")
        arrays = np.split(
            np.frombuffer(content, "<f8", offset=begin + length).astype(np.float64), np.cumsum(counts)[:-1]
        )
        factors = tuple(array.reshape(size, rank) for array, size in zip(arrays[1:], shape, strict=False))
        if sweeps < 0 or not isfinite(fit) or not all(np.isfinite(array).all() for array in arrays):
            raise _malformed_error("it has numbers that no decomposition comes to")
        beside = zip(more.items(), arrays[1 + len(shape) :], strict=True)
        return State(
            sweeps, fit, arrays[0], factors, tensor, algorithm,
            {name: array.reshape(shape) for (name, shape), array in beside}, modes,
        )  # fmt: skip

    def require(self, shape: Sequence[int], rank: int, tensor: str, algorithm: str = "cp-als") -> None:
        """Raises CompileError ``algorithm/resume`` where the state belongs to another algorithm, tensor or rank."""
        if self.algorithm != algorithm:
            message = f"The state is of {self.algorithm}; this decomposition is by {algorithm}."
            raise _refusal(message, algorithm, self.algorithm)
        row_counts = tuple(factor.shape[0] for factor in self.factors)
        if row_counts != tuple(shape) or self.weights.size != rank:
            message = (
                f"The state is of shape {row_counts} and rank {self.weights.size}; "
                f"this decomposition is of shape {tuple(shape)} and rank {rank}."
            )
            raise _refusal(
                message, f"shape {tuple(shape)}, rank {rank}", f"shape {row_counts}, rank {self.weights.size}"
            )
        if self.tensor != tensor:
            message = f"The state belongs to another tensor: it was saved for {self.tensor}, and X is {tensor}."
            raise _refusal(message, self.tensor, tensor)

    def require_sweeps(self, most: int) -> None:
        """Raises CompileError ``algorithm/resume`` where more than ``most`` sweeps were made already."""
        if self.sweeps > most:
            message = f"The state is of {self.sweeps} sweeps; this decomposition ends after {most}."
            raise _refusal(
                message, f"{self.sweeps} sweeps or more", str(most), "Ask for more: sweeps counts from the beginning."
            )

    def require_remembered(self, modes: Sequence[int], shapes: Mapping[str, tuple[int, ...]]) -> None:
        """That :attr:`more` is what an algorithm remembers of these ``modes``: arrays of these ``shapes``.

        Raises
        ------
        CompileError
            ``algorithm/resume`` where it is of other modes, or of the same in another order; ``algorithm/state`` where
            it is not what this algorithm saves.
        """
        if self.modes != tuple(modes):
            actual = (
                "does not say which modes it updates" if self.modes is None else f"updates {_list_modes(self.modes)}"
            )
            message = (
                f"The state {actual}; this decomposition updates {_list_modes(modes)}, and {self.algorithm} remembers "
                "more than factors of each mode, in their order."
            )
            wanted = _list_modes(self.modes) if self.modes is not None else "a state that says its modes"
            hint = "Resume with the same update and order, or start anew from its factors: start=state.factors."
            raise _refusal(message, wanted, _list_modes(modes), hint)
        if {name: array.shape for name, array in self.more.items()} != dict(shapes):
            raise _malformed_error(f"what it remembers beside factors is not what {self.algorithm} saves")


SAME_TENSOR = "Resume with the tensor that the state was made for, or start anew from its factors: start=state.factors."


def _list_modes(modes: Sequence[int]) -> str:
    return f"mode{'s' if len(modes) != 1 else ''} {', '.join(map(str, modes))}"


def _refusal(message: str, expected: str, actual: str, hint: str = SAME_TENSOR) -> OperandError:
    location = Location(Part.INPUT, tensor="X")
    return OperandError(Diagnostic("algorithm/resume", message, location, expected=expected, actual=actual, hint=hint))


def _malformed_error(reason: str) -> OperandError:
    message = f"This file is not the state of a decomposition: {reason}."
    return OperandError(Diagnostic("algorithm/state", message, expected="a file that State.save wrote"))
