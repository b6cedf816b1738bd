"""``./heddle bench``: compares kernels and opponents in one run, and resumes where it stopped.

Every case runs in its own process and leaves a file in OUTPUT/cases; a case whose file is there is not measured
again unless its settings, the machine or the compiler's sources changed, or ``--again`` is given. Tables, JSON and
figures are written from all files at the end, and after an interruption.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.baselines.mkl_dispatch import INTEL, SHIPPED, code_path, environment
from benchmarks.growth import cliffs, counts
from benchmarks.suite.case import Case
from benchmarks.suite.classes import class_named, measure_classes
from benchmarks.suite.conversions import CONVERSIONS
from benchmarks.suite.kernels import BY_NAME as KERNELS
from benchmarks.suite.kernels import DTYPES
from benchmarks.suite.matrices import BY_NAME as MATRICES
from benchmarks.suite.report import write_report
from benchmarks.suite.suites import SUITES, Choice, cases
from benchmarks.suite.tensors import BY_NAME as TENSORS
from heddle.cli.parsing import CommandParser
from heddle.diagnostics import CompileError
from heddle.runtime.native.machine_class import require_executable
from heddle_server.engine.machine import machine_facts
from heddle_server.tuning.options import whole

ROOT = Path(__file__).resolve().parent.parent
CASE_SECONDS = 900.0
"""After which a case is given up: the largest matrices take minutes to make and to verify."""


def read_threads(text: str) -> tuple[int, ...]:
    """Numbers of threads, separated by commas. Raises ArgumentTypeError for what is none."""
    return tuple(map(whole(1, 1024), _words(text)))


def parser() -> argparse.ArgumentParser:
    command = CommandParser(prog="heddle bench", description=__doc__)
    command.add_argument(
        "suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)} (default: all); or growth; or cliffs"
    )
    command.add_argument("--quick", action="store_true", help="tiny inputs and short timings, to see that all works")
    command.add_argument(
        "--large", action="store_true", help="also matrices of 20 million nonzeros, out of every cache"
    )
    command.add_argument("--threads", type=read_threads, default="1,2", help="numbers of threads (default %(default)s)")
    command.add_argument("--dtypes", default="float64,float32", help="types of values (default %(default)s)")
    command.add_argument(
        "--every", action="store_true", help="all inputs in every type and number of threads, not a selection"
    )
    command.add_argument("--kernels", default="", help="only these kernels or conversions, separated by commas")
    command.add_argument("--inputs", default="", help="only these matrices or tensors, separated by commas")
    command.add_argument("--seconds", type=float, default=10.0, help="at most so long a timing (default %(default)s)")
    command.add_argument(
        "--mkl",
        choices=(SHIPPED, INTEL),
        help="the code path of MKL: the one it chooses itself, or the one for Intel processors with the same"
        " instructions, on other processors, too (default: shipped; intel where --isa or HEDDLE_MARCH names a class)",
    )
    command.add_argument(
        "--isa",
        default="",
        help="machine classes, separated by commas: compile and choose as on each of v2, v3, v4 or native, beside "
        "MKL with"
        " the same instructions; results go to OUTPUT/CLASS (default: HEDDLE_MARCH, into OUTPUT)",
    )
    command.add_argument("--output", type=Path, default=ROOT / "benchmarks" / "results", help="default: %(default)s")
    command.add_argument("--again", action="store_true", help="measure what has been measured already, too")
    return command


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 1 when a case failed, 2 for wrong usage."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["growth"]:  # counts of compiles: no machine, no inputs
        return counts.main(words[1:])
    if words[:1] == ["cliffs"]:
        return cliffs.main(words[1:])
    options = parser().parse_args(words)
    try:
        refuse_unknown(options)
        if options.isa:
            return measure_classes(words, [class_named(name) for name in _words(options.isa)], options.output)
        require_executable()
    except (LookupError, CompileError) as error:
        print(f"heddle: bench: {error.args[0]}", file=sys.stderr)
        return 2
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"heddle: {options.output} cannot be the folder of results: {error.strerror}", file=sys.stderr)
        return 1
    choice = _choice(options)
    failed = 0
    for suite in options.suites or SUITES:
        folder = options.output / "cases" / suite
        folder.mkdir(parents=True, exist_ok=True)
        # The first line of a suite may take minutes: it is said what is waited for.
        print(f"heddle: measuring the suite {suite} into {options.output}", file=sys.stderr, flush=True)
        if suite == "codegen":
            runs = "5" if options.quick else "100"
            command = [sys.executable, str(ROOT / "benchmarks" / "codegen.py"), "--runs", runs, "--json"]
            subprocess.run([*command, str(options.output / "codegen.json")], check=False)
            continue
        try:
            failed += _suite(cases(suite, choice), folder, options.again, options.mkl)
        except KeyboardInterrupt:
            print("\ninterrupted; run the same command again to continue from here")
            return 130
        finally:
            for path in write_report(suite, folder, options.output):
                print(f"wrote {path}")
    return 1 if failed else 0


def refuse_unknown(options: argparse.Namespace) -> None:
    """Raises LookupError, with what there is, for the first name that does not exist."""
    for what, wanted, known in (
        ("suite", options.suites, SUITES),
        ("input", _words(options.inputs), (*MATRICES, *TENSORS)),
        ("kernel", _words(options.kernels), (*KERNELS, *CONVERSIONS)),
        ("type of values", _words(options.dtypes), DTYPES),
    ):
        for name in wanted:
            if name not in known:
                raise LookupError(f"there is no {what} {name}. Known are {', '.join(known)}")


def _choice(options: argparse.Namespace) -> Choice:
    sizes = ("tiny",) if options.quick else ("small", "medium", *(("large",) if options.large else ()))
    return Choice(
        sizes,
        options.threads,
        _words(options.dtypes),
        min(options.seconds, 0.2) if options.quick else options.seconds,
        _words(options.kernels),
        _words(options.inputs),
        options.every,
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _suite(wanted: list[Case], folder: Path, again: bool, mkl: str | None) -> int:
    """How many cases failed."""
    failed, identity, begun = 0, f"{_identity()}-{code_path(mkl)}", time.monotonic()
    told = environment(mkl)
    left = [case for case in wanted if again or not _measured(folder / f"{case.name}.json", case, identity)]
    if len(left) < len(wanted):
        print(f"{len(wanted) - len(left)} of {len(wanted)} cases are measured already")
    for number, case in enumerate(left, start=1):
        result = _run(case, told)
        result["identity"] = identity
        result["load"] = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
        result["machine"] = machine_facts()
        temporary = folder / f"{case.name}.new"
        temporary.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        temporary.replace(folder / f"{case.name}.json")
        failed += "failure" in result
        spent = time.monotonic() - begun
        rest = spent / number * (len(left) - number)
        print(f"[{number}/{len(left)}, {rest / 60:.0f} min left] {_line(case, result)}", flush=True)
    return failed


def _run(case: Case, told: dict[str, str]) -> dict[str, Any]:
    """The case's result, or why there is none."""
    command = [sys.executable, "-P", "-m", "benchmarks.suite.case", json.dumps(asdict(case))]
    path = os.pathsep.join(sys.path)
    environment = {**os.environ, "PYTHONPATH": path, **told}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CASE_SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        return {"case": asdict(case), "failure": f"not done after {CASE_SECONDS:.0f} s"}
    lines = done.stdout.strip().splitlines()
    if done.returncode == 0 and lines:
        result: dict[str, Any] = json.loads(lines[-1])
        return result
    said = done.stderr.strip().splitlines()
    return {"case": asdict(case), "failure": said[-1] if said else f"ended with status {done.returncode}"}


