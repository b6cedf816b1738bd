"""The process of one opponent: ``python -m heddle_server.decomposition_baselines.child NAME FILE SWEEPS SECONDS``.
FILE is an ``.npz`` with ``values``, ``shape``, and for each mode ``column_0`` and ``factor_0``, the start.

Lines: ``{"version"}``, one ``{"sweep", "fit", "seconds"}`` for each sweep, or ``{"reason"}`` where there can be none.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Any

import numpy as np

from heddle_server.decomposition_baselines.programs import PROGRAMS, missing
from heddle_server.engine.children.events import open_events


def main() -> None:
    """Ends without the ends of libraries: Kokkos aborts where Python ends before it does."""
    events = open_events()
    name, path, sweeps, seconds = sys.argv[1:]
    program = PROGRAMS[name]

    def tell(line: dict[str, Any]) -> None:
        events.write(json.dumps(line) + "\n")
        events.flush()

    with np.load(path, allow_pickle=False) as arrays:
        shape = tuple(int(size) for size in arrays["shape"])
        columns = [arrays[f"column_{mode}"] for mode in range(len(shape))]
        factors = [arrays[f"factor_{mode}"] for mode in range(len(shape))]
        values = arrays["values"]
    try:
        step = program.prepare(columns, values, shape)
    except (ImportError, OSError) as error:
        tell({"reason": missing(program, error)})
        os._exit(0)
    try:
        tell({"version": version(program.package)})
    except PackageNotFoundError:
        tell({"version": ""})
    begin = perf_counter()
    for number in range(1, int(sweeps) + 1):
        before = perf_counter()
        try:
            factors, fit = step(factors)
        except Exception as error:  # Theirs: whatever it is, it is why there are no more sweeps.
            if number == 1:
                tell({"reason": f"{program.label} failed: {type(error).__name__}: {error}."})
            os._exit(1)
        tell({"sweep": number, "fit": fit, "seconds": perf_counter() - before})
        if perf_counter() - begin >= float(seconds):
            break
    os._exit(0)


if __name__ == "__main__":
    main()
