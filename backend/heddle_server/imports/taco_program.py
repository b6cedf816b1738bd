"""TACO's C++ interface, which is the notation of the scheduling paper's appendix too: an assignment to a tensor, and a
chain of ``stmt.split(i, i0, i1, 32).parallelize(i0, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces)``."""

from __future__ import annotations

import re

from heddle.formats.vocabulary import LETTERS
from heddle.schedule.command import Parameter
from heddle.schedule.registry import COMMANDS
from heddle_server.imports.cpp_constants import Constants
from heddle_server.imports.cpp_text import arguments_of, calls, statements_of
from heddle_server.imports.imported import Imported

_CHAIN = re.compile(r"\.\s*(?:" + "|".join(COMMANDS) + r")\s*\(")
_TARGET = re.compile(r"^(\w+(?:\s*\([\w\s,]*\))?)\s*(\+?=)\s*(.+)$", re.DOTALL)
_TENSOR = re.compile(r"^Tensor\s*<\s*([\w:<> ]+?)\s*>\s*(\w+)\s*[({](.*)[)}]$", re.DOTALL)
_TENSOR_TYPE = re.compile(r"\bTensor\s*<[\w:<> ]+>\s*\w+\s*[({]")
_FORMAT = re.compile(r"^(?:const\s+)?Format\s+(\w+)\s*[({](.*)[)}]$", re.DOTALL)
_DECLARED = re.compile(r"^(?:const\s+)?(IndexVar|TensorVar|IndexExpr|IndexStmt|Type|Dimension)\b")
_NAMED = re.compile(r"^(?:IndexExpr|auto)\s+(\w+)\s*=\s*(.+)$", re.DOTALL)
_ACCESS = re.compile(r"^\w+\s*\([\w\s,]*\)$")
_NUMBER_DEFINED = re.compile(r"^(?:(?:const|constexpr|static)\s+)*(?:int|size_t|unsigned|long)\s+\w+\s*=")

LEVELS = {"dense": "d", "sparse": "s", "compressed": "s", "singleton": "q"}
NAMED_FORMATS = {"CSR": "csr", "CSC": "csc", "DCSR": "dcsr", "DCSC": "dcsc"}
DTYPES = {"double": "float64", "float": "float32", "int": "int32", "int64_t": "int64", "int32_t": "int32"}
BY_ITSELF = {
    "concretize": None,
    "getAssignment": None,
    "scalarPromote": "Heddle keeps sums in scalars by itself.",
    "insertTemporaries": "Heddle makes the workspaces that it needs by itself.",
    "parallelizeOuterLoop": "Heddle runs loops in parallel only where the schedule says so; write parallelize.",
    "reorderLoopsTopologically": "Heddle starts from loops that follow the storage orders by itself.",
}
"""What it calls on statements beside schedule commands; None says nothing that a plan lacks."""


def is_taco_program(text: str) -> bool:
    named = any(name in text for name in ("IndexVar", "IndexStmt"))
    return named or _CHAIN.search(text) is not None or _TENSOR_TYPE.search(text) is not None


def read_taco_program(text: str) -> Imported:
    """Raises ValueError where a parenthesis does not close."""
    content, constants = Imported(), Constants(text)
    formats: dict[str, str] = dict(NAMED_FORMATS)
    aliases: dict[str, str] = {}
    for statement in statements_of(text):
        _take(statement, content, constants, formats, aliases)
    content.complete = content.expression is not None and bool(content.formats)
    if constants.assumed:
        values = ", ".join(f"{name} = {value}" for name, value in constants.assumed.items())
        content.notes.append(f"The text does not define these; they are as in the paper's experiments: {values}.")
    return content


def _take(
    statement: str, content: Imported, constants: Constants, formats: dict[str, str], aliases: dict[str, str]
) -> None:
    if _CHAIN.search(statement) or any(name in BY_ITSELF for name, _ in calls(statement)):
        _take_chain(statement, content, constants, aliases)
    elif tensor := _TENSOR.match(statement):
        _take_tensor(tensor, content, constants, formats)
    elif named := _FORMAT.match(statement):
        letters = _letters(named[2])
        if letters is None:
            content.leave(statement, "Only formats of dense, sparse and singleton levels are read.")
        else:
            formats[named[1]] = letters
    elif expression := _NAMED.match(statement):
        aliases[expression[1]] = _with_aliases(expression[2], aliases)
    elif _DECLARED.match(statement) or _NUMBER_DEFINED.match(statement) or statement.startswith("#define"):
        return  # names, which the rest uses
    elif (target := _TARGET.match(statement)) and content.expression is None:
        content.expression = f"{target[1]} {target[2]} {_with_aliases(target[3], aliases)}"
    else:
        content.leave(statement, "It is neither an assignment of a tensor nor a format nor a schedule command.")