def _measured(file: Path, case: Case, identity: str) -> bool:
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return known.get("case") == asdict(case) and known.get("identity") == identity and "failure" not in known


def _identity() -> str:
    """Changes with whatever decides a result: the sources, the processor, the machine class, the C compiler."""
    digest = hashlib.sha256()
    for package in ("compiler/heddle", "benchmarks"):
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(path.read_bytes())
    facts = machine_facts()
    digest.update(f"{facts['cpu']} {facts['cores']} {facts.get('march')} {facts['compiler']}".encode())
    return digest.hexdigest()[:16]


def _line(case: Case, result: dict[str, Any]) -> str:
    if "failure" in result:
        return f"{case.name}: FAILED: {result['failure']}"
    ours = result["contenders"].get("heddle")
    if ours is None:
        return f"{case.name}: left out: {result['left_out']['heddle']}"
    if "regret" in result:
        return (
            f"{case.name}: {ours['median_ns'] / 1e3:.1f} µs  regret {result['regret']:.2f}, fastest: {result['best']}"
        )
    ratios = {
        name: contender["ratio"]["value"] for name, contender in result["contenders"].items() if contender["ratio"]
    }
    return f"{case.name}: {ours['median_ns'] / 1e3:.1f} µs  " + "  ".join(
        f"{name} {ratio:.2f}x" for name, ratio in ratios.items()
    )


if __name__ == "__main__":
    sys.exit(main())
