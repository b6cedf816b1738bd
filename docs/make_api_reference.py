"""Writes docs/api.md from the public modules: ``python -m docs.make_api_reference [--check]``.

What is public is in ``__all__`` of ``heddle`` and of the modules listed here; the text is the first paragraph of each
docstring, the rest is there with ``help(…)``.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

FILE = Path(__file__).resolve().parent / "api.md"
MODULES = (
    "heddle",
    "heddle.diagnostics",
    "heddle.plan",
    "heddle.targets",
    "heddle.frontends.table",
    "heddle.library.benchmarks.records",
    "heddle.library.benchmarks.sweep_result",
    "heddle.library.cache",
    "heddle.schedule.legal",
    "heddle.runtime.kernels.bound_call",
    "heddle.runtime.patterns.kernel",
    "heddle.tuning.search.automatic",
    "heddle.tuning.search.suggest",
    "heddle.tuning.rules.gpu.mttkrp",
    "heddle.algorithms.state",
    "heddle.algorithms.follow",
    "heddle.algorithms.trees.offers",
)
"""Those that a person imports from, or whose objects come back from a call."""

HEAD = """# Python API

<!-- Made by `python -m docs.make_api_reference` from __all__, signatures and docstrings; do not edit. -->

Everything public, by the module that it is imported from. [`import heddle as hd`](learn/1-first-kernel.md) has what
most programs need, the other modules have what its functions take and give. Names that are not here may change with any
release. `help(hd.pack)` shows the whole text of one of them, with arguments, results and errors.
"""


@dataclass(frozen=True, slots=True)
class Written:
    """An annotation, or a default, as its source has it."""

    text: str

    def __repr__(self) -> str:
        return self.text


def reference() -> str:
    modules = [import_module(name) for name in MODULES]
    rows = (f"| [`{module.__name__}`](#{anchor(module)}) | {names_of(module)} |" for module in modules)
    index = "\n".join(("| module | names |", "|---|---|", *rows))
    return "\n".join((HEAD, index, "", *(line for module in modules for line in section(module))))


def anchor(module: ModuleType) -> str:
    return re.sub(r"[^a-z0-9_-]", "", module.__name__)


def names_of(module: ModuleType) -> str:
    return ", ".join(f"`{name}`" for name in module.__all__)


def section(module: ModuleType) -> Iterator[str]:
    yield from (f"## {module.__name__}", "", summary(module), "")
    for name in module.__all__:
        value = getattr(module, name)
        home = getattr(value, "__module__", None)
        if name == "__version__":
            yield from (f"### {name}", "", "The version of Heddle, a text.", "")
            continue
        if home != module.__name__ and home in MODULES and name in import_module(home).__all__:
            yield from (f"### {name}", "", f"See [`{home}`](#{anchor(import_module(home))}).", "")
            continue
        yield from (f"### {name}", "")
        yield from described(name, value)


def described(name: str, value: object) -> Iterator[str]:
    match value:
        case type() if issubclass(value, Enum):
            yield from (summary(value), "", ", ".join(f"`{one.name}`" for one in value), "")
        case type():
            yield from (summary(value), "", *(line for text in of_attributes(value) for line in (text, "")))
            yield from members(value)
        case _ if inspect.isfunction(value):
            yield from ("```python", signature(name, value), "```", "", summary(value), "")
        case _:
            yield from (f"`{constant(value)}`", "")


def members(kind: type) -> Iterator[str]:
    """A class's fields and properties in a list, and its methods with their signatures; those of its parents, too."""
    data = [f"- `{name}`: {text}" for name, text in attributes(kind)]
    yield from (*data, *([""] if data else []))
    for name, function in methods(kind):
        yield from (f"`{signature(name, function).removeprefix('def ')}`", "", summary(function), "")


def attributes(kind: type) -> Iterator[tuple[str, str]]:
    shown: set[str] = set()
    if is_dataclass(kind):
        for each in fields(kind):
            if not each.name.startswith("_"):
                shown.add(each.name)
                yield each.name, f"`{each.type}`{default(each)}"
    for name, value in own(kind):
        if isinstance(value, (property, cached_property)) and name not in shown:
            yield name, summary(value)


def default(field: Field[Any]) -> str:
    return "" if field.default is MISSING else f", `{constant(field.default)}` by default"


def methods(kind: type) -> Iterator[tuple[str, Any]]:
    for name, value in own(kind):
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if inspect.isfunction(function):
            yield name, function


def own(kind: type) -> Iterator[tuple[str, object]]:
    """The public attributes that Heddle's classes define, each where it is defined last."""
    shown: set[str] = set()
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] != "heddle":
            continue
        for name, value in vars(base).items():
            if (not name.startswith("_") or name == "__call__") and name not in shown:
                shown.add(name)
                yield name, value


def signature(name: str, function: Any) -> str:
    found, empty = inspect.signature(function), inspect.Parameter.empty
    parameters = [
        parameter.replace(
            annotation=empty if parameter.annotation is empty else Written(str(parameter.annotation)),
            default=empty if parameter.default is empty else Written(constant(parameter.default)),
        )
        for parameter in found.parameters.values()
        if parameter.name not in {"self", "cls"}
    ]
    result = found.return_annotation
    result = result if result is found.empty else Written(str(result))
    text = str(found.replace(parameters=parameters, return_annotation=result))
    return f"def {name}{text}"


def constant(value: object) -> str:
    """Of an object of ours its name, for it may say much."""
    match value:
        case Enum():
            return f"{type(value).__name__}.{value.name}"
        case tuple() if value and not isinstance(value[0], str | int | float):
            return f"({', '.join(str(getattr(one, 'name', one)) for one in value)})"
    return repr(value)


def summary(value: object) -> str:
    """The first paragraph of a docstring."""
    return markdown((inspect.getdoc(value) or "").partition("\n\n")[0])


def of_attributes(kind: type) -> list[str]:
    """Further paragraphs of a class's docstring that say what its attributes are: they begin with one of them."""
    return [markdown(text) for text in (inspect.getdoc(kind) or "").split("\n\n")[1:] if text.startswith("``")]


def markdown(paragraph: str) -> str:
    text = re.sub(r":\w+:`~?(?:heddle\.)?([^`]+)`", r"`\1`", paragraph.replace("\n", " "))
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def main(arguments: list[str]) -> int:
    text = reference()
    if "--check" not in arguments:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.exists() and FILE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/api.md is not what the modules say. Run: python -m docs.make_api_reference", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
