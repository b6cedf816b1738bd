"""How each mode is computed: pinned by the document, or chosen by rules under a budget of memory, with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heddle.algorithms.algorithm import Algorithm, KernelSpec
from heddle.algorithms.methods import BY_NAME, Facts, Method
from heddle.algorithms.roles import Role, plan_of, shapes_of
from heddle.algorithms.tensor_input import Input
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.pipeline import lower
from heddle.result import CompileResult
from heddle.runtime.native import cpu
from heddle.tuning.facts.machine import Machine, this_machine
from heddle.tuning.facts.statistics import prefixes, statistics_of
from heddle.tuning.search.suggest import suggest

LONG_FIBRES = 4.0
"""Entries of a fibre from which a tree of fibres pays: each fibre is multiplied by the outer factors once."""

BUDGET = 4
"""Copies of coordinates and values that fit the memory that is allowed where nothing is said."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """How a role is computed: ``method`` names a row of ``METHODS``, None where the document pinned the kernel;
    ``bytes`` are those of the tensor's copy, about."""

    role: Role
    kernel: KernelSpec
    result: CompileResult
    method: str | None
    reasons: tuple[str, ...]
    bytes: int


def choices(
    algorithm: Algorithm, roles: dict[str, Role], tensor: Input, derived: Mapping[str, Input] | None = None
) -> dict[str, Choice]:
    """A kernel that compiles for each role; ``derived`` are the tensors of those that do not multiply ``tensor``.

    Raises
    ------
    CompileError
        a pinned kernel does not compile, or its result depends on threads where that must not be.
    """
    choices: dict[str, Choice] = {}
    machine = machine_for(algorithm)
    left = _budget(algorithm, tensor)
    for role in roles.values():
        pinned = algorithm.kernels.get(role.name)
        role_tensor = tensor if role.original else (derived or {})[role.name]
        if pinned is not None and pinned.method is None:
            choices[role.name] = _pin(algorithm, role, pinned)
        elif role.row is not None:
            copied = algorithm.algorithm == "cp-apr"
            if pinned is not None and pinned.method is not None:
                method, reasons, size = _read_method(role, pinned.method, role_tensor, copied=copied)
            else:
                method, reasons, size = _method(role.row, role_tensor, left, copied=copied)
            left = max(left - size, 0)
            order = len(role_tensor.shape)
            spec = KernelSpec({"X": format_text(parse_format(method.format(order, role.row), order, "X"))})
            choices[role.name] = _by_method(algorithm, role, spec, method, reasons, size, role_tensor, machine)
        elif role.valued:
            choices[role.name] = _ratio(algorithm, role, choices, tensor, machine)
        else:
            choices[role.name] = _norm(algorithm, role, choices)
    return choices


def _by_method(
    algorithm: Algorithm,
    role: Role,
    spec: KernelSpec,
    method: Method,
    reasons: tuple[str, ...],
    size: int,
    tensor: Input,
    machine: Machine,
) -> Choice:
    levels = parse_format(spec.formats["X"], len(tensor.shape), "X")
    statistics = {"X": statistics_of(tensor.entries, tuple(dict.fromkeys(levels.order)))}
    facts = Facts(tensor.shape, algorithm.parameters.rank, tensor.stored, machine, statistics)
    plan = plan_of(algorithm, role, spec)
    schedule, why = method.schedule(role, plan, facts)
    kernel = replace(spec, schedule=schedule)
    result = lower(plan_of(algorithm, role, kernel))
    result.raise_errors()
    if algorithm.parameters.reproducible:
        _require_fixed_order(role, result)
    return Choice(role, kernel, result, method.name, (*reasons, *why), size)


