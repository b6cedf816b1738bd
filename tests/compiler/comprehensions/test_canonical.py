"""The canonical form of comprehensions: renamings share it, other programs have others, and it compiles again."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import pytest

from heddle.comprehensions.canonical import canonical_text
from heddle.comprehensions.language.builtins import NAMES
from heddle.comprehensions.language.parser import parse
from heddle.comprehensions.program import check
from heddle.diagnostics import CompileError
from heddle.notation.nodes import Span
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.tuning.known.canonical import canonical_of
from heddle.tuning.known.renaming import from_canonical, to_canonical
from tests.compiler.comprehensions.programs import CASES, Case

RENAMINGS = 1000
KEPT = {"def", "where", "in", "exists", "float", "double", "int", "uint8", "bool", "min", "max", *NAMES}
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_TOKEN = re.compile(r"(?<![\w.])[A-Za-z_]\w*|\d+(?:\.\d+)?|(?<![-<>=!+*])[-+*/](?![=>])")
_OTHERS = {"+": "-*", "-": "+*", "*": "+/", "/": "*", "float": ("double",), "max": ("min",), "tanh": ("exp",)}
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def form(text: str, fixed: dict[str, int] | None = None) -> str:
    return canonical_text(check(parse(text), fixed))


def names_of(text: str) -> list[str]:
    """What a person may call otherwise; ``in`` is a name too where nothing else can stand, and stays."""
    return [name for name in dict.fromkeys(_NAME.findall(text)) if name not in KEPT]


def renamed(case: Case, rng: random.Random) -> tuple[str, dict[str, int], dict[str, str]]:
    """All names changed at once, among them some that others had before."""
    old = names_of(case.text)
    fresh: set[str] = set()
    while len(fresh) < len(old):
        word = "".join(rng.choice(_LETTERS) for _ in range(rng.randint(1, 3)))
        fresh.add(f"{word}{rng.randint(0, 9)}" if rng.random() < 0.7 else f"{rng.choice(old)}q")
    new = dict(zip(old, rng.sample(sorted(fresh), len(old)), strict=True))
    text = _NAME.sub(lambda found: new.get(found.group(), found.group()), case.text)
    return text.replace(",", rng.choice((",", ", ", " ,\n"))), {new[n]: v for n, v in case.fixed.items()}, new


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", CASES)
def test_renamings_have_one_form(name: str) -> None:
    case, rng = CASES[name], random.Random(name)
    expected = form(case.text, dict(case.fixed))
    for _ in range(-(-RENAMINGS // len(CASES))):
        text, fixed, _ = renamed(case, rng)
        assert form(text, fixed) == expected, text


def changed(case: Case, rng: random.Random) -> Iterator[str]:
    """For each token that may be another, the text with another one in its place, where that is no renaming."""
    statements = [one.span for one in parse(case.text).definitions[-1].statements]
    # Of definitions themselves no form knows the name.
    own = [one for one in names_of(case.text) if f"def {one}(" not in case.text]
    for found in _TOKEN.finditer(case.text, case.text.index("(")):
        token = found.group()
        others = [str(int(token) + 1)] if token.isdigit() else _OTHERS.get(token, own if token in own else ())
        other = rng.choice([*others] or [token])
        if other != token and not _renames(case.text, found, other, statements):
            yield case.text[: found.start()] + other + case.text[found.end() :]


def _renames(text: str, found: re.Match[str], other: str, statements: Sequence[Span]) -> bool:
    """Whether a loop that its statement names once gets a name that is new there."""
    for span in statements:
        if span.start <= found.start() < span.end:
            words = _NAME.findall(text[span.start : span.end])
            header = _NAME.findall(text[: statements[0].start])
            return words.count(found.group()) == 1 and found.group() not in header and other not in words
    return False


WITHOUT_CALLS = [name for name in CASES if name != "prod"]
"""Which types the calls of others take is not said: another one may mean the same."""


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", WITHOUT_CALLS)
def test_another_token_is_another_form(name: str) -> None:
    case = CASES[name]
    known = form(case.text, dict(case.fixed))
    compared = 0
    for text in changed(case, random.Random(name)):
        try:
            assert form(text, dict(case.fixed)) != known, text
        except CompileError:
            continue
        compared += 1
    assert compared > 1


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", CASES)
def test_the_form_compiles_again_and_carries_schedules(name: str) -> None:
    """A schedule in canonical names fits the same program under any names."""
    case = CASES[name]
    found = canonical_of(Plan(case.text, language="comprehension", sizes=case.fixed))
    again = canonical_of(Plan(found.expression, language="comprehension"))
    assert (again.digest, again.expression) == (found.digest, found.expression)
    assert len({*found.names.values()}) == len(found.names)
    loop = next(iter(found.variables))
    commands = to_canonical((f"split({loop}, {loop}_outer, {loop}_inner, 4)",), found.names)
    text, fixed, _ = renamed(case, random.Random(3))
    plan = Plan(text, language="comprehension", sizes=fixed)
    own = from_canonical(commands, canonical_of(plan).names)
    lower(Plan(text, language="comprehension", sizes=fixed, schedule=own)).raise_errors()


def test_spellings_without_a_meaning_of_their_own_have_one_form() -> None:
    plain = "def f(float(N) a) -> (b) { b(i) = 2 * a(i) + 1 }"
    called = """def g(float(K) x) -> (y) { y(j) = 2 * x(j) + z where z = 1 }  # twice
        def h(float(N) a) -> (b) { unused(i) = a(i)  b = g(a) }"""
    assert form(plain) == form(plain.replace("=", "+=!", 1).replace("(i)", "(j)")) == form(called)
    assert form("def f(float(N) a, int d) -> (b) { b(i) = a(i+d) where i in 2:4 }", {"d": -2}) == (
        "def f(float(s0) p0) -> (o0) {\n    o0(v0) = p0(v0 + -2) where v0 in 2:4\n}"
    )
