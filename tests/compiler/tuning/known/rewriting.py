"""Programs under other names, and with one word changed."""

from __future__ import annotations

import random
import re

PROGRAMS = (
    "y(i) = A(i,j) * x(j)",
    "y(i) = A(i,j) * x(j) + z(i)",
    "C(i,k) = A(i,j) * B(j,k)",
    "S(i,j) = A(i,j) * Q(i,k) * K(j,k)",
    "A(i,r) = B(i,k,l) * C(k,r) * D(l,r)",
    "d(i) = min(j, A(i,j) + x(j))",
    "O(i,j) = max(A(i,k) * W(k,j) - 0.5, 0)",
    "t(i) = A(i,j) * x(j); y(k) = B(k,i) * t(i)",
    "s = x(i) * sqrt(y(i)) / 2",
    "C(i,j) += A(i,j) * (B(i,j) + 2) * abs(u(i))",
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS = ("min", "max", "sqrt", "abs")
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def names_of(text: str) -> list[str]:
    return [word for word in dict.fromkeys(_WORD.findall(text)) if word not in _FUNCTIONS]


def renamed(text: str, rng: random.Random) -> tuple[str, dict[str, str]]:
    """All names changed at once, and spaces; two tensors may exchange their names."""
    old = names_of(text)
    fresh: set[str] = set()
    while len(fresh) < len(old):
        word = "".join(rng.choice(_LETTERS) for _ in range(rng.randint(1, 3)))
        fresh.add(f"{word}{rng.randint(0, 9)}" if rng.random() < 0.9 else f"{rng.choice(old)}x")
    new = dict(zip(old, rng.sample(sorted(fresh), len(old)), strict=True))
    text = _WORD.sub(lambda found: new.get(found.group(), found.group()), text)
    return re.sub(r"([,;])", lambda found: f"{' ' * rng.randint(0, 2)}{found.group()} ", text), new


def changed(text: str) -> list[str]:
    """Every program in which one word or sign of ``text`` is another one of its kind; some have no meaning."""
    others = {
        "*": "+/-", "+": "*-/", "-": "+*", "/": "*", "2": ["3", "2.0"], "0": ["1"], "0.5": ["0.25"],
        "sqrt": ["exp"], "abs": ["exp"], "min": ["max"], "max": ["min"],
    }  # fmt: skip
    names = names_of(text)
    found: list[str] = []
    for one in re.finditer(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[*+/-](?!=)", text):
        tensor = text[one.end() :].startswith("(")
        alike = [name for name in names if f"{name}(" in text] if tensor else [n for n in names if f"{n}(" not in text]
        for other in others.get(one.group(), alike):
            if other != one.group():
                found.append(text[: one.start()] + other + text[one.end() :])
    return found
