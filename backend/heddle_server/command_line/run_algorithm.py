"""``heddle run algorithm.json``: a decomposition in this process, its sweeps on stderr and its result on stdout."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heddle.algorithms.algorithm import Algorithm
from heddle.algorithms.decompose import AlgorithmRun, Decomposition
from heddle.algorithms.document.canonical import algorithm_hash
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.history import Sweep
from heddle.cli.output import say_progress
from heddle_server.worker.decomposition.run import model_of
from heddle_server.worker.decomposition.tensor import tensor_of


def run_algorithm(algorithm: Algorithm, paths: Mapping[str, str], *, as_json: bool) -> int:
    """Prints the result on stdout and a line for each sweep on stderr. ``paths`` are the files of data sets by id.

    Raises
    ------
    CompileError
        for a tensor or a kernel that is not right.
    """
    if algorithm.threads is not None:
        os.environ["OMP_NUM_THREADS"] = str(algorithm.threads)  # read when the first kernel is loaded
    run = AlgorithmRun(algorithm, tensor_of(algorithm, paths))
    for sweep in run:
        say_progress(sweep_line(sweep))
    decomposition = run.finish()
    print(json.dumps(result_document(run, decomposition), indent=2) if as_json else result_text(decomposition))
    return 0


def replay_algorithm(
    algorithm: Algorithm, stored: Mapping[str, Any] | None, paths: Mapping[str, str], *, as_json: bool
) -> int:
    """Makes a stored decomposition again, as many sweeps as it has and with the very kernels, and compares the file of
    its factors by its hash; without one, runs the document. Returns 1 where they differ.

    Raises
    ------
    CompileError
        as :func:`run_algorithm`.
    """
    if stored is None:
        print("No result is stored with this document, so there is nothing to compare with.", file=sys.stderr)
        return run_algorithm(algorithm, paths, as_json=as_json)
    stored_algorithm = parse_algorithm(stored["document"])
    stored_algorithm = replace(
        stored_algorithm, parameters=replace(stored_algorithm.parameters, sweeps=len(stored["history"]), seconds=None)
    )
    run = AlgorithmRun(stored_algorithm, tensor_of(stored_algorithm, paths))
    for sweep in run:
        say_progress(sweep_line(sweep))
    decomposition = run.finish()
    data = model_of(decomposition).get("data")
    here = None if data is None else f"sha256:{hashlib.sha256(base64.b64decode(data)).hexdigest()}"
    there = stored["model"]["artifact"]
    same = here == there if here is not None and there is not None else decomposition.fit == stored["fit"]
    if as_json:
        document = result_document(run, decomposition)
        print(json.dumps({"stored": stored, "here": document, "artifact": here, "same": same}, indent=2))
    else:
        print(result_text(decomposition))
        print(f"there {there}\nhere  {here}\n{'The same to the bit.' if same else 'The factors differ.'}")
    return 0 if same else 1


def sweep_line(sweep: Sweep) -> str:
    """One sweep for a person at a shell."""
    least = "" if sweep.resolved else " at least"
    change = "" if sweep.change is None else f", change {sweep.change:.2e}"
    lines = [f"sweep {sweep.number}: fit{least} {sweep.fit:.8f}{change}, {1e3 * sweep.seconds:.2f} ms"]
    return "\n".join([*lines, *(f"  {event.text}" for event in sweep.events)])


def result_document(run: AlgorithmRun, decomposition: Decomposition) -> dict[str, Any]:
    """The whole result as JSON values."""
    return {
        "document": decomposition.document,
        "hash": algorithm_hash(run.algorithm),
        "stopped": decomposition.stopped,
        "fit": decomposition.fit,
        "weights": decomposition.weights.tolist(),
        "factors": [factor.tolist() for factor in decomposition.factors],
        "history": [sweep.to_json() for sweep in decomposition.history],
        "kernels": {
            name: {"method": choice.method, "reasons": list(choice.reasons), "bytes": choice.bytes}
            for name, choice in decomposition.choices.items()
        },
        "input": {"shape": list(run.input.shape), "nnz": run.input.stored, "summed": decomposition.summed},
        "preparation_seconds": decomposition.preparation,
    }


def result_text(decomposition: Decomposition) -> str:
    """The result for a person at a shell."""
    sweeps = decomposition.history[1:] or decomposition.history
    seconds = sum(sweep.seconds for sweep in sweeps) / len(sweeps)
    share = sum(time for sweep in sweeps for name, time in sweep.phases.items() if name.startswith("mttkrp."))
    lines = [
        f"fit {decomposition.fit:.8f} after {len(decomposition.history)} sweeps, stopped by {decomposition.stopped}",
        f"{1e3 * seconds:.2f} ms per sweep, of which MTTKRP {share / (seconds * len(sweeps)):.0%}",
        "weights " + " ".join(f"{weight:.4g}" for weight in decomposition.weights),
    ]
    if decomposition.summed:
        lines.append(f"{decomposition.summed} duplicate entries of X were added up")
    for name, choice in decomposition.choices.items():
        lines.append(f"{name}: {choice.kernel.formats.get('X', 'dense')}, {choice.method or 'as pinned'}")
        lines += [f"  {reason}" for reason in choice.reasons]
    return "\n".join(lines)
