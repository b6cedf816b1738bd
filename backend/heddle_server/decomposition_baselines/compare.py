"""Opponents of a decomposition: each in a process of its own, from the same start, for at most as many sweeps."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.algorithm import Algorithm, Parameters
from heddle.algorithms.tensor_input import Input
from heddle_server.decomposition_baselines.programs import PROGRAMS, Program

if TYPE_CHECKING:
    from heddle_server.schema.decomposition import OpponentRecord

Array = NDArray[Any]
LEAST_SECONDS = 2.0
"""For the start of a process; with less left none is started."""
_NOTE = "Each of its sweeps is a call of its own, which goes on from the factors of the one before."


def opponents_of(
    algorithm: Algorithm, tensor: Input, start: Sequence[Array], sweeps: int, seconds: float
) -> list[OpponentRecord]:
    """A record for each baseline of the document, those that cannot take part with the reason. All together take about
    ``seconds`` at most."""
    records: list[OpponentRecord] = []
    for place, name in enumerate(algorithm.baselines):
        program = PROGRAMS[name]
        share = seconds / (len(algorithm.baselines) - place)
        other = _other_algorithm(algorithm.parameters, len(tensor.shape))
        if other is not None:
            record = _left_out(program, f"{program.label} {other}.")
        elif share < LEAST_SECONDS:
            record = _left_out(program, "The time that the run may take was over.")
        else:
            record = _sweep(program, tensor, start, sweeps, share)
        records.append(record)
        seconds -= sum(sweep["seconds"] for sweep in record["history"])
    return records


def _other_algorithm(parameters: Parameters, order: int) -> str | None:
    """What of the document the opponents do not do."""
    every = tuple(range(order))
    if parameters.ridge:
        return "adds no ridge to its systems"
    if (parameters.order or every) != every or (parameters.update or every) != every:
        return "updates all modes, in ascending order"
    return None


def _left_out(program: Program, reason: str) -> OpponentRecord:
    return {"id": program.name, "label": program.label, "version": "", "note": "", "reason": reason, "history": []}


def _sweep(program: Program, tensor: Input, start: Sequence[Array], sweeps: int, seconds: float) -> OpponentRecord:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.npz"
        columns: dict[str, Any] = {f"column_{mode}": column for mode, column in enumerate(tensor.entries.columns)}
        factors: dict[str, Any] = {f"factor_{mode}": np.asarray(factor) for mode, factor in enumerate(start)}
        np.savez(path, values=tensor.entries.values, shape=np.array(tensor.shape), **columns, **factors)
        command = [sys.executable, "-m", "heddle_server.decomposition_baselines.child", program.name, str(path)]
        try:
            ended = subprocess.run(
                [*command, str(sweeps), f"{seconds - LEAST_SECONDS / 2:g}"],
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as expired:
            out = expired.stdout or b""
            text = out.decode() if isinstance(out, bytes) else out
            return _read(program, text, f"{program.label} did not end its first sweep within {seconds:.0f} s.")
    last = (ended.stderr.strip().splitlines() or ["it said nothing"])[-1]
    return _read(program, ended.stdout, f"{program.label} failed: {last}.")


def _read(program: Program, text: str, otherwise: str) -> OpponentRecord:
    """What the process told; ``otherwise`` is the reason where it told of no sweep."""
    record = _left_out(program, "")
    for line in text.splitlines():
        try:
            told = json.loads(line)
        except ValueError:  # cut off with its process
            break
        if "reason" in told:
            return _left_out(program, told["reason"])
        if "version" in told:
            record["version"] = str(told["version"])
        elif "sweep" in told:
            record["history"].append({"sweep": told["sweep"], "fit": told["fit"], "seconds": told["seconds"]})
    if not record["history"]:
        return {**record, "reason": otherwise}
    return {**record, "reason": None, "note": _NOTE}