def _pin(algorithm: Algorithm, role: Role, kernel: KernelSpec) -> Choice:
    plan = plan_of(algorithm, role, kernel)
    result = lower(plan)
    errors = [_at_role(diagnostic, role.name) for diagnostic in result.diagnostics]
    if not result.ok:
        raise CompileError(*errors)
    if algorithm.parameters.reproducible:
        _require_fixed_order(role, result)
    return Choice(role, kernel, result, None, ("The document says so.",), 0)


def _ratio(algorithm: Algorithm, role: Role, choices: dict[str, Choice], tensor: Input, machine: Machine) -> Choice:
    """In the format of the product that reads it, whose coordinates it shares."""
    text = choices[f"mttkrp.{role.mode}"].kernel.formats.get("X", "dense")
    spec = KernelSpec({"X": text, "W": text})
    why = "The product reads it as it is: its values take the place of those of the tensor."
    statistics = {
        "X": statistics_of(tensor.entries, tuple(dict.fromkeys(parse_format(text, len(tensor.shape), "X").order)))
    }
    shapes = shapes_of(role, tensor.shape, algorithm.parameters.rank)
    chosen = suggest(plan_of(algorithm, role, spec), statistics, machine, shapes)
    kernel = replace(spec, schedule=chosen.schedule)
    result = lower(plan_of(algorithm, role, kernel))
    if not result.ok:
        raise CompileError(*(_at_role(diagnostic, role.name) for diagnostic in result.diagnostics))
    if algorithm.parameters.reproducible:
        _require_fixed_order(role, result)
    return Choice(role, kernel, result, None, (why, *chosen.reasons), 8 * tensor.stored)


def _norm(algorithm: Algorithm, role: Role, choices: dict[str, Choice]) -> Choice:
    """From the copy that the first mode has: one more is not worth a single pass. Summed up on one thread, in order."""
    first = next(
        (candidate for candidate in choices.values() if candidate.role.original and "X" in candidate.kernel.formats),
        None,
    )
    formats = {"X": first.kernel.formats["X"] if first is not None else "coo"}
    kernel = KernelSpec(formats)
    result = lower(plan_of(algorithm, role, kernel))
    result.raise_errors()
    return Choice(role, kernel, result, None, ("One pass over the entries, on one thread.",), 0)


def _read_method(role: Role, name: str, tensor: Input, copied: bool) -> tuple[Method, tuple[str, ...], int]:
    """The method that the document names, and the bytes of the copy that it needs.

    Raises
    ------
    CompileError
        ``algorithm/method`` where the values of the tensor change and those of all modes would be shared.
    """
    assert role.row is not None
    method, order = BY_NAME[name], len(tensor.shape)
    text = method.format(order, role.row)
    if copied and text.startswith("coo-perm"):
        raise CompileError(
            Diagnostic(
                "algorithm/method",
                f"{role.name} cannot be computed by {name}: cp-apr puts other values in the place of those of X for "
                f"each mode, and in {text} all modes share them.",
                Location(Part.PLAN, path=f"/kernels/{role.name}/method"),
                expected="a method whose copy is its own",
                actual=name,
                candidates=("sorted", "fibres"),
            )
        )
    size = extra_bytes(role.row, tensor).get(name, 0)
    return method, (f"The document asks for it: {method.title.lower()}.", f"It takes about {size:,} bytes more."), size


def _method(mode: int, tensor: Input, left: int, copied: bool = False) -> tuple[Method, tuple[str, ...], int]:
    """The method for a mode, why, and the bytes of the copy that it needs, which it gets at any price if ``copied``."""
    order, counts = len(tensor.shape), _counts(mode, tensor)
    sizes = _sizes(mode, tensor, counts)
    long, tree, flat = tensor.stored / max(counts[-2], 1), sizes["fibres"], sizes["sorted"]
    if order > 2 and long >= LONG_FIBRES and tree <= left:
        why = f"Fibres have {long:.1f} entries on average: each is multiplied by the outer factors once."
        return BY_NAME["fibres"], (why, _bytes(tree, left)), tree
    if flat <= left or copied:
        why = f"Fibres have {long:.1f} entries on average: one loop over the entries of a row."
        return BY_NAME["sorted"], (why, _bytes(flat, left)), flat
    numbers = sizes["rows"]
    why = (
        f"A sorted copy would take about {flat:,} bytes, of {left:,} that are left: all modes share coordinates and "
        f"values, and this one has {numbers:,} bytes of numbers of entries."
    )
    return BY_NAME["rows"], (why,), numbers


