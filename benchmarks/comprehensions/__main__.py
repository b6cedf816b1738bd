"""``python -m benchmarks.comprehensions``: kernels of tensor comprehensions beside NumPy and, where it is installed,
PyTorch, in interleaved rounds (Vasilache et al. 2018); the times of compiling them. One JSON document.

``--seconds`` bound the rounds of all cases together, each case has an equal share and at least three rounds. What takes
longer than two seconds a call is measured three times, and the document says so. With the verification before the
rounds everything takes less than six minutes on two cores.

Sizes are the paper's. Every contender is verified first, against NumPy. A program takes part with several schedules;
the fastest of them stands for it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from benchmarks.baselines.packages import installed_version
from benchmarks.comprehensions.cases import CASES
from benchmarks.comprehensions.measuring import compile_times, measure
from heddle.diagnostics import CompileError
from heddle_server.engine.machine import machine_facts


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="benchmarks.comprehensions", description=__doc__)
    options.add_argument("--seconds", type=float, default=180.0, help="for all timings together (default %(default)s)")
    options.add_argument("--shrunk", type=int, default=1, help="dimensions so many times smaller, to try it")
    options.add_argument("--only", default="", help="cases whose name contains this")
    options.add_argument("--output", type=Path, help="the JSON document (default: the standard output)")
    given = options.parse_args(arguments)
    chosen = tuple(case for case in CASES if given.only in case.name)
    before, begun, found = os.getloadavg()[0], time.monotonic(), []
    for case in chosen:
        print(case.name, file=sys.stderr)
        try:
            found.append(measure(case, given.seconds / max(1, len(chosen)), given.shrunk))
        except (CompileError, AssertionError) as error:
            found.append({"name": case.name, "failed": str(error)})
    whole = {
        "machine": {**machine_facts(None), "torch": installed_version("torch")},
        "load_before": before,
        "compile_ms": compile_times(chosen),
        "cases": found,
        "took": round(time.monotonic() - begun, 1),
    }
    text = json.dumps(whole, indent=2, default=str) + "\n"
    if given.output is None:
        print(text, end="")
    else:
        given.output.write_text(text, encoding="utf-8")
    return 1 if any("failed" in one for one in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
