"""A pasted text to a plan, with a summary of what was taken and what was not."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import CompileError
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.frontends.front_end import Statements
from heddle.frontends.table import front_end_of
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.iteration_graph.graph.nodes import IterationGraph, StartOrder
from heddle.notation.nodes import Assignment, accesses, statements
from heddle.pipeline import lower
from heddle.plan import VERSION, VERSIONS, Plan, TensorSpec, parse_plan, to_document
from heddle.schedule.syntax.parser import parse_command
from heddle.targets import CUDA, DEFAULT_TARGET, target_named
from heddle.tuning.mapping.commands import map_options
from heddle_server.imports.import_schema import ImportView, LeftOutView
from heddle_server.imports.imported import Imported
from heddle_server.imports.table import READERS, plan_document, reader_of


def import_view(text: str, current: Plan) -> ImportView:
    """What ``text`` makes of the plan that is open. Runs in a compile process."""
    try:
        document = plan_document(text)
        if document is not None:
            return _view("a plan", parse_plan(document), ["the whole plan"], Imported())
        reader = reader_of(text)
        if reader is None:
            known = ", ".join(candidate.title for candidate in READERS)
            return refused_import(f"This is nothing that Heddle reads. It reads {known}, and plans as JSON.")
        content = reader.read(text)
    except CompileError:
        raise  # the text is whole, the plan in it is not valid
    except ValueError as error:
        return refused_import(f"The text is not whole: {error}.")
    if content.empty:
        return refused_import(f"This looks like {reader.title}, but it holds no expression and no schedule.", content)
    plan, summary = _map(content, current) if content.options else _plan(content, current)
    return _view(reader.title, plan, summary, content)


def refused_import(message: str, content: Imported | None = None) -> ImportView:
    """The answer where there is no plan in the text."""
    left = content.left if content is not None else []
    return ImportView(
        ok=False,
        title="",
        plan=None,
        taken=[],
        left=[LeftOutView(text=omission.text, why=omission.why) for omission in left],
        notes=[message],
        diagnostics=[],
    )


def _view(title: str, plan: Plan, summary: list[str], content: Imported) -> ImportView:
    return ImportView(
        ok=True,
        title=title,
        plan=to_document(plan),
        taken=summary,
        left=[LeftOutView(text=omission.text, why=omission.why) for omission in content.left],
        notes=content.notes,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in lower(plan).diagnostics],
    )


def _map(content: Imported, current: Plan) -> tuple[Plan, list[str]]:
    """The plan that is open with the commands that mapping options mean for it."""
    try:
        mapping = map_options(current, content.options)
    except CompileError as error:
        content.notes.append(f"The program that is open does not compile: {error.diagnostics[0].message}")
        return current, []
    for remark in mapping.said:
        if remark.taken:
            content.notes.append(f"{remark.option.text}: {remark.text}")
        else:
            content.leave(remark.option.text, remark.text)
    count = len(mapping.commands)
    return replace(current, schedule=mapping.commands), [f"{count} command{'' if count == 1 else 's'} of the schedule"]


def _plan(content: Imported, current: Plan) -> tuple[Plan, list[str]]:
    """The plan, and what of the text is in it."""
    summary: list[str] = []
    plan = current
    if content.expression is not None:
        summary.append(f"the expression {content.expression}")
        if "".join(content.expression.split()) != "".join(current.expression.split()):
            plan = Plan(content.expression, target=current.target, run=current.run)
        plan = replace(plan, expression=content.expression, schedule=())
    elif not content.schedule:
        summary.append("the formats, for the expression that is open")
    else:
        content.notes.append(f"The text has no expression: the schedule is for {current.expression}.")
    program = _program(plan)
    plan = replace(plan, tensors=_tensors(plan, content, program, summary))
    if content.target is not None:
        plan = replace(plan, target=content.target)
        summary.append(f"the target {content.target}")
    elif any(unit.value in command for unit in GPU_UNITS for command in content.schedule):
        plan = replace(plan, target=plan.target if target_named(plan.target).only_gpu else CUDA.name)
        content.notes.append(f"The schedule runs loops on units of a GPU: the target is {plan.target}.")
    elif content.expression is not None:
        plan = replace(plan, target=DEFAULT_TARGET)
    if content.threads is not None:
        plan = replace(plan, run=replace(plan.run, threads=content.threads))
    if content.schedule or content.expression is not None:
        schedule = tuple(_spell(text, number) for number, text in enumerate(content.schedule))
        plan = _from_the_same_loops(replace(plan, schedule=schedule), content)
        if content.schedule:
            count = len(content.schedule)
            summary.append("1 command of the schedule" if count == 1 else f"{count} commands of the schedule")
    return plan, summary


def _program(plan: Plan) -> Assignment | None:
    """What the plan computes, where that is statements; None, too, where it is wrong: the editor says why."""
    front_end = front_end_of(plan.language)
    try:
        program = front_end.read(plan.expression, plan.sizes)
    except CompileError:
        return None
    return front_end.entry.assignment(program) if isinstance(front_end.entry, Statements) else None


def _orders(program: Assignment) -> dict[str, tuple[str, ...]]:
    """The index variables of each tensor, where it is read or written first."""
    orders: dict[str, tuple[str, ...]] = {}
    for statement in statements(program):
        for access in (statement.target, *accesses(statement.expression)):
            orders.setdefault(access.tensor, access.indices)
    return orders


def _tensors(plan: Plan, content: Imported, program: Assignment | None, summary: list[str]) -> dict[str, TensorSpec]:
    tensors = dict(plan.tensors)
    if content.complete:
        tensors = {name: replace(spec, format=None) for name, spec in tensors.items()}
    known = _orders(program) if program is not None else {}
    walked = _assumed_formats(content, known, tensors)
    for name, text in {**walked, **content.formats}.items():
        if known and name not in known:
            content.leave(f"{name}: {text}", f"{name} is not a tensor of the expression.")
            continue
        spelled = _format_of(text, known.get(name, ()), name)
        tensors[name] = replace(tensors.get(name, TensorSpec()), format=spelled)
        if name in content.formats:
            same = "" if spelled == text else f", which is {spelled} here"
            summary.append(f"{name} stored as {text}{same}")
    for name, dtype in content.dtypes.items():
        if known and name not in known:
            content.leave(f"{name}: {dtype}", f"{name} is not a tensor of the expression.")
        else:
            tensors[name] = replace(tensors.get(name, TensorSpec()), dtype=dtype)
            summary.append(f"{name} of {dtype}")
    used: set[str] = set()
    for name, indices in known.items():
        shape = content.shapes.get(name)
        if shape is None and indices and all(index in content.sizes for index in indices):
            shape = tuple(content.sizes[index] for index in indices)
            used |= {*indices}
        if shape is not None:
            tensors[name] = replace(tensors.get(name, TensorSpec()), shape=shape)
            summary.append(f"{name} of {' × '.join(map(str, shape))}")
    for index, size in content.sizes.items():
        if index not in used:
            content.leave(f"-d={index}:{size}", "A plan has the sizes of whole tensors; give those of the others, too.")
    return {name: spec for name, spec in tensors.items() if not known or name in known}


def _assumed_formats(
    content: Imported, known: dict[str, tuple[str, ...]], tensors: dict[str, TensorSpec]
) -> dict[str, str]:
    """A program that names no format but walks stored positions means a sparse tensor."""
    if content.formats:
        return {}
    walked = {command.rpartition(",")[2].strip(" )") for command in content.schedule if command.startswith("pos(")}
    assumed = {
        name: {2: "csr", 3: "csf"}.get(len(known[name]), "coo")
        for name in sorted(walked & known.keys())
        if tensors.get(name, TensorSpec()).format is None
    }
    for name, format in assumed.items():
        content.notes.append(f"The text names no format; {name}, whose positions are walked, is stored as {format}.")
    if (
        content.expression is not None
        and not (content.complete or assumed)
        and not any(spec.format for spec in tensors.values())
    ):
        content.notes.append("The text names no format: every tensor is dense until you choose others at Formats.")
    return assumed


def _format_of(text: str, indices: tuple[str, ...], tensor: str) -> str:
    """The format's own name; as it is where it is none, so that the editor says what is wrong."""
    try:
        return format_text(parse_format(text, len(indices), tensor))
    except CompileError:
        return text


