"""The kernels of an Algorithm document: what is pinned of a role, read strictly."""

from __future__ import annotations

from heddle.algorithms.algorithm import MAX_ORDER, KernelSpec
from heddle.algorithms.methods import BY_NAME
from heddle.diagnostics import nearest
from heddle.formats.limits import MAX_LENGTH as MAX_FORMAT_LENGTH
from heddle.plan.limits import MAX_COMMAND_LENGTH, MAX_COMMANDS
from heddle.plan.reader import Reader, child, describe, shorten
from heddle.plan.schedule_text import split_schedule, without_comment

MAX_KERNELS = 64
MEANT = {"iterations": "sweeps", "maxiters": "sweeps", "iters": "sweeps", "tol": "tolerance", "init": "start"}
"""What other programs call parameters."""


def known_keys(reader: Reader, entries: dict[str, object], path: str, known: tuple[str, ...], what: str) -> None:
    """Notes entries that are not ``known``, with what was meant."""
    reader.known_keys(entries, path, known, code="algorithm/unknown-key", what=what, meant=MEANT)


def read_kernels(reader: Reader, value: object) -> dict[str, KernelSpec]:
    """By role; problems are noted with their place."""
    kernels: dict[str, KernelSpec] = {}
    for role, spec in reader.entries(value, "/kernels", MAX_KERNELS).items():
        path = child("/kernels", role)
        entries = reader.entries(spec, path, 16)
        if "expression" in entries:
            reader.problem(
                "algorithm/role-expression",
                f"{shorten(role)} has an expression, but what a role computes follows from the algorithm and the order "
                "of the tensor",
                child(path, "expression"),
                expected="tensors and schedule",
                actual="expression",
                hint="Leave it out, or open the role as a plan of its own and change it there.",
            )
        fields = {key: entry for key, entry in entries.items() if key != "expression"}
        known_keys(reader, fields, path, ("tensors", "schedule", "method"), f"kernel {shorten(role)}")
        kernels[role] = KernelSpec(
            _formats(reader, entries.get("tensors", {}), f"{path}/tensors"),
            _schedule(reader, entries.get("schedule", []), f"{path}/schedule"),
            _method(reader, role, entries, path),
        )
    return kernels


def _method(reader: Reader, role: str, entries: dict[str, object], path: str) -> str | None:
    """The name of a method, which takes the place of formats and schedule."""
    value = entries.get("method")
    if value is None:
        return None
    known, place = tuple(BY_NAME), child(path, "method")
    if value not in known:
        actual = describe(value)
        message = f"the method of {shorten(role)} must be one of {', '.join(known)}, found {actual}"
        close = nearest(value, known) if isinstance(value, str) else ()
        reader.problem(
            "algorithm/method", message, place, expected=", ".join(known), actual=actual, candidates=close or known
        )
        return None
    if not role.startswith("mttkrp."):
        message = f"{shorten(role)} has no method: methods are ways to compute an MTTKRP of the tensor, as mttkrp.0"
        reader.problem("algorithm/method", message, place, expected="a role mttkrp.…", actual=shorten(role))
    for other in ("tensors", "schedule"):
        if entries.get(other):
            message = f"{shorten(role)} has a method and {other}, but the method {value} says what these are"
            hint = f"Leave out {other}, or the method."
            reader.problem(
                "algorithm/method", message, place, expected=f"a method or {other}", actual="both", hint=hint
            )
    return str(value)


def _formats(reader: Reader, value: object, path: str) -> dict[str, str]:
    formats: dict[str, str] = {}
    for name, spec in reader.entries(value, path, MAX_ORDER + 2).items():
        entries = reader.entries(spec, child(path, name), 4)
        known_keys(reader, entries, child(path, name), ("format",), f"tensor {shorten(name)}")
        text = reader.text(entries.get("format", "dense"), f"{child(path, name)}/format", MAX_FORMAT_LENGTH)
        formats[name] = text or "dense"
    return formats


def _schedule(reader: Reader, value: object, path: str) -> tuple[str, ...]:
    lines = (
        [*split_schedule(value)] if isinstance(value, str) else reader.elements(value, path, MAX_COMMANDS, "commands")
    )
    texts = [reader.text(line, child(path, place), MAX_COMMAND_LENGTH) or "" for place, line in enumerate(lines)]
    return tuple(text for text in map(without_comment, texts) if text)
