"""The canonical form of an Algorithm: defaults left out, keys sorted, so that equal documents have equal hashes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields

from heddle.algorithms.algorithm import Algorithm, KernelSpec, Parameters, Start

_DEFAULT = Parameters(rank=1)


def to_document(algorithm: Algorithm) -> dict[str, object]:
    """The algorithm as JSON values: version, name, rank and what is not the default. Parses back to an equal one."""
    document: dict[str, object] = {
        "version": algorithm.version,
        "algorithm": algorithm.algorithm,
        "parameters": _parameters(algorithm.parameters),
    }
    if algorithm.inputs:
        document["inputs"] = {name: dict(sorted(source.items())) for name, source in sorted(algorithm.inputs.items())}
    if algorithm.kernels:
        document["kernels"] = {role: _kernel(kernel) for role, kernel in sorted(algorithm.kernels.items())}
    if algorithm.threads is not None or algorithm.baselines:
        threads = {} if algorithm.threads is None else {"threads": algorithm.threads}
        document["run"] = {**({"baselines": list(algorithm.baselines)} if algorithm.baselines else {}), **threads}
    return document


def algorithm_hash(algorithm: Algorithm) -> str:
    """SHA-256 of the canonical document's JSON text, in hexadecimal."""
    text = json.dumps(to_document(algorithm), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _parameters(parameters: Parameters) -> dict[str, object]:
    entry: dict[str, object] = {"rank": parameters.rank}
    for field in fields(Parameters):
        value = getattr(parameters, field.name)
        if field.name == "rank" or value == getattr(_DEFAULT, field.name):
            continue
        match value:
            case Start():
                entry[field.name] = _start(value)
            case tuple():
                entry[field.name] = list(value)
            case float() if value.is_integer():
                entry[field.name] = int(value)
            case _:
                entry[field.name] = value
    return dict(sorted(entry.items()))


def _start(start: Start) -> dict[str, object]:
    if start.hash is not None:
        return {"hash": start.hash, "kind": start.kind}
    return {"kind": start.kind, **({"seed": start.seed} if start.seed else {})}


def _kernel(kernel: KernelSpec) -> dict[str, object]:
    entry: dict[str, object] = {} if kernel.method is None else {"method": kernel.method}
    if kernel.schedule:
        entry["schedule"] = list(kernel.schedule)
    if kernel.formats:
        entry["tensors"] = {name: {"format": text} for name, text in sorted(kernel.formats.items())}
    return entry
