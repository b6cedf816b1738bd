"""The options of ``heddle tune``: which there are, what they may be, and what stands for those that are left out."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

from heddle.cli.parsing import add_common

DEFAULTS: dict[str, Any] = {
    "strategy": "genetic",
    "seed": 0,
    "seconds": 120.0,
    "evaluations": 1000,
    "generations": 25,
    "population": 30,
}
"""Of a search; one that goes on with a log has those of the log."""

MOST_SECONDS = 7 * 86_400


def add_tune(commands: Any) -> None:
    """The parser of ``heddle tune``. What is not given is None."""
    tune = commands.add_parser("tune", help="search for a faster schedule of a plan, and keep what is found")
    tune.add_argument("plan", type=Path, nargs="?", help="the plan's JSON document; - reads it from the standard input")
    tune.add_argument(
        "--budget", type=seconds, dest="seconds", metavar="SECONDS",
        help=f"time for the search (default {DEFAULTS['seconds']:g})",
    )  # fmt: skip
    tune.add_argument(
        "--strategy",
        help="genetic crosses the fastest schedules so far as the paper describes it, genetic-code as its code does; "
        "hill steps from the best one, random draws, exhaustive tries all of a small space, rules what rules offer "
        f"(default {DEFAULTS['strategy']})",
    )
    tune.add_argument(
        "--seed", type=whole(0, 2**32 - 1),
        help=f"of every draw: the same seed and times, the same search (default {DEFAULTS['seed']})",
    )  # fmt: skip
    for name, least, what in (
        ("evaluations", 1, "schedules that are timed at most"),
        ("generations", 1, "generations at most"),
        ("population", 2, "candidates of a generation"),
    ):
        tune.add_argument(f"--{name}", type=whole(least, 10**6), help=f"{what} (default {DEFAULTS[name]})")
    tune.add_argument(
        "--log", type=Path, help="where the log goes; one that is there already is gone on with, as it began"
    )
    tune.add_argument(
        "--replay", type=Path, metavar="LOG", help="draw the generations of a log again, measuring nothing"
    )
    tune.add_argument("--forget", action="store_true", help="keep nothing of what is found under heddle tuned")
    add_common(tune, json="the log")


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number in that range. It raises ArgumentTypeError for anything else."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most:,} is expected, found {text}")
        return number

    return read


def seconds(text: str) -> float:
    """Raises ArgumentTypeError for what is no time that a search may take."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not (isfinite(number) and 0 < number <= MOST_SECONDS):
        expected = f"seconds, more than 0 and at most {MOST_SECONDS:,}, are expected"
        raise argparse.ArgumentTypeError(f"{expected}, found {text}")
    return number


def read_named_options(options: argparse.Namespace) -> dict[str, Any]:
    """Those that were named on the command line."""
    return {name: value for name in DEFAULTS if (value := getattr(options, name)) is not None}
