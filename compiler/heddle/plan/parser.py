"""Plan documents from anywhere: read strictly, with every problem reported and nothing ignored."""

from __future__ import annotations

import re

from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.fills.fill import SPELLED, Fill, read_fill
from heddle.formats.composed.shortened import shorten_format
from heddle.formats.limits import MAX_LENGTH as MAX_FORMAT_LENGTH
from heddle.frontends.table import DEFAULT_LANGUAGE, FRONT_ENDS, LANGUAGES, front_end_of
from heddle.plan.inputs import read_input, read_shape
from heddle.plan.limits import (
    MAX_BASELINES,
    MAX_COMMAND_LENGTH,
    MAX_COMMANDS,
    MAX_DIMENSION,
    MAX_TENSORS,
    MAX_THREADS,
)
from heddle.plan.parameters import check_parameters, read_arguments
from heddle.plan.plan import (
    CONVERSIONS,
    DTYPES,
    VERSIONS,
    Options,
    Plan,
    RunSpec,
    TensorSpec,
)
from heddle.plan.reader import Reader, child, describe, name_of, shorten
from heddle.plan.schedule_text import split_schedule, without_comment
from heddle.targets import DEFAULT_TARGET, TARGET_NAMES

MAX_TEXT = MAX_COMMANDS * (MAX_COMMAND_LENGTH + 1)
"""Characters of a schedule that is one text; a longer one is not cut into commands before it is counted."""

KEYS = (
    "version",
    "expression",
    "language",
    "sizes",
    "arguments",
    "tensors",
    "schedule",
    "target",
    "inputs",
    "run",
    "options",
)
TENSOR_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
BASELINE = re.compile(r"[a-z][a-z0-9-]{0,31}")


def parse_plan(document: object) -> Plan:
    """The Plan that a JSON document spells; ``schedule`` may be a list of commands or one text.

    Raises CompileError with every problem of the document (codes ``plan/...``, each with a JSON pointer). That the
    expression, formats and schedule compile is not asked here, only that their sizes are bounded and that ``tensors``
    and ``inputs`` name tensors of the expression.
    """
    reader = Reader()
    entries = reader.entries(document, "", 64)
    reader.finish()
    version = _version(entries)
    reader.known_keys(entries, "", KEYS)
    expression = _expression(reader, entries)
    plan = Plan(
        expression=expression,
        tensors=_tensors(reader, entries.get("tensors", {})),
        schedule=_schedule(reader, entries.get("schedule", [])),
        target=reader.choice(entries.get("target", DEFAULT_TARGET), "/target", TARGET_NAMES) or DEFAULT_TARGET,
        inputs=_inputs(reader, entries.get("inputs", {})),
        run=_run(reader, entries.get("run", {})),
        options=_options(reader, entries.get("options", {})),
        version=version,
        language=_language(reader, entries.get("language", DEFAULT_LANGUAGE)),
        sizes=_sizes(reader, entries.get("sizes", {})),
        arguments=read_arguments(reader, entries.get("arguments", {})),
    )
    reader.finish()
    _check_tensors(reader, plan)
    reader.finish()
    return plan


def _version(entries: dict[str, object]) -> int:
    """The version of the document; one that says nothing is as old as the first."""
    version = entries.get("version", VERSIONS[0])
    read = next((candidate for candidate in VERSIONS if candidate == version and not isinstance(version, bool)), None)
    if read is not None:
        return read
    known = " and ".join(map(str, VERSIONS))
    raise CompileError(
        Diagnostic(
            "plan/version",
            f"this Heddle reads plans of version {known}, found {describe(version)}",
            Location(Part.PLAN, path="/version"),
            expected=" or ".join(map(str, VERSIONS)),
            actual=describe(version),
            hint="a newer Heddle may have written it",
        )
    )


def _expression(reader: Reader, entries: dict[str, object]) -> str:
    if "expression" not in entries:
        reader.problem(
            "plan/missing",
            "the plan has no expression",
            "/expression",
            expected="an expression, for example y(i) = A(i,j) * x(j)",
            actual="nothing",
        )
        return ""
    value = entries["expression"]
    if not isinstance(value, str):
        reader.wrong_type(value, "/expression", "a text")
        return ""
    return value