def extra_bytes(mode: int, tensor: Input) -> dict[str, int]:
    """By method the bytes that it takes for a mode beside the coordinates and values that all modes share; methods that
    are not here take none."""
    return _sizes(mode, tensor, _counts(mode, tensor))


def _counts(mode: int, tensor: Input) -> list[int]:
    """How many coordinates differ in the first, the first two, … dimensions, with the mode in front."""
    order = len(tensor.shape)
    if order <= 2:
        return [tensor.stored, tensor.stored]
    rows = (mode, *(other for other in range(order) if other != mode))
    # All entries differ, so that all dimensions together need not be sorted.
    return [*prefixes(tensor.entries, rows[:-1]), tensor.stored]


def _sizes(mode: int, tensor: Input, counts: list[int]) -> dict[str, int]:
    """The bytes that methods take beside the coordinates and values that all modes share."""
    order, shape = len(tensor.shape), tensor.shape
    index = 4 if max((*shape, tensor.stored)) < 2**31 else 8
    tree = sum(counts) * index + sum(counts[:-1]) * index + 8 * tensor.stored
    flat = tensor.stored * ((order - 1) * index + 8) + (shape[mode] + 1) * index
    numbers = (tensor.stored + shape[mode] + 1) * index
    return {"fibres": tree, "sorted": flat, "rows": numbers, "permuted": numbers}


def _bytes(size: int, left: int) -> str:
    return f"The copy of the tensor takes about {size:,} bytes, of {left:,} that are left."


def _budget(algorithm: Algorithm, tensor: Input) -> int:
    memory = algorithm.parameters.memory
    index = 4 if max((*tensor.shape, tensor.stored)) < 2**31 else 8
    once = tensor.stored * (len(tensor.shape) * index + 8) + sum(tensor.shape) * index
    return memory if memory is not None else max(BUDGET, len(tensor.shape)) * once


def machine_for(algorithm: Algorithm) -> Machine:
    """This machine; where results must not depend on the number of threads, neither may the choice: all of its cores
    then count, whatever OMP_NUM_THREADS says."""
    threads = max(2, cpu.available_cores()) if algorithm.parameters.reproducible else algorithm.threads
    machine = this_machine(threads)
    return replace(machine, threads=threads) if threads is not None else machine


def _require_fixed_order(role: Role, result: CompileResult) -> None:
    dependences = result.thread_dependences
    if not dependences:
        return
    first = dependences[0]
    command = result.plan.schedule[first.command]
    raise CompileError(
        Diagnostic(
            "algorithm/depends-on-threads",
            f"{role.name} must give the same bits for any number of threads, but after `{command}` {first.reason}.",
            Location(Part.PLAN, path=f"/kernels/{role.name}/schedule/{first.command}"),
            expected="a schedule that adds in a fixed order",
            actual=command,
            hint="Use Temporary, or threads that take whole rows; or set reproducible to false.",
        )
    )


def _at_role(diagnostic: Diagnostic, role: str) -> Diagnostic:
    """The same, at its place in the document of the algorithm."""
    place = diagnostic.location
    path = f"/kernels/{role}"
    if place is not None and place.part is Part.SCHEDULE and place.command is not None:
        path += f"/schedule/{place.command}"
    elif place is not None and place.part is Part.FORMAT:
        path += f"/tensors/{place.tensor}/format"
    location = Location(Part.PLAN, path=path, tensor=place.tensor if place is not None else None)
    return replace(diagnostic, location=location)
