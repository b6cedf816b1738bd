"""Where a decomposition stands: from a state it goes on as if it had never stopped, to the bit."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import CompileError, Diagnostic, Location, Part

Array = NDArray[Any]
MAGIC = b"heddle-als-1\n"
LARGEST_HEADER = 1 << 20


@dataclass(frozen=True, eq=False)
class State:
    """After ``sweeps`` sweeps: ``weights`` and ``factors`` as they are between two sweeps, the last ``fit``, and the
    hash of the ``tensor`` that they belong to."""

    sweeps: int
    fit: float
    weights: Array
    factors: tuple[Array, ...]
    tensor: str

    def save(self, path: str | Path) -> None:
        """Writes a header as JSON and the arrays, little-endian; no pickle."""
        header = {
            "sweeps": self.sweeps,
            "fit": self.fit.hex(),
            "tensor": self.tensor,
            "shape": [factor.shape[0] for factor in self.factors],
            "rank": int(self.weights.size),
        }
        text = json.dumps(header, sort_keys=True).encode()
        with Path(path).open("wb") as file:
            file.write(MAGIC + struct.pack("<q", len(text)) + text)
            for array in (self.weights, *self.factors):
                file.write(np.ascontiguousarray(array, dtype="<f8").tobytes())

    @staticmethod
    def load(path: str | Path) -> State:
        """What :meth:`save` wrote.

        Raises:
            CompileError: ``algorithm/state`` for a file that is no state, or not all of one.
        """
        content = Path(path).read_bytes()
        begin = len(MAGIC) + 8
        if content[: len(MAGIC)] != MAGIC or len(content) < begin:
            raise _malformed("it does not begin as one")
        (length,) = struct.unpack("<q", content[len(MAGIC) : begin])
        if not 0 < length <= min(LARGEST_HEADER, len(content) - begin):
            raise _malformed("its header is cut off")
        try:
            header = json.loads(content[begin : begin + length])
            shape, rank = [int(size) for size in header["shape"]], int(header["rank"])
            sweeps, fit, tensor = int(header["sweeps"]), float.fromhex(header["fit"]), str(header["tensor"])
        except (ValueError, KeyError, TypeError):
            raise _malformed("its header cannot be read") from None
        counts = [rank, *(size * rank for size in shape)]
        wanted = begin + length + 8 * sum(counts)
        if rank < 1 or min(shape, default=0) < 1 or len(content) != wanted:
            raise _malformed(f"it has {len(content):,} bytes, its header says {wanted:,}")
        arrays = np.split(
            np.frombuffer(content, "<f8", offset=begin + length).astype(np.float64), np.cumsum(counts)[:-1]
        )
        factors = tuple(array.reshape(size, rank) for array, size in zip(arrays[1:], shape, strict=True))
        return State(sweeps, fit, arrays[0], factors, tensor)

    def require(self, shape: Sequence[int], rank: int, tensor: str) -> None:
        """Raises CompileError ``algorithm/resume`` where the state belongs to another tensor or rank."""
        own = tuple(factor.shape[0] for factor in self.factors)
        if own != tuple(shape) or self.weights.size != rank:
            message = (
                f"The state is of shape {own} and rank {self.weights.size}; "
                f"this decomposition is of shape {tuple(shape)} and rank {rank}."
            )
            raise _refused(message, f"shape {tuple(shape)}, rank {rank}", f"shape {own}, rank {self.weights.size}")
        if self.tensor != tensor:
            message = f"The state belongs to another tensor: it was saved for {self.tensor}, and X is {tensor}."
            raise _refused(message, self.tensor, tensor)


def _refused(message: str, expected: str, found: str) -> CompileError:
    hint = "Resume with the tensor that the state was made for, or start anew from its factors: start=state.factors."
    location = Location(Part.INPUT, tensor="X")
    return CompileError(Diagnostic("algorithm/resume", message, location, expected=expected, found=found, hint=hint))


def _malformed(reason: str) -> CompileError:
    message = f"This file is no state of a decomposition: {reason}."
    return CompileError(Diagnostic("algorithm/state", message, expected="a file that State.save wrote"))
