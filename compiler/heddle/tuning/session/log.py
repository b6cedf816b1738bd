"""The log of a search: JSON lines, from which it can be drawn, replayed and gone on with.

``header``, then for each generation a ``timed`` line for each plan that is new, its ``candidate`` lines and a
``generation`` line, and at the end ``final``. ``slice`` lines say how long whoever measured had the machine. What
strategies ask (is this genome valid?) is kept as one digit for each answer, so that a replay compiles nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.checkout import PROGRAM
from heddle.tuning.genes.space import Genome
from heddle.tuning.session.lines import fault_of
from heddle.tuning.strategies.genetic import Parameters

LOG_VERSION = 1
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Budget:
    """A search ends with the first of these that is used up: different plans measured, generations, and seconds."""

    evaluations: int = 200
    generations: int = 25
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides a search together with the times that it is told."""

    strategy: str = "genetic"
    seed: int = 0
    parameters: Parameters = field(default_factory=Parameters)
    budget: Budget = field(default_factory=Budget)


def header(
    settings: Settings,
    plan: Mapping[str, Any],
    genes: Sequence[Mapping[str, Any]],
    genomes: Sequence[Genome],
    **facts: Any,
) -> Line:
    """The first line; ``facts`` are what else tells what was searched, and where."""
    return {
        "event": "header",
        "version": LOG_VERSION,
        "plan": dict(plan),
        "strategy": settings.strategy,
        "seed": settings.seed,
        "parameters": asdict(settings.parameters),
        "budget": asdict(settings.budget),
        "genes": [dict(gene) for gene in genes],
        "given": [list(genome) for genome in genomes],
        **facts,
    }


def settings_of(line: Line) -> Settings:
    """Those of a header."""
    return Settings(line["strategy"], line["seed"], Parameters(**line["parameters"]), Budget(**line["budget"]))


def read_log(text: str) -> list[Line]:
    """The lines of a log, which may end anywhere: a last line that was not finished is left out.

    Raises
    ------
    CompileError
        ``tune/log`` for anything else, ``tune/log-version`` for one of a newer version.
    """
    lines: list[Line] = []
    rows = text.splitlines()
    for number, row in enumerate(rows):
        try:
            line = json.loads(row)
        except (ValueError, RecursionError):
            if number == len(rows) - 1 and number:
                break
            raise _wrong("tune/log", number, "a line of JSON", row[:40]) from None
        lines.append(line)
    require_log(lines)
    return lines


def require_log(lines: Sequence[object], first: int = 0) -> None:
    """Checks the lines of a log from the one with the number ``first``.

    Raises
    ------
    CompileError
        as :func:`read_log`.
    """
    if first == 0:
        start = lines[0] if lines else None
        if not isinstance(start, dict) or start.get("event") != "header":
            raise _wrong("tune/log", 0, "a header", str(start)[:40] if lines else "nothing")
        if start.get("version") != LOG_VERSION:
            raise _wrong("tune/log-version", 0, f"version {LOG_VERSION}", f"version {start.get('version')!r}")
    for number, line in enumerate(lines, first):
        fault = fault_of(line)
        if fault is not None:
            raise _wrong("tune/log", number, *fault)
        if number and isinstance(line, dict) and line["event"] == "header":
            raise _wrong("tune/log", number, "a line after the header", "another header")


def to_text(lines: Iterable[Line]) -> str:
    return "".join(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A generation of a log: its candidates, and the answers that led to it."""

    candidates: tuple[Line, ...]
    answers: str


def generations_of(lines: Sequence[Line]) -> tuple[Recorded, ...]:
    """Those that were finished."""
    generations: list[Recorded] = []
    candidates: list[Line] = []
    for line in lines:
        match line["event"]:
            case "candidate":
                candidates.append(line)
            case "generation":
                generations.append(Recorded(tuple(candidates), line["answers"]))
                candidates = []
            case _:
                pass
    return tuple(generations)


def resumable(lines: Sequence[Line]) -> list[Line]:
    """The lines that a search goes on behind: without the candidates of a generation that was not finished."""
    last = max((at for at, line in enumerate(lines) if line["event"] == "generation"), default=0)
    return [line for at, line in enumerate(lines) if at <= last or line["event"] not in ("candidate", "final")]


def _wrong(code: str, number: int, expected: str, actual: str) -> CompileError:
    message = f"This is not the log of a search: line {number + 1} should be {expected}, and is {actual}."
    return CompileError(
        Diagnostic(code, message, expected=expected, actual=actual, hint=f"Logs come from {PROGRAM} tune.")
    )