def _sizes(reader: Reader, value: object) -> dict[str, int]:
    """Integers by the names that the expression has for them; whether it has them, its language says."""
    sizes: dict[str, int] = {}
    for name, size in reader.entries(value, "/sizes", MAX_TENSORS).items():
        number = reader.integer(size, child("/sizes", name), -MAX_DIMENSION, MAX_DIMENSION)
        if number is not None:
            sizes[name] = number
    return sizes


def _language(reader: Reader, value: object) -> str:
    if isinstance(value, str) and value in LANGUAGES:
        return value
    titles = ((front_end.name, front_end.title.lower()) for front_end in FRONT_ENDS)
    known = ", ".join(name if name == title else f"{name} ({title})" for name, title in titles)
    reader.problem(
        "plan/language",
        f"this Heddle reads expressions in {known}, found {describe(value)}",
        "/language",
        expected=" or ".join(LANGUAGES),
        actual=describe(value),
        candidates=LANGUAGES,
        hint="a newer Heddle may have written it",
    )
    return DEFAULT_LANGUAGE


def _tensors(reader: Reader, value: object) -> dict[str, TensorSpec]:
    tensors: dict[str, TensorSpec] = {}
    for name, spec in reader.entries(value, "/tensors", MAX_TENSORS).items():
        path = child("/tensors", name)
        if not _is_tensor_name(reader, name, path):
            continue
        entries = reader.entries(spec, path, 16)
        reader.known_keys(entries, path, ("format", "dtype", "shape", "fill"))
        format, dtype, shape = (entries.get(key) for key in ("format", "dtype", "shape"))
        tensors[name] = TensorSpec(
            format=None if format is None else _format(reader, name, format, child(path, "format")),
            dtype=None if dtype is None else reader.choice(dtype, child(path, "dtype"), DTYPES),
            shape=None if shape is None else read_shape(reader, shape, child(path, "shape")),
            fill=_fill(reader, entries.get("fill", 0), child(path, "fill")),
        )
    return tensors


def _format(reader: Reader, tensor: str, value: object, path: str) -> str | None:
    return reader.text(value, path, MAX_FORMAT_LENGTH, lambda text: shorten_format(text, tensor, MAX_FORMAT_LENGTH))


def _fill(reader: Reader, value: object, path: str) -> Fill:
    """A number, a truth value, or a text for what JSON has no number for: ``inf``, ``-inf``, ``nan``, ``1+2j``."""
    fill = read_fill(value)
    if fill is not None:
        return fill
    actual, expected = describe(value), f"a number, a truth value, or one of {', '.join(SPELLED)} and 1+2j"
    reader.problem(
        "plan/fill", f"{name_of(path)} must be {expected}, found {actual}", path, expected=expected, actual=actual
    )
    return 0


def _schedule(reader: Reader, value: object) -> tuple[str, ...]:
    """The commands, without blank lines and comments."""
    if isinstance(value, str):
        lines: list[object] = [*(value.splitlines() if len(value) > MAX_TEXT else split_schedule(value))]
    else:
        lines = reader.elements(value, "/schedule", None, "commands")
    commands = [without_comment(line) if isinstance(line, str) else line for line in lines]
    places = [place for place, command in enumerate(commands) if not _is_blank(command)]
    if len(places) > MAX_COMMANDS:
        reader.problem(
            "plan/too-many-commands",
            f"the schedule has {len(places)} commands, the limit is {MAX_COMMANDS}",
            "/schedule",
            expected=f"at most {MAX_COMMANDS} commands",
            actual=f"{len(places)} commands",
        )
        return ()
    texts = [reader.text(commands[place], child("/schedule", place), MAX_COMMAND_LENGTH) or "" for place in places]
    return tuple(" ".join(text.splitlines()) for text in texts)


def _is_blank(command: object) -> bool:
    return isinstance(command, str) and not command


