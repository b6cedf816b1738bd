"""A decomposition as a run: records of its sweeps while it goes on, checkpoints, and its result.

Lines beside those of ``heddle_server.worker.child``: ``sweeps`` with ``records``, and ``checkpoint`` with ``state``, as
base64, and all ``records`` so far. From the last checkpoint, as ``job["checkpoint"]``, another process goes on to the
same bits.
"""

from __future__ import annotations

import base64
import io
import select
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from heddle.algorithms.algorithm import Algorithm
from heddle.algorithms.decompose import AlgorithmRun, Decomposition
from heddle.algorithms.document.canonical import algorithm_hash
from heddle.algorithms.follow import SECONDS, follow
from heddle.algorithms.history import Sweep
from heddle.algorithms.start import start_factors
from heddle.algorithms.state import State
from heddle_server.decomposition_baselines.compare import opponents_of
from heddle_server.engine.machine import machine_facts
from heddle_server.worker.decomposition.first_calls import check_first_calls
from heddle_server.worker.decomposition.roles import role_record, trees_of
from heddle_server.worker.decomposition.strips import strips_of
from heddle_server.worker.decomposition.tensor import tensor_of

if TYPE_CHECKING:
    from heddle_server.schema.decomposition import DecompositionResult, OpponentRecord, SweepRecord

Write = Callable[[dict[str, Any]], None]

BATCH_SECONDS = 0.2
LARGEST_CHECKPOINT = 8 << 20
"""Bytes; a larger decomposition starts anew where its worker is lost."""
LARGEST_MODEL = 32 << 20
OPPONENT_SECONDS = 30.0
"""That other programs may take together."""
SHARE_OF_TIME = 0.9
"""Of what a run may take: then it ends behind its sweep and keeps what is there."""


class Follower:
    """Says what happens: records in batches, none left out, and how far it is."""

    def __init__(self, write: Write, sweeps: int, before: list[SweepRecord]) -> None:
        self.records = before
        self._write, self._sweeps, self._told, self._next = write, sweeps, len(before), 0.0

    def take(self, sweep: Sweep) -> None:
        self.records.append(sweep.to_json())  # type: ignore[arg-type]
        if time.monotonic() >= self._next:
            self.tell()

    def tell(self) -> None:
        self._next = time.monotonic() + BATCH_SECONDS
        if news := self.records[self._told :]:
            self._told = len(self.records)
            message = f"Sweep {news[-1]['sweep']}: fit {news[-1]['fit']:.6f}"
            fraction = round(min(1.0, news[-1]["sweep"] / self._sweeps), 3)
            self._write({"event": "progress", "phase": "sweeps", "fraction": fraction, "message": message})
            self._write({"event": "sweeps", "records": news})

    def checkpoint(self, state: bytes) -> None:
        self.tell()
        if len(state) <= LARGEST_CHECKPOINT:
            state_text = base64.b64encode(state).decode()
            self._write({"event": "checkpoint", "state": state_text, "records": self.records})


def decompose(algorithm: Algorithm, job: dict[str, Any], threads: int, write: Write) -> DecompositionResult:
    """Runs the algorithm of the job's ``plan``.

    Raises
    ------
    CompileError
        the document or its tensor are at fault. InternalError: Heddle is.
    """
    began = time.monotonic()
    write({"event": "progress", "phase": "inputs", "fraction": 0.0, "message": "Reading or making the tensor"})
    tensor = tensor_of(algorithm, job.get("datasets", {}))
    checkpoint = job.get("checkpoint")
    resume = State.from_bytes(base64.b64decode(checkpoint["state"])) if checkpoint else None
    write({"event": "progress", "phase": "compile", "fraction": 0.0, "message": "Choosing and building the kernels"})
    run = AlgorithmRun(algorithm, tensor, resume=resume)
    write({"event": "progress", "phase": "verify", "fraction": 0.0, "message": "Comparing each kernel with NumPy"})
    checked = check_first_calls(run)
    follower = Follower(write, algorithm.parameters.sweeps, list(checkpoint["records"]) if checkpoint else [])
    until = began + SHARE_OF_TIME * job["seconds"] if "seconds" in job else None
    out_of_time = False

    def stop() -> bool:
        nonlocal out_of_time
        if not follower.records:
            return False  # There is nothing to keep before the first sweep.
        out_of_time = until is not None and time.monotonic() > until
        return out_of_time or asked_to_stop(job)

    every = float(job.get("checkpoint_seconds", SECONDS))
    decomposition = follow(run, sweep=follower.take, stop=stop, checkpoint=follower.checkpoint, every=every)
    follower.tell()
    opponents: list[OpponentRecord] = []
    if algorithm.baselines:
        write({"event": "progress", "phase": "baselines", "fraction": 1.0, "message": "Running the other programs"})
        start = start_factors(algorithm, run.input, None, None)
        left = min(OPPONENT_SECONDS, until - time.monotonic()) if until is not None else OPPONENT_SECONDS
        opponents = opponents_of(algorithm, run.input, start, len(follower.records), left)
    result = {
        "verification": checked,
        "history": follower.records,
        "stopped": "time" if out_of_time and decomposition.stopped == "asked" else decomposition.stopped,
        "resumed_from": resume.sweeps if resume is not None else None,
        "fit": decomposition.fit,
        "weights": decomposition.weights.tolist(),
        "document": decomposition.document,
        "hash": algorithm_hash(run.algorithm),
        "roles": [role_record(run.plan, name) for name in run.choices],
        "input": {"shape": list(run.input.shape), "nnz": run.input.stored, "summed": run.input.summed},
        "preparation_seconds": decomposition.preparation,
        "packing_seconds": run.products.packing,
        "model": model_of(decomposition),
        "strips": strips_of(decomposition.kruskal),
        "state": state_of(decomposition),
        "trees": trees_of(run.plan),
        "opponents": opponents,
        "threads": threads,
        "machine": machine_facts(None),
        "sandbox": {},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return cast("DecompositionResult", result)


def asked_to_stop(job: dict[str, Any]) -> bool:
    """``stop`` says that it was asked for before; ``stop_descriptor`` is readable once it is."""
    descriptor = job.get("stop_descriptor")
    return bool(job.get("stop")) or (descriptor is not None and bool(select.select([descriptor], [], [], 0)[0]))


def state_of(decomposition: Decomposition) -> dict[str, Any]:
    """Where it ended as bytes, in base64, for whoever wants more sweeps."""
    content = decomposition.state.to_bytes()
    if len(content) > LARGEST_CHECKPOINT:
        reason = f"Its state has {len(content):,} bytes, and {LARGEST_CHECKPOINT:,} are kept of a run."
        return {"artifact": None, "bytes": len(content), "reason": reason}
    return {"data": base64.b64encode(content).decode(), "bytes": len(content)}


def model_of(decomposition: Decomposition) -> dict[str, Any]:
    """The Kruskal tensor as the bytes of an ``.npz`` file, in base64: ``weights`` and ``factor_0``, ``factor_1``, …"""
    size = decomposition.weights.nbytes + sum(factor.nbytes for factor in decomposition.factors)
    if size > LARGEST_MODEL:
        reason = f"The factors have {size:,} bytes, and {LARGEST_MODEL:,} are kept of a run."
        return {"artifact": None, "bytes": size, "reason": reason}
    file = io.BytesIO()
    factors: dict[str, Any] = {f"factor_{mode}": factor for mode, factor in enumerate(decomposition.factors)}
    np.savez(file, weights=decomposition.weights, **factors)
    return {"data": base64.b64encode(file.getvalue()).decode(), "bytes": len(file.getvalue())}
