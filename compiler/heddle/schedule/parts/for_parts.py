"""``A[*]: split(p, b, y, 8 * (widest / width))``: one command for several parts of an operand, each over its own
variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from heddle.advice import Advice, SelectParts, UseOther
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.schedule.command import Command, CommandSpec, Parameter
from heddle.schedule.parts.arithmetic import Arithmetic, ArithmeticMistake
from heddle.schedule.parts.selection import Selection
from heddle.signature import PartSignature, Signature

Value = str | int | tuple[str, ...] | Arithmetic
_NAMES = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class ForParts:
    """The command ``spec`` with ``values``, applied to every part of ``selection`` or to none. What the arguments name
    is as in the program of one part: ``i`` is ``i_ell4`` in the part ``ell4``."""

    selection: Selection
    spec: CommandSpec
    values: tuple[tuple[str, Value], ...]

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        *_, (_, steps) = self._steps(graph, number)
        return steps

    def at_fault(
        self, graph: IterationGraph, number: int, refusal: Refusal, check: Callable[[IterationGraph], None]
    ) -> Refusal:
        """``refusal`` of the graph after all parts, as that of the first part after which ``check`` raises one."""
        for part, stage in self._steps(graph, number):
            try:
                check(stage)
            except Refusal as fault:
                return _in_part(fault, part)
        return refusal

    def _steps(self, graph: IterationGraph, number: int) -> Iterator[tuple[PartSignature, IterationGraph]]:
        for place, part in self.selection.of(graph):
            try:
                graph = self._command(graph, place, part).apply(graph, number)
            except Refusal as refusal:
                raise _in_part(refusal, part) from None
            yield part, graph

    def _command(self, graph: IterationGraph, place: int, part: PartSignature) -> Command:
        values = dict(self.values)
        parameters = {parameter.name: parameter for parameter in self.spec.parameters}
        return self.spec.make(
            **{name: self._value(graph, place, part, parameters[name], value) for name, value in values.items()}
        )

    def _value(
        self, graph: IterationGraph, place: int, part: PartSignature, parameter: Parameter, value: Value
    ) -> str | int | tuple[str, ...]:
        if isinstance(value, Arithmetic):
            return self._integer(graph, place, part, parameter, value)
        if isinstance(value, int):
            return value
        if isinstance(value, tuple):
            return tuple(_rename_for_part(graph, part, parameter, self.selection.tensor, name) for name in value)
        if parameter.kind in ("enumeration", "parts"):
            return value
        if parameter.kind == "expression":
            tensor = self.selection.tensor
            return _NAMES.sub(lambda match: _rename_for_part(graph, part, parameter, tensor, match.group()), value)
        return _rename_for_part(graph, part, parameter, self.selection.tensor, value)

    def _integer(
        self, graph: IterationGraph, place: int, part: PartSignature, parameter: Parameter, value: Arithmetic
    ) -> int:
        constants = part_constants(graph.signature, place)
        try:
            return value.value(constants)
        except ArithmeticMistake as bad:
            if not bad.missing:
                raise Refusal(
                    "schedule/bad-arithmetic",
                    f"{value.text} has no value: {bad.text}.",
                    argument=parameter.name,
                    expected="an integer for each part",
                    actual=bad.text,
                ) from None
            having = [
                str(number)
                for number, _ in self.selection.of(graph)
                if bad.text in part_constants(graph.signature, number)
            ]
            others = f"{self.selection.tensor}[{', '.join(having)}]"
            remedy = f" Select {others}." if having else ""
            raise Refusal(
                "schedule/no-constant",
                f"{part.name} has no {bad.text}.{remedy}",
                argument=parameter.name,
                expected=f"a constant of {part.name}: {', '.join(constants)}",
                actual=bad.text,
                candidates=tuple(constants),
                advice=(SelectParts(others),) if having else (),
            ) from None


def part_constants(signature: Signature, place: int) -> dict[str, int]:
    """What arithmetic may ask of part ``place``."""
    summed = signature.sum
    assert summed is not None
    widths = [_width(signature, part) for part in summed.parts]
    constants = {"part": place, "parts": len(summed.parts)}
    known = [width for width in widths if width is not None]
    if known:
        constants["widest"] = max(known)
    width, height = widths[place], signature.tensors[summed.parts[place].operand].format.blocks.get(0)
    return constants | ({} if width is None else {"width": width}) | ({} if height is None else {"height": height})


def _width(signature: Signature, part: PartSignature) -> int | None:
    tensor = signature.tensors[part.operand]
    padded = [
        level.parameter
        for level in tensor.format.levels
        if level.parameter is not None and level.stored is not None and level.stored.cuts_repeated
    ]
    return padded[-1] if padded else tensor.format.blocks.get(tensor.order - 1)


def _rename_for_part(graph: IterationGraph, part: PartSignature, parameter: Parameter, tensor: str, name: str) -> str:
    """The name that stands for ``name`` in a part."""
    if parameter.kind.startswith("new-"):
        return f"{name}_{part.name}"
    return part.operand if name == tensor else name_in_part(graph, part, name)


def name_in_part(graph: IterationGraph, part: PartSignature, name: str) -> str:
    """The variable or workspace of a part that is called ``name`` in the program of one part; else ``name``."""
    known = {*variables(graph), *graph.workspaces}
    if name in part.variables:
        return part.variables[name]
    derived = [f"{name}_{part.name}"]
    derived += [
        variable + name[len(base) :] for base, variable in part.variables.items() if name.startswith(f"{base}_")
    ]
    return next((candidate for candidate in derived if candidate in known), name)


def _in_part(refusal: Refusal, part: PartSignature) -> Refusal:
    """The refusal of one part as that of the whole command, over the names that the command has."""

    def show(name: str) -> str:
        whole = next((original for original, variable in part.variables.items() if variable == name), name)
        return whole.removesuffix(f"_{part.name}")

    def filter_advice(advice: Advice) -> Iterator[Advice]:
        match advice:
            case UseOther(argument=argument, value=value):
                yield UseOther(argument, show(value))
            case SelectParts():
                yield advice
            case _:  # It is about variables of the part, which nobody wrote.
                pass

    return Refusal(
        refusal.code,
        f"in part {part.name}, {refusal.message}",
        argument=refusal.argument,
        expected=refusal.expected,
        actual=show(refusal.actual) if refusal.actual is not None else None,
        candidates=tuple(map(show, refusal.candidates)),
        hint=refusal.hint,
        fixes=refusal.fixes,
        advice=tuple(suggestion for advice in refusal.advice for suggestion in filter_advice(advice)),
        command=refusal.command,
    )
