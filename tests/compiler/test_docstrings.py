"""What ``hd`` exports and what protocols ask for is documented: what goes in and out, and which errors come."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from abc import ABC
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

import heddle as hd
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.tuning.search.automatic import AutomaticKernel
from heddle.tuning.search.suggest import Suggestion

ROOT = Path(hd.__file__).parent

PUBLIC: dict[str, Callable[..., object]] = {name: getattr(hd, name) for name in hd.__all__ if name != "__version__"}
PUBLIC |= {one.__name__: one for one in (AutomaticKernel, BoundCall, Suggestion)}
"""What ``hd`` exports, and what a person gets from it under no exported name."""

CANNOT_RAISE = {"Decomposition.score", "Tensor.arguments"}
"""Public callables that take arguments and raise no error of Heddle, whatever these are."""

NAMED = re.compile(r"``((?:expression|format|input|plan|runtime|schedule)/[a-z0-9-]+)``")
"""Codes of diagnostics in a docstring."""

ARRAYS = re.compile(r"\b(?:Array|NDArray|Tensor|coo_array|sparray)\b")
"""In the types of a callable: it takes or gives arrays, whose shape and dtype its documentation names."""


def public(name: str) -> Iterator[tuple[str, Callable[..., object]]]:
    """An exported function, or the public methods of an exported class with those of its parents in the compiler."""
    exported = PUBLIC[name]
    if not inspect.isclass(exported):
        yield name, exported
        return
    for attribute, value in inspect.getmembers(exported, inspect.isfunction):
        if value.__module__.startswith("heddle.") and (not attribute.startswith("_") or attribute == "__call__"):
            yield f"{name}.{attribute}", value


CALLABLES = dict(each for name in PUBLIC for each in public(name))


def takes_arguments(function: Callable[..., object]) -> bool:
    return bool(set(inspect.signature(function).parameters) - {"self"})


@cache
def codes() -> frozenset[str]:
    """Every code of a diagnostic in the compiler; those of data files are written without ``input/``."""
    texts = [path.read_text() for path in ROOT.rglob("*.py")]
    found = {code for text in texts for code in re.findall(r'"([a-z]+/[a-z0-9-]+)"', text)}
    found |= {f"input/{code}" for text in texts for code in re.findall(r'^\s+"([a-z-]+)",$', text, re.MULTILINE)}
    return frozenset(found)


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_exported_is_documented(name: str) -> None:
    exported = PUBLIC[name]
    properties = inspect.getmembers(exported, lambda member: isinstance(member, property))
    for documented in (exported, *(value for _, value in properties), *(function for _, function in public(name))):
        text = inspect.getdoc(documented) or ""
        prose = text.partition("\n\nExamples\n")[0]
        assert prose.endswith((".", "``", "]", ")")), f"{documented} is not documented"
        assert not text.startswith(f"{name}("), f"{documented} has the text that dataclasses make"


@pytest.mark.parametrize("name", [name for name, one in CALLABLES.items() if takes_arguments(one)])
def test_who_takes_arguments_says_what_is_raised(name: str) -> None:
    says = "Raises\n------\n" in (inspect.getdoc(CALLABLES[name]) or "")
    assert says is (name not in CANNOT_RAISE)


@pytest.mark.parametrize("name", [name for name, one in CALLABLES.items() if ARRAYS.search(str(one.__annotations__))])
def test_who_takes_or_gives_arrays_says_their_shapes_and_dtypes(name: str) -> None:
    text = (inspect.getdoc(CALLABLES[name]) or "").lower()
    assert re.search(r"\bshapes?\b|\bby dimension\b|\bsame\b", text), f"{name} says nothing of shapes"
    assert re.search(r"\bdtypes?\b|\btypes? of\b|\bint64\b|\bsame\b", text), f"{name} says nothing of dtypes"


FUNCTIONS = [name for name, value in PUBLIC.items() if inspect.isfunction(value)]
SHOWN = {"compile", "lower", "pack", "evaluate", "einsum", "read", "load", "threads", "cp_als"}
"""Where most programs begin: ``help`` has an example."""
SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n(-+)$", re.MULTILINE)
ORDER = (
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "See Also",
    "Notes",
    "References",
    "Examples",
)
"""Of the sections of a docstring, as numpydoc has it; types stand in the signature, that of a result in both."""
OTHER_STYLES = re.compile(
    r"^\s*(?:Args|Arguments|Parameters|Attributes|Returns|Yields|Raises|Notes?|Examples?):$|:param "
)


def sections(text: str) -> dict[str, str]:
    """The body of each section of a docstring in NumPy style, in their order."""
    parts = SECTION.split(text)[1:]
    assert all(len(title) == len(dashes) for title, dashes in zip(parts[::3], parts[1::3], strict=True))
    return {title: body.strip("\n") for title, body in zip(parts[::3], parts[2::3], strict=True)}


def documented_nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node, ast.get_docstring(node) or ""


def faults_of_style(tree: ast.Module) -> Iterator[str]:
    """What is not NumPy style: sections of another style or out of order, and a result of another type."""
    for node, text in documented_nodes(tree):
        name = getattr(node, "name", "the module")
        if any(OTHER_STYLES.match(line) for line in text.splitlines()):
            yield f"{name}: a section of another style"
        bodies = sections(text)
        if any(body.startswith(" ") for body in bodies.values()):
            yield f"{name}: a section whose entries do not begin below its dashes"
        if [*bodies] != [title for title in ORDER if title in bodies]:
            yield f"{name}: {', '.join(bodies)}: the order is {', '.join(ORDER)}"
        if "Returns" in bodies and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            first = bodies["Returns"].partition("\n")[0]
            if ast.dump(ast.parse(first, mode="eval").body) != ast.dump(node.returns):
                yield f"{name}: says that it returns {first}"


@pytest.mark.every_commit
def test_docstrings_have_the_style_of_numpy() -> None:
    folders = ("backend", "benchmarks", "compiler", "docs", "e2e", "proofs", "tests", "tools")
    files = [path for folder in folders for path in sorted((ROOT.parents[1] / folder).rglob("*.py"))]
    with_sections = [path for path in files if re.search(r"^\s+(?:-+|[A-Z][a-z]+:)$", path.read_text(), re.MULTILINE)]
    assert len(with_sections) > 200
    assert [
        f"{path.relative_to(ROOT.parents[1])}: {fault}"
        for path in with_sections
        for fault in faults_of_style(ast.parse(path.read_text()))
    ] == []


def test_another_style_is_told() -> None:
    google = 'def f(x: int) -> int:\n    """It.\n\n    Args:\n        x: a number.\n    """\n'
    sections = ("Raises\n    ------\n    E\n        why.", "Returns\n    -------\n    str\n        it.")
    mixed = '    """It.\n\n    {}\n\n    {}\n    """\n'.format(*sections)
    assert list(faults_of_style(ast.parse(google))) == ["f: a section of another style"]
    half = google.replace("Args:\n", "Parameters\n    ----------\n")
    assert list(faults_of_style(ast.parse(half))) == ["f: a section whose entries do not begin below its dashes"]
    assert list(faults_of_style(ast.parse(f"def f() -> int:\n{mixed}"))) == [
        f"f: Raises, Returns: the order is {', '.join(ORDER)}",
        "f: says that it returns str",
    ]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_documents_each_of_its_arguments_once(name: str) -> None:
    section = sections(inspect.getdoc(PUBLIC[name]) or "").get("Parameters", "")
    groups = [line for line in section.splitlines() if line and not line.startswith(" ")]
    documented = [argument.lstrip("*") for group in groups for argument in group.split(", ")]
    assert sorted(documented) == sorted(inspect.signature(PUBLIC[name]).parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_returns(name: str) -> None:
    returns = inspect.signature(PUBLIC[name]).return_annotation
    asks = bool(inspect.signature(PUBLIC[name]).parameters) and not returns.startswith(("None", "Iterator"))
    assert ("Returns" in sections(inspect.getdoc(PUBLIC[name]) or "")) is asks


@pytest.mark.parametrize("name", CALLABLES)
def test_examples_print_what_they_say(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(CALLABLES[name]) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    said: list[str] = []
    assert doctest.DocTestRunner(verbose=False).run(example, out=said.append).failed == 0, "".join(said)
    assert name not in SHOWN or example.examples, "help shows no example"


def test_the_codes_that_are_named_exist() -> None:
    named = {
        (name, code) for name, function in CALLABLES.items() for code in NAMED.findall(inspect.getdoc(function) or "")
    }
    assert len(named) > 20
    assert {(name, code) for name, code in named if code not in codes()} == set()


def protocols() -> Iterator[type]:
    """Every protocol and every abstract class of the compiler and the service."""
    for folder in (ROOT, ROOT.parents[1] / "backend" / "heddle_server"):
        for path in sorted(folder.rglob("*.py")):
            if re.search(r"^class .*\b(?:Protocol|ABC)\):", path.read_text(), re.MULTILINE):
                module = importlib.import_module(".".join(path.relative_to(folder.parent).with_suffix("").parts))
                for _, found in inspect.getmembers(module, inspect.isclass):
                    if found.__module__ == module.__name__ and {Protocol, ABC} & set(found.__bases__):
                        yield found


def promised(protocol: type) -> Iterator[tuple[str, object]]:
    """What a protocol asks for: its methods and properties; of an abstract class those that are abstract."""
    for name, value in vars(protocol).items():
        asked = Protocol in protocol.__bases__ or getattr(value, "__isabstractmethod__", False)
        if asked and name[0] != "_" and (inspect.isfunction(value) or isinstance(value, property)):
            yield name, value


def test_what_protocols_ask_for_is_documented() -> None:
    found = list(protocols())
    assert {one.__name__ for one in found} >= {"Command", "Device", "KernelPrinter", "LevelKind", "Relation"}
    asked = [(f"{one.__name__}.{name}", value) for one in found for name, value in promised(one)]
    assert len(asked) > 60
    assert [name for name, value in asked if not inspect.getdoc(value)] == []
    assert [one.__name__ for one in found if not one.__dict__.get("__doc__")] == []