def _inputs(reader: Reader, value: object) -> dict[str, dict[str, object]]:
    return {
        name: read_input(reader, source, child("/inputs", name))
        for name, source in reader.entries(value, "/inputs", MAX_TENSORS).items()
        if _is_tensor_name(reader, name, child("/inputs", name))
    }


def _run(reader: Reader, value: object) -> RunSpec:
    entries = reader.entries(value, "/run", 16)
    reader.known_keys(entries, "/run", ("baselines", "threads"))
    baselines: dict[str, None] = {}
    for place, name in enumerate(
        reader.elements(entries.get("baselines", []), "/run/baselines", MAX_BASELINES, "baselines")
    ):
        if isinstance(name, str) and BASELINE.fullmatch(name):
            baselines[name] = None
        else:
            reader.wrong_type(name, child("/run/baselines", place), "the name of a baseline")
    threads = entries.get("threads")
    return RunSpec(
        tuple(baselines) if "baselines" in entries else RunSpec().baselines,
        None if threads is None else reader.integer(threads, "/run/threads", 1, MAX_THREADS),
    )


def _options(reader: Reader, value: object) -> Options:
    entries = reader.entries(value, "/options", 16)
    reader.known_keys(entries, "/options", ("convert",))
    default = Options()
    convert = reader.choice(entries.get("convert", default.convert), "/options/convert", CONVERSIONS)
    return Options(convert or default.convert)


def _is_tensor_name(reader: Reader, name: str, path: str) -> bool:
    if TENSOR_NAME.fullmatch(name):
        return True
    reader.problem(
        "plan/tensor-name",
        f"`{shorten(name)}` cannot name a tensor",
        path,
        expected="a letter, then letters, digits and underscores",
        actual=f"`{shorten(name)}`",
    )
    return False


def _check_tensors(reader: Reader, plan: Plan) -> None:
    """What ``tensors`` and ``inputs`` say must be about tensors of the expression, and shapes must have their order.

    An expression that does not parse has its own diagnostics when it is compiled; only its length counts here.
    """
    front_end = front_end_of(plan.language)
    try:
        front_end.check_length(plan.expression)
    except CompileError as error:
        reader.diagnostics += error.diagnostics
        return
    try:
        orders = front_end.tensors(front_end.parse(plan.expression))
    except CompileError:
        return
    check_parameters(reader, plan, tuple(orders))
    known = (*orders, *sorted(plan.sources - orders.keys()))
    for part, names in (("tensors", plan.tensors), ("inputs", plan.inputs)):
        for name in names:
            if name not in known:
                _unknown_tensor(reader, plan, part, name, known)
    shapes: list[tuple[str, str, object]] = [
        *((name, f"/tensors/{name}/shape", spec.shape) for name, spec in plan.tensors.items()),
        *((name, f"/inputs/{name}/shape", source.get("shape")) for name, source in plan.inputs.items()),
    ]
    for name, path, shape in shapes:
        if (
            name in orders
            and name not in plan.sources
            and isinstance(shape, list | tuple)
            and len(shape) != orders[name]
        ):
            actual = f"{len(shape)} {'size' if len(shape) == 1 else 'sizes'}"
            reader.problem(
                "plan/shape-order",
                f"{name} has {_dimensions(orders[name])}, but its shape has {actual}",
                path,
                expected=f"{orders[name]} sizes" if orders[name] != 1 else "1 size",
                actual=actual,
                tensor=name,
            )


def _unknown_tensor(reader: Reader, plan: Plan, part: str, name: str, tensors: tuple[str, ...]) -> None:
    close = nearest(name, tensors)
    reader.diagnostics.append(
        Diagnostic(
            "plan/unknown-tensor",
            f"{part} has an entry for {name}, which the expression does not use",
            Location(Part.PLAN, path=child(f"/{part}", name), tensor=name),
            expected="one of " + ", ".join(sorted(tensors)),
            actual=name,
            candidates=close or tuple(sorted(tensors)),
            hint=f"remove the entry, or use {name} in {plan.expression.strip()}",
        )
    )


def _dimensions(order: int) -> str:
    return "no dimensions" if order == 0 else "1 dimension" if order == 1 else f"{order} dimensions"