def _take_chain(statement: str, content: Imported, constants: Constants, aliases: dict[str, str]) -> None:
    for name, inside in calls(statement):
        arguments = arguments_of(inside)
        if name in COMMANDS:
            command = _command(name, arguments, constants, aliases)
            if isinstance(command, str):
                content.schedule.append(command)
            else:
                content.leave(f"{name}({inside})", command[0])
        elif name not in BY_ITSELF:
            content.leave(f"{name}({inside})", "Heddle does not know this schedule command.")
        elif (reason := BY_ITSELF[name]) is not None:
            content.leave(f"{name}({inside})", reason)


def _command(name: str, arguments: list[str], constants: Constants, aliases: dict[str, str]) -> str | tuple[str]:
    """The command in Heddle's text, or why it cannot be read."""
    parameters = COMMANDS[name].parameters
    if name == "reorder" and len(arguments) == 1 and arguments[0].startswith("{"):
        arguments = arguments_of(arguments[0].strip("{}"))
    if name == "bound" and len(arguments) == 4 and "::" in arguments[2]:  # the paper's text has type before bound
        arguments = [*arguments[:2], arguments[3], arguments[2]]
    written = []
    for place, argument in enumerate(arguments):
        parameter = parameters[min(place, len(parameters) - 1)]
        value = _argument(argument, parameter, constants, aliases)
        if value is None:
            return (f"{argument} has no value in the text. Write the number in its place.",)
        written.append(value)
    return f"{name}({', '.join(written)})"


def _argument(argument: str, parameter: Parameter, constants: Constants, aliases: dict[str, str]) -> str | None:
    match parameter.kind:
        case "integer":
            value = constants.value(argument)
            return str(value) if value is not None else None
        case "enumeration":
            return argument.rpartition("::")[2]
        case "tensor":
            return argument.partition("(")[0].partition(".")[0].strip()
        case "expression":
            return _with_aliases(argument, aliases)
        case _:
            return argument


def _with_aliases(expression: str, aliases: dict[str, str]) -> str:
    """An expression with the names of others written out, in parentheses where it is a part of something."""
    whole = aliases.get(expression.strip())
    if whole is not None:
        return whole
    return re.sub(
        r"\b\w+\b(?!\s*\()", lambda name: f"({aliases[name[0]]})" if name[0] in aliases else name[0], expression
    )


def _take_tensor(declared: re.Match[str], content: Imported, constants: Constants, formats: dict[str, str]) -> None:
    dtype, name, inside = declared.groups()
    if dtype in DTYPES:
        if DTYPES[dtype] != "float64":
            content.dtypes[name] = DTYPES[dtype]
    else:
        content.leave(f"Tensor<{dtype}>", f"Heddle has no such type; {name} holds float64.")
    for argument in arguments_of(inside)[1:]:
        letters = formats.get(argument.strip()) or _letters(argument)
        if letters is not None:
            if letters.split(":")[0].strip("d"):
                content.formats[name] = letters
            continue
        sizes = [constants.value(size) for size in arguments_of(argument.strip().strip("{}"))]
        if all(size is not None for size in sizes) and sizes:
            content.shapes[name] = tuple(size for size in sizes if size is not None)
        elif argument.strip():
            content.leave(f"{name}: {argument}", "Sizes that the text does not give as numbers come from the inputs.")


def _letters(text: str) -> str | None:
    """``{Dense, Sparse}, {1, 0}`` or ``Format({…})`` as TACO's letters; None where it is something else."""
    inside = re.sub(r"^\s*Format\s*[({](.*)[)}]\s*$", r"\1", text.strip(), flags=re.DOTALL)
    parts = arguments_of(inside)
    if parts and not parts[0].startswith("{"):
        parts = [inside]
    kinds = [_level(kind) for kind in arguments_of(parts[0].strip("{} "))] if parts else []
    if not kinds or any(kind is None for kind in kinds):
        return None
    letters = "".join(kind for kind in kinds if kind is not None)
    order = ",".join(arguments_of(parts[1].strip("{} "))) if len(parts) > 1 else ""
    return f"{letters}:{order}" if order else letters


def _level(text: str) -> str | None:
    """``Dense``, ``taco::sparse``, ``Compressed({ModeFormat::NOT_UNIQUE})`` as a letter."""
    name = text.partition("(")[0].rpartition("::")[2].strip().lower()
    letter = LEVELS.get(name)
    if letter is not None and "NOT_UNIQUE" in text.upper():
        letter = {"s": "u", "q": "c"}.get(letter, letter)
    return letter if letter in LETTERS else None
