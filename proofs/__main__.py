"""``heddle prove NAME``: runs a proof, keeps its numbers in proofs/results, and exits with 1 when a limit is broken."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from proofs.attacks import prove_attacks
from proofs.class_of_100 import prove_class
from proofs.classroom import prove_classroom
from proofs.crash_matrix import prove_crashes
from proofs.quiet import prove_quiet
from proofs.report import keep
from proofs.soak import prove_soak
from proofs.verdict_plans import VERDICT_PLANS
from proofs.verdicts import prove_verdicts


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    proof, broken = prove(options)
    path = keep(options.proof, proof, broken)
    for line in broken:
        print(f"broken: {line}", file=sys.stderr)
    if getattr(options, "json", False):
        print(path.read_text(encoding="utf-8"), end="")
    print(f"{path}: {'broken' if broken else 'holds'}", file=sys.stderr if getattr(options, "json", False) else None)
    return 1 if broken else 0


def prove(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    match options.proof:
        case "crashes":
            return prove_crashes()
        case "class":
            return prove_class(options.students, options.lesson_seconds)
        case "classroom":
            return prove_classroom(options.students, options.seconds)
        case "soak":
            return prove_soak(options.minutes)
        case "quiet":
            return prove_quiet(options.times)
        case "verdicts":
            plans = options.plan or list(VERDICT_PLANS)
            return prove_verdicts(options.count, plans, options.seed, options.busy, options.nice)
        case "attacks":
            return prove_attacks(options.seconds, options.only)
        case other:
            raise AssertionError(other)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="heddle prove", description="Proofs of what the service promises, as commands.")
    proofs = top.add_subparsers(dest="proof", required=True)
    proofs.add_parser("crashes", help="everything that may die or fill up, in each state of a run: a table")
    lesson = proofs.add_parser("class", help="a class behind one address, in an open model")
    lesson.add_argument("--students", type=int, default=100)
    lesson.add_argument("--lesson-seconds", type=float, default=60.0, help="length of the steady edits")
    room = proofs.add_parser("classroom", help="a class does the course, and its teacher watches")
    room.add_argument("--students", type=int, default=100)
    room.add_argument("--seconds", type=float, default=120.0, help="of submissions, after all have joined")
    soak = proofs.add_parser("soak", help="lesson after lesson; memory stays flat")
    soak.add_argument("--minutes", type=float, default=60.0)
    quiet = proofs.add_parser("quiet", help="compiles beside a timed run: what is timed stays the same, edits quick")
    quiet.add_argument("--times", type=int, default=10, help="measurements with each kind of company")
    verdicts = proofs.add_parser("verdicts", help="runs on a busy machine: no wrong verdict, and most far apart told")
    verdicts.add_argument("--count", type=int, default=200, help="runs beside the busy processes")
    verdicts.add_argument("--plan", action="append", choices=list(VERDICT_PLANS), help="may be repeated; else all")
    verdicts.add_argument("--seed", type=int, default=0, help="of the order of the runs")
    verdicts.add_argument("--busy", type=int, default=2, help="processes that never rest")
    verdicts.add_argument("--nice", type=int, default=10, help="the niceness of those")
    verdicts.add_argument("--json", action="store_true", help="print what was found as JSON on stdout")
    attacks = proofs.add_parser("attacks", help="floods from ten addresses of this machine; another visitor works on")
    attacks.add_argument("--seconds", type=float, default=30.0, help="of each attack")
    attacks.add_argument("--only", action="append", help="one of the attacks, by its name; may be repeated")
    return top


if __name__ == "__main__":
    sys.exit(main())
