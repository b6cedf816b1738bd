"""Operators of sparse networks beside dense BLAS, PyG and separate kernels, one command:

python -m benchmarks.operators [--only weights,relations,launches,choices,compiles] [--seconds 4] [--json FILE]

Every contender is verified first; those of one case take turns, call by call, on one thread, and the processor's time
is compared, so that the load of the machine meets all of them alike; of launches it is the least time that passed.
PyTorch and PyG take part where they can be imported. At the end stands what is wanted of each section, and whether it
was found.
"""

from __future__ import annotations

import argparse
import json
import os
from datetime import UTC, datetime
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

from benchmarks.operators import promises
from benchmarks.operators.choices import choices
from benchmarks.operators.compiles import compiles
from benchmarks.operators.launches import launches
from benchmarks.operators.racing import Result
from benchmarks.operators.relations import relations
from benchmarks.operators.weights import weights
from heddle_server.engine.machine import machine_facts

SECTIONS = {
    "weights": weights,
    "relations": relations,
    "launches": launches,
    "choices": choices,
    "compiles": compiles,
}


def line(found: Result) -> str:
    if "removed" in found:
        slopes = ", ".join(f"{kind} {slope / 1e3:.1f}" for kind, slope in found["slopes_ns"].items())
        return f"{found['case']:48s} {found['removed']:7.1%} of the slope gone; µs a part: {slopes}"
    if "median_ms" in found:
        return f"{found['case']:48s} {found['median_ms']:7.1f} ms from the expression to C, p95 {found['p95_ms']:.1f}"
    if found["ratio"] is None:
        return f"{found['case']:48s}       –  csr stays"
    ratio = found["ratio"]
    return (
        f"{found['case']:48s} {ratio['value']:7.2f}  ({ratio['low']:.2f} to {ratio['high']:.2f})  "
        f"{found['ours']} × {found['theirs']}"
    )


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, separated by commas (default: all)")
    parser.add_argument("--seconds", type=float, default=4.0, help="at most so long a case (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    chosen = parser.parse_args()
    results: dict[str, list[Result]] = {}
    for name in chosen.only.split(","):
        results[name] = []
        for found in SECTIONS[name](chosen.seconds):
            results[name].append(found)
            print(line(found), flush=True)
    stated = promises.kept(results)
    print("\n".join(["", *map(promises.line, stated)]))
    if chosen.json is not None:
        document = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine_facts(),
            "threads": 1,
            "dtype": "float32",
            "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
            "promises": [
                {"title": one.promise.title, "wanted": one.promise.wanted, "found": one.found, "met": one.met}
                for one in stated
            ],
            "results": results,
        }
        chosen.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
