"""``./heddle study X1``: runs a study of Senanayake et al. 2020 again (docs/sources.toml X1 to X4), and writes what it
finds together with the facts of the machine.

On a machine with a GPU and without the rest, ``python -m benchmarks.studies all --target cuda`` in the repository does
the same; it needs NumPy, SciPy, Lark and CuPy.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.device.device_facts import device_facts
from benchmarks.studies.measuring import measured
from heddle.cli.parsing import CommandParser
from heddle.diagnostics import CompileError
from heddle_server.studies.registry import OPENCL_SHARE, STUDIES
from heddle_server.studies.study import TARGETS, Study
from heddle_server.tuning.options import whole

RESULTS = Path(__file__).resolve().parent.parent / "results"


def parser() -> argparse.ArgumentParser:
    listed = "\n".join(f"  {study.name}  {study.title}" for study in STUDIES.values())
    made = CommandParser(
        prog="heddle study",
        description=__doc__,
        epilog=f"studies:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("study", choices=[*STUDIES, "all"], help="which study")
    made.add_argument("--target", choices=TARGETS, default="c", help="c, or a GPU: opencl runs on a CPU as well")
    made.add_argument(
        "--nonzeros",
        type=whole(1, 10**10),
        help="of the matrices (default: as many as in the paper, of X3 a twentieth; for opencl, which may be a CPU, "
        f"{OPENCL_SHARE} of that)",
    )
    made.add_argument(
        "--rounds", type=whole(1, 100_000), default=30, help="samples of each schedule (default %(default)s)"
    )
    made.add_argument("--output", type=Path, default=RESULTS, help="folder for the JSON (default %(default)s)")
    return made


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 1 where the target has no device here, or the folder cannot be written, which is seen first."""
    options = parser().parse_args(arguments)
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"heddle: {options.output} cannot be the folder of results: {error.strerror}", file=sys.stderr)
        return 1
    try:
        facts = device_facts(options.target)
    except CompileError as error:
        print(f"heddle: study: {error}\n{error.diagnostics[0].hint}", file=sys.stderr)
        return 1
    for name in STUDIES if options.study == "all" else [options.study]:
        study = STUDIES[name]
        usual = int(study.nonzeros * (OPENCL_SHARE if options.target == "opencl" else 1))
        report = run(study, options.target, options.nonzeros or usual, options.rounds)
        path = options.output / f"{name}.{options.target}.json"
        document = {**report, "machine": facts, "date": datetime.now(UTC).isoformat(timespec="seconds")}
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        print(f"wrote {path}\n")
    return 0


def run(study: Study, target: str, nonzeros: int, rounds: int) -> dict[str, Any]:
    """Measures every point and prints a line for each."""
    print(f"{study.name}: {study.title}\n{study.question}\nThe paper: {study.expected}")
    rows = []
    for point in study.points(nonzeros):
        row = measured(point, study.schedules(target), target, rounds)
        rows.append(row)
        print(
            f"  {study.parameter} {point.value:g}: {row['rows']:,} × {row['columns']:,}, {row['nonzeros']:,} nonzeros"
        )
        for name, one in row["schedules"].items():
            print(f"    {one['median_ns'] / 1e3:12,.1f} µs  {name}", flush=True)
        for name, reason in row["refused"].items():
            print(f"    left out: {name}: {reason}", flush=True)
    found = study.conclude(rows)
    if "crossover" in found:
        print(f"  crossover: {found['crossover'] if found['crossover'] is not None else 'none in this range'}")
    return {
        "study": study.name,
        "title": study.title,
        "question": study.question,
        "parameter": study.parameter,
        "paper": study.expected,
        "target": target,
        "rounds": rounds,
        "found": found,
        "rows": rows,
    }


if __name__ == "__main__":
    sys.exit(main())
