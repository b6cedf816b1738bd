"""Algorithm documents from anywhere: read strictly, with every problem reported and nothing ignored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from math import sqrt

import numpy as np

from heddle.algorithms.algorithm import (
    ALGORITHMS,
    LEAST_ORDER,
    MAX_ORDER,
    MAX_RANK,
    MAX_REUSE,
    MAX_SWEEPS,
    OPPONENTS,
    OWN_PARAMETERS,
    SOLVERS,
    STARTS,
    VERSION,
    Algorithm,
    Parameters,
    Start,
)
from heddle.algorithms.dense.fit import EPSILON, resolution
from heddle.algorithms.document.kernels_reader import MAX_KERNELS, known_keys, read_kernels
from heddle.algorithms.tree import BEST, NONE, parse_tree
from heddle.diagnostics import CompileError, nearest
from heddle.plan.inputs import read_input
from heddle.plan.limits import MAX_THREADS
from heddle.plan.reader import Reader, child, describe
from heddle.targets import TARGET_NAMES

KEYS = ("version", "algorithm", "inputs", "parameters", "kernels", "dtype", "target", "run")
PARAMETERS = tuple(field.name for field in fields(Parameters))
MAX_INNER = 1000
DTYPE, TARGET = "float64", "c"
LARGEST_SEED = 2**53
LARGEST_MEMORY = 2**50
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


def parse_algorithm(document: object) -> Algorithm:
    """The Algorithm that a JSON document spells.

    Raises CompileError with every problem of the document, each with a JSON pointer. Whether modes and roles fit the
    tensor is asked where its order is known (:func:`heddle.algorithms.resolve.resolved`).
    """
    reader = Reader()
    entries = reader.entries(document, "", MAX_KERNELS)
    reader.finish()
    if entries.get("version", VERSION) != VERSION or isinstance(entries.get("version"), bool):
        actual = describe(entries["version"])
        message = f"this Heddle reads algorithms of version {VERSION}, found {actual}"
        reader.problem("algorithm/version", message, "/version", expected=str(VERSION), actual=actual)
        reader.finish()
    known_keys(reader, entries, "", KEYS, "an algorithm")
    name = _name(reader, entries.get("algorithm"))
    _check_parameter_owners(reader, name, entries.get("parameters"))
    algorithm = Algorithm(
        algorithm=name,
        parameters=_parameters(reader, entries.get("parameters", {})),
        inputs=_inputs(reader, entries.get("inputs", {})),
        kernels=read_kernels(reader, entries.get("kernels", {})),
        threads=_threads(reader, entries.get("run", {})),
        baselines=_baselines(reader, name, entries.get("run", {})),
    )
    _dtype(reader, entries.get("dtype", DTYPE), algorithm.parameters.tolerance)
    _target(reader, entries.get("target", TARGET))
    reader.finish()
    return algorithm


def _name(reader: Reader, value: object) -> str:
    if value in ALGORITHMS:
        return str(value)
    known, actual = ", ".join(ALGORITHMS), describe(value)
    reader.problem(
        "algorithm/unknown",
        f"there is no algorithm {actual if value is not None else 'without a name'}. Known are {known}.",
        "/algorithm",
        expected=known,
        actual=actual,
        candidates=(nearest(value, ALGORITHMS) if isinstance(value, str) else ()) or ALGORITHMS,
    )
    return ALGORITHMS[0]


def _dtype(reader: Reader, value: object, tolerance: float) -> None:
    if value != "float32":
        reader.choice(value, "/dtype", (DTYPE,))
        return
    seen = sqrt(resolution(1) * float(np.finfo(np.float32).eps) / EPSILON)
    message = (
        f"decompositions compute in float64, found float32, for which fits near 1 that differ by less than {seen:.0e} "
        f"are the same; the tolerance is {tolerance:g}"
    )
    hint = "Leave dtype out. Values of X that are float32 are converted."
    reader.problem("algorithm/dtype", message, "/dtype", expected=DTYPE, actual="float32", hint=hint)


def _target(reader: Reader, value: object) -> None:
    if value == TARGET or value not in TARGET_NAMES:
        reader.choice(value, "/target", (TARGET,))
        return
    message = f"decompositions run their kernels as {TARGET}, on CPUs, found {value}"
    hint = "Leave target out. A role opens as a plan of its own, whose target may be another."
    reader.problem("algorithm/target", message, "/target", expected=TARGET, actual=str(value), hint=hint)


def _check_parameter_owners(reader: Reader, name: str, parameters: object) -> None:
    """Notes parameters that another algorithm has, but not this one."""
    for key in parameters if isinstance(parameters, Mapping) else ():
        owners = OWN_PARAMETERS.get(key, (name,)) if isinstance(key, str) else (name,)
        if name not in owners:
            reader.problem(
                "algorithm/parameter",
                f"{name} has no parameter {key}; it is one of {' and '.join(owners)}",
                child("/parameters", key),
                expected=f"a parameter of {name}",
                actual=key,
            )


def _parameters(reader: Reader, value: object) -> Parameters:
    path = "/parameters"
    entries = reader.entries(value, path, MAX_KERNELS)
    known_keys(reader, entries, path, PARAMETERS, "parameters")
    default = Parameters(rank=1)
    read = {name: entries.get(name, getattr(default, name)) for name in PARAMETERS}
    update = _modes(reader, entries.get("update"), f"{path}/update")
    if update == ():
        message = "update names no mode, so nothing would change. Name at least one, or leave update out for all."
        reader.problem("algorithm/nothing-to-update", message, f"{path}/update", expected="at least one mode")
    return Parameters(
        rank=_whole(reader, "algorithm/rank", entries.get("rank"), f"{path}/rank", 1, MAX_RANK, "rank"),
        sweeps=_whole(reader, "algorithm/sweeps", read["sweeps"], f"{path}/sweeps", 1, MAX_SWEEPS, "sweeps"),
        tolerance=_number(reader, "algorithm/tolerance", read["tolerance"], f"{path}/tolerance", "tolerance"),
        seconds=None
        if read["seconds"] is None
        else _number(reader, "algorithm/seconds", read["seconds"], f"{path}/seconds", "seconds"),
        start=_start(reader, entries.get("start", {})),
        order=_modes(reader, entries.get("order"), f"{path}/order"),
        update=update,
        solver=reader.choice(read["solver"], f"{path}/solver", SOLVERS) or default.solver,
        ridge=_number(reader, "algorithm/ridge", read["ridge"], f"{path}/ridge", "ridge"),
        reuse=_reuse(reader, read["reuse"]),
        reproducible=_flag(reader, read["reproducible"], f"{path}/reproducible"),
        signs=_flag(reader, read["signs"], f"{path}/signs"),
        inner=_whole(reader, "algorithm/inner", read["inner"], f"{path}/inner", 1, MAX_INNER, "inner"),
        memory=None if read["memory"] is None else reader.integer(read["memory"], f"{path}/memory", 0, LARGEST_MEMORY),
    )


def _whole(reader: Reader, code: str, value: object, path: str, least: int, most: int, what: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    expected = f"a whole number from {least} to {most}"
    actual = "nothing" if value is None else describe(value)
    reader.problem(code, f"{what} must be {expected}, found {actual}", path, expected=expected, actual=actual)
    return least


_LARGEST = 1e308


def _number(reader: Reader, code: str, value: object, path: str, what: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LARGEST:
        return float(value)
    expected, actual = "a number that is 0 or more", describe(value)
    reader.problem(code, f"{what} must be {expected}, found {actual}", path, expected=expected, actual=actual)
    return 0.0


def _flag(reader: Reader, value: object, path: str) -> bool:
    if isinstance(value, bool):
        return value
    reader.wrong_type(value, path, "true or false")
    return True


def _modes(reader: Reader, value: object, path: str) -> tuple[int, ...] | None:
    if value is None:
        return None
    modes = [
        reader.integer(mode, child(path, place), 0, MAX_ORDER - 1)
        for place, mode in enumerate(reader.elements(value, path, MAX_ORDER, "modes"))
    ]
    return tuple(mode for mode in modes if mode is not None)


def _start(reader: Reader, value: object) -> Start:
    path = "/parameters/start"
    entries = reader.entries({"kind": value} if isinstance(value, str) else value, path, 8)
    known_keys(reader, entries, path, ("kind", "seed", "hash"), "start")
    kind = reader.choice(entries.get("kind", STARTS[0]), f"{path}/kind", STARTS) or STARTS[0]
    if kind != "given":
        seed = reader.integer(entries.get("seed", 0), f"{path}/seed", 0, LARGEST_SEED)
        if "hash" in entries:
            message = f"a start that is drawn ({kind}) has no hash"
            reader.problem("algorithm/start", message, f"{path}/hash", expected="a seed", actual="a hash")
        return Start(kind, seed or 0)
    named = entries.get("hash")
    if isinstance(named, str) and _HASH.fullmatch(named):
        return Start(kind, hash=named)
    expected, actual = "sha256: and 64 hexadecimal digits", describe(named)
    message = f"a start that is given is named by its hash: {expected}, found {actual}"
    reader.problem("algorithm/start", message, f"{path}/hash", expected=expected, actual=actual)
    return Start()


def _reuse(reader: Reader, value: object) -> str:
    text = reader.text(value, "/parameters/reuse", MAX_REUSE)
    if text in (None, NONE, BEST):
        return text or NONE
    try:
        return str(parse_tree(text))
    except CompileError as error:
        reader.diagnostics += error.diagnostics
    return NONE


def _inputs(reader: Reader, value: object) -> dict[str, dict[str, object]]:
    entries = reader.entries(value, "/inputs", 4)
    known_keys(reader, entries, "/inputs", ("X",), "inputs")
    return {"X": read_input(reader, entries["X"], "/inputs/X")} if "X" in entries else {}


def _threads(reader: Reader, value: object) -> int | None:
    entries = reader.entries(value, "/run", 4)
    known_keys(reader, entries, "/run", ("baselines", "threads"), "run")
    threads = entries.get("threads")
    return None if threads is None else reader.integer(threads, "/run/threads", 1, MAX_THREADS)


def _baselines(reader: Reader, name: str, value: object) -> tuple[str, ...]:
    """Each once, in the order in which it is named."""
    names = value.get("baselines", []) if isinstance(value, Mapping) else []
    opponents: dict[str, None] = {}
    for place, element in enumerate(reader.elements(names, "/run/baselines", len(OPPONENTS), "baselines")):
        chosen = reader.choice(element, child("/run/baselines", place), OPPONENTS)
        if chosen is not None:
            opponents[chosen] = None
    if opponents and name != "cp-als":
        message = f"{' and '.join(opponents)} are compared with cp-als alone, found {name}"
        reader.problem("algorithm/baselines", message, "/run/baselines", expected="no baselines", actual=name)
    return tuple(opponents)


def order_is_possible(order: int) -> bool:
    """Whether a tensor of so many dimensions can be decomposed."""
    return LEAST_ORDER <= order <= MAX_ORDER
