"""Names say what a thing is: empty words stay rare, and functions are verbs (docs/glossary.md has the nouns)."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(path for folder in ("compiler", "backend") for path in (ROOT / folder).rglob("*.py"))
EMPTY = frozenset({"one", "found", "own", "made", "given"})
MOST_PER_THOUSAND = 1.0
MOST_PARTICIPLES = 0.02

PARTICIPLE = re.compile(
    r"_?(?:[a-z]+ed|taken|given|found|made|kept|shown|known|written|drawn|built|held|told|met|chosen)"
)
VERBS = frozenset({"embed", "exceed", "feed", "need", "proceed", "seed"})
"""Verbs that end like a participle."""


@cache
def trees() -> tuple[ast.AST, ...]:
    return tuple(ast.parse(path.read_text(encoding="utf-8")) for path in FILES)


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Every name that is written, as often as it is."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions but properties, which are called by what they are."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if not any("property" in ast.unparse(decorator) for decorator in node.decorator_list):
            yield node


@cache
def is_empty(name: str) -> bool:
    return not EMPTY.isdisjoint(name.strip("_").split("_"))


def is_participle(name: str) -> bool:
    return PARTICIPLE.fullmatch(name) is not None and name.strip("_") not in VERBS


@pytest.mark.every_commit
def test_empty_words_are_rare() -> None:
    counts = Counter(name for tree in trees() for name in identifiers(tree) if is_empty(name))
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in FILES)
    assert 1000 * counts.total() / lines <= MOST_PER_THOUSAND, counts.most_common(20)


@pytest.mark.every_commit
def test_functions_are_verbs() -> None:
    names = [function.name for tree in trees() for function in functions(tree)]
    participles = Counter(name for name in names if is_participle(name))
    assert participles.total() / len(names) <= MOST_PARTICIPLES, participles.most_common(20)


@pytest.mark.parametrize("name", ["one", "_found", "found_rows", "_own_name"])
def test_an_empty_word_is_seen(name: str) -> None:
    assert is_empty(name)


@pytest.mark.parametrize("name", ["stored", "_refused", "taken"])
def test_a_participle_is_seen(name: str) -> None:
    assert is_participle(name)


@pytest.mark.parametrize("name", ["store", "is_stored", "seed", "renamed_loops"])
def test_a_verb_is_none(name: str) -> None:
    assert not is_participle(name)
