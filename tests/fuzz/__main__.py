"""./heddle fuzz: random schedules for a given time. Exit code 1 when one is neither right nor refused."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from tests.fuzz.workers import (
    CLASSES,
    CRASH,
    GPU,
    REFUSED,
    RIGHT,
    SECONDS_PER_PROGRAM,
    WRONG,
    Draw,
    Report,
    check_listed,
    check_seed,
    drawn,
    drawn_comprehension,
    drawn_in_parts,
    drawn_in_patterns,
    drawn_with_vectors,
    listed_document,
    plan_document,
    reports,
)

TARGETS = {"interpreter": ("interpreter",), "c": ("c",), "both": ("interpreter", "c"), "gpu": GPU}
SECONDS_BETWEEN_LINES = 10
LEAST_OVER_PARTS = 400
"""Programs of a run over parts: expressions, compositions and schedules have few combinations in common."""


def main(arguments: list[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="./heddle fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to draw programs (default: 1)")
    parser.add_argument("--seed", type=int, help="the first program's seed (default: one of the time of day)")
    parser.add_argument(
        "--target",
        choices=TARGETS,
        default="both",
        help="where programs run (default: both); gpu: with "
        "GPU units in the interpreter and on every OpenCL device, and compiled as CUDA",
    )
    parser.add_argument(
        "--isa",
        type=_classes,
        default=(),
        metavar="v2,v3",
        help="builds the C of each program for these classes of x86-64 processors as well: vectors as wide as theirs; "
        "what this processor cannot run is only built",
    )
    parser.add_argument("--vectors", action="store_true", help="every program computes with vectors")
    parser.add_argument(
        "--parts",
        action="store_true",
        help="every program has an operand that is a sum of parts; it runs again in the memory of its result, and "
        "beside infinities and NaN where no entry is multiplied",
    )
    parser.add_argument(
        "--language",
        choices=("notation", "patterns", "comprehension"),
        default="notation",
        help="what programs are written in (default: notation); patterns: with arguments of their own, and steps; "
        "comprehension: with operands of their own, and commands that fuse their statements",
    )
    parser.add_argument(
        "--listing",
        action="store_true",
        help="of programs of every kind, what may come next is listed; some of it is compiled, and compared with that",
    )
    parser.add_argument("--programs", type=int, help="how many to draw at most (default: as many as the time allows)")
    parser.add_argument(
        "--at-least",
        type=int,
        metavar="PROGRAMS",
        help=f"how many to draw, whatever the time (default: {LEAST_OVER_PARTS} with --parts, otherwise 0)",
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at a time (default: one a core)")
    parser.add_argument(
        "--patience",
        type=float,
        default=SECONDS_PER_PROGRAM,
        metavar="SECONDS",
        help="a program that takes more of a processor is a failure (default: %(default)s)",
    )
    chosen = parser.parse_args(arguments)
    targets = (*TARGETS[chosen.target], *(f"c-{isa}" for isa in chosen.isa))
    if chosen.isa and chosen.target == "gpu":
        parser.error("programs with GPU units have no C")
    if chosen.parts and chosen.vectors:
        parser.error("programs are drawn over parts or with vectors, not both")
    if chosen.listing and (chosen.parts or chosen.vectors or chosen.language != "notation"):
        parser.error("what may come next is listed for programs of every kind in turn")
    if chosen.language != "notation" and (chosen.isa or chosen.vectors or chosen.parts or chosen.target == "gpu"):
        parser.error(f"programs in {chosen.language} run in the interpreter and as C, as they are drawn")
    seed = int(time.time()) * 1000 if chosen.seed is None else chosen.seed
    processes = chosen.processes
    least = chosen.at_least if chosen.at_least is not None else LEAST_OVER_PARTS if chosen.parts else 0
    limits = (processes, chosen.minutes * 60)
    where = " ".join(targets)
    print(f"seeds from {seed} on, target {where}, {processes} processes, {chosen.minutes:g} minutes", flush=True)

    draw: Draw = drawn_with_vectors if chosen.vectors else drawn_in_parts if chosen.parts else drawn
    if chosen.language == "patterns":
        draw = drawn_in_patterns
    if chosen.language == "comprehension":
        draw = drawn_comprehension
    check = check_listed if chosen.listing else partial(check_seed, draw=draw)
    document = listed_document if chosen.listing else partial(plan_document, draw=draw)
    kinds: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    commands = 0
    failures: list[Report] = []
    started = shown = time.monotonic()
    try:
        for report in reports(seed, targets, *limits, check, chosen.patience, chosen.programs, least):
            kinds[report.kind] += 1
            codes.update(report.refused)
            commands += report.commands
            if report.failed:
                failures.append(report)
                print(f"{report.kind}, seed {report.seed}, {' '.join(report.message.split())[:160]}", flush=True)
            if time.monotonic() - shown >= SECONDS_BETWEEN_LINES:
                shown = time.monotonic()
                print(f"{shown - started:6.0f} s  {_line(kinds, commands)}", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    print(f"\n{_line(kinds, commands)}")
    print(f"{codes.total()} refusals of commands and programs:")
    for code, count in codes.most_common():
        print(f"{count:8} {code}")
    for report in failures:
        _print_failure(report, targets, document)
    return 1 if failures else 0


def _classes(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(CLASSES):
        raise argparse.ArgumentTypeError(f"expected some of {','.join(CLASSES)}, found {text}")
    return names


def _line(kinds: Counter[str], commands: int) -> str:
    return (
        f"{kinds.total()} programs with {commands} commands: {kinds[RIGHT]} right, {kinds[REFUSED]} refused, "
        f"{kinds[WRONG]} wrong, {kinds[CRASH]} crashes"
    )


def _print_failure(
    report: Report, targets: tuple[str, ...], document: Callable[[int, tuple[str, ...]], dict[str, object]]
) -> None:
    try:
        plan = json.dumps(document(report.seed, targets))
    except Exception as error:  # Drawing the program may be what fails.
        plan = f"no plan: {type(error).__name__}: {error}"
    print(f"\n{report.kind}, seed {report.seed}, {report.message}\n{plan}\n", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
