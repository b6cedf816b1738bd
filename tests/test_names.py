"""Names say what a thing is: empty words stay rare, and functions are verbs (docs/glossary.md has the nouns)."""

from __future__ import annotations

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


TEXT = re.compile(r'''"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*''')
"""Strings and comments, which may say what they like."""

NAME = re.compile(r"[A-Za-z_]\w*")
FUNCTION = re.compile(r"((?:^[ ]*@.*\n)*)^[ ]*(?:async )?def (\w+)", re.MULTILINE)


@cache
def code() -> tuple[str, ...]:
    """The files without their texts. A tree of each would say the same, and take many seconds."""
    return tuple(TEXT.sub('""', path.read_text(encoding="utf-8")) for path in FILES)


def functions(text: str) -> Iterator[str]:
    """The names of all functions but properties, which are called by what they are."""
    return (match[2] for match in FUNCTION.finditer(text) if "property" not in match[1])


@cache
def is_empty(name: str) -> bool:
    return not EMPTY.isdisjoint(name.strip("_").split("_"))


def is_participle(name: str) -> bool:
    return PARTICIPLE.fullmatch(name) is not None and name.strip("_") not in VERBS


@pytest.mark.every_commit
def test_empty_words_are_rare() -> None:
    counts = Counter(name for text in code() for name in NAME.findall(text) if is_empty(name))
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in FILES)
    assert 1000 * counts.total() / lines <= MOST_PER_THOUSAND, counts.most_common(20)


@pytest.mark.every_commit
def test_functions_are_verbs() -> None:
    names = [name for text in code() for name in functions(text)]
    participles = Counter(name for name in names if is_participle(name))
    assert participles.total() / len(names) <= MOST_PARTICIPLES, participles.most_common(20)


def test_names_are_looked_for_in_code_alone() -> None:
    text = TEXT.sub('""', '''"""one"""\none = found("own")  # made\n''')
    assert [name for name in NAME.findall(text) if is_empty(name)] == ["one", "found"]


def test_properties_are_no_functions() -> None:
    text = "@property\ndef width(self): ...\n@cache\ndef measure(): ...\nasync def begin(): ...\n"
    assert [*functions(text)] == ["measure", "begin"]


@pytest.mark.parametrize("name", ["one", "_found", "found_rows", "_own_name"])
def test_an_empty_word_is_seen(name: str) -> None:
    assert is_empty(name)


@pytest.mark.parametrize("name", ["stored", "_refused", "taken"])
def test_a_participle_is_seen(name: str) -> None:
    assert is_participle(name)


@pytest.mark.parametrize("name", ["store", "is_stored", "seed", "renamed_loops"])
def test_a_verb_is_none(name: str) -> None:
    assert not is_participle(name)