def _spell(text: str, number: int) -> str:
    """The command as Heddle writes it; as it is where it does not parse."""
    try:
        parsed = parse_command(text, number)
    except CompileError:
        return text.strip()
    return f"{parsed.spec.name}({', '.join(argument.text for argument in parsed.arguments)})"


def _from_the_same_loops(plan: Plan, content: Imported) -> Plan:
    """TACO's commands start from loops with the result first and sums inside. Where Heddle's start in another order, a
    first command that makes that order is not needed; without it the plan is one of version 1, which starts as TACO
    does."""
    plan = replace(plan, version=VERSION)
    graphs = lower(replace(plan, schedule=(), target=DEFAULT_TARGET)).graphs
    moved = _find_moved(graphs[0]) if graphs else []
    if not moved:
        return plan
    commands = tuple(f"reorder({', '.join(order.loops)})" for order in moved)
    if plan.schedule[: len(commands)] == commands:
        content.notes.append(f"{', '.join(commands)} is left out: the loops start in this order here.")
        return replace(plan, schedule=plan.schedule[len(commands) :])
    content.notes.append(
        f"The loops start as in TACO, {' → '.join(moved[0].result_first)}: the plan is one of version {VERSIONS[0]}."
    )
    return replace(plan, version=VERSIONS[0])


def _find_moved(graph: IterationGraph) -> list[StartOrder]:
    """The statements whose loops start in another order than TACO's, as far as commands can say it."""
    moved = (order for order in graph.started if order.loops != order.result_first)
    return [order for order in moved if {*order.loops} <= {*graph.underived}]
