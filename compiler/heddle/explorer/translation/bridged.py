"""What a bridge between languages gives: a plan in the other one, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.plan import Plan


@dataclass(frozen=True, slots=True)
class BridgeStep:
    """``text`` is the program behind a step with this ``title``."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Bridged:
    """``plan`` is the program in the other language; ``notes`` say what it does not carry over."""

    plan: Plan
    steps: tuple[BridgeStep, ...]
    notes: tuple[str, ...] = ()


def no_bridge(message: str, expected: str, actual: str) -> CompileError:
    """The error ``bridge/none``: the program has no counterpart, for the reason that ``message`` says."""
    place = Location(Part.EXPRESSION, 0, 0)
    return CompileError(Diagnostic("bridge/none", message, place, expected=expected, actual=actual))
