"""Random programs in patterns that have types, with arguments for them: dense, triangular, banded and ragged arrays of
which some are nested, packed pairs, and positions in others.

A program is drawn as a chain of patterns; what each makes is known by its type, in which a dimension has a name. Two
dimensions of one name have one size, so that what is zipped fits. A name that ends in ``*`` belongs to rows of
different lengths: an element gets a name of its own for it.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

from heddle.plan import Plan
from tests.fuzz.patterns.pattern_arguments import draw_arguments
from tests.fuzz.patterns.pattern_types import (
    PARAMETERS,
    SIZES,
    TYPES,
    Array,
    F,
    Pair,
    Position,
    Scalar,
    Type,
    renamed,
    reordered,
)


@dataclass(frozen=True)
class PatternProgram:
    text: str
    arguments: dict[str, Any]
    sizes: dict[str, int]
    broken: bool = False
    schedule: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def plan(self, target: str) -> Plan:
        return Plan(self.text, target=target, language="patterns", schedule=self.schedule)


@dataclass
class Drawing:
    rng: random.Random
    count: int = 0
    scope: dict[str, Type] = field(default_factory=lambda: dict(TYPES))
    threads: bool = False

    def fresh(self, wish: str) -> str:
        self.count += 1
        return f"{wish}{self.count}"

    # ---------------------------------------------------------------------------------------------- scalars

    def scalar(self, leaves: dict[str, Type], depth: int = 2) -> str:
        """An expression over names."""
        pick = self.rng.random()
        if depth == 0 or pick < 0.3:
            return self.leaf(leaves)
        one, other = self.scalar(leaves, depth - 1), self.scalar(leaves, depth - 1)
        match self.rng.randrange(8):
            case 0:
                return f"({one} + {other})"
            case 1:
                return f"({one} - {other})"
            case 2:
                return f"({one} * {other})"
            case 3:
                return f"max({one}, {other})"
            case 4:
                return f"min({one}, {other})"
            case 5:
                return f"(-{one})"
            case 6:
                return f"if({one} < {other}, {self.leaf(leaves)}, {self.leaf(leaves)})"
            case _:
                return f"({one} * 0.5)"

    def leaf(self, leaves: dict[str, Type]) -> str:
        names = [name for name, type in leaves.items() if isinstance(type, Scalar | Position)]
        if not names or self.rng.random() < 0.15:
            return self.rng.choice(("2", "1", "3.0", "0.5", "q"))
        name = self.rng.choice(names)
        type = leaves[name]
        if isinstance(type, Position) and self.rng.random() < 0.8:
            arrays = [
                one
                for one, known in self.scope.items()
                if isinstance(known, Array) and known.size == type.of and isinstance(known.element, Scalar)
            ]
            if arrays:
                return f"({self.rng.choice(arrays)}@{name})"
        return name

    def function(self, type: Type, depth: int) -> tuple[str, Type, str]:
        """A parameter, what the function makes, and its text."""
        name = self.fresh("v")
        match type:
            case Pair(first=first, second=second):
                if isinstance(first, Scalar | Position) and isinstance(second, Scalar | Position):
                    return name, F, self.scalar({f"{name}.1": first, f"{name}.2": second})
                halves = [(f"{name}.1", first), (f"{name}.2", second)]
                if isinstance(first, Array) and isinstance(second, Array) and first.size == second.size:
                    both = Array(first.size, Pair(first.element, second.element))
                    halves.append((f"zip({name}.1, {name}.2)", both))
                text, half = halves[-1] if self.rng.random() < 0.7 else self.rng.choice(halves)
                made, result = self.chain(text, half, depth - 1)
                return name, result, made
            case Array():
                made, result = self.chain(name, type, depth - 1)
                return name, result, made
            case _:
                return name, F, self.scalar({name: type})

    # ----------------------------------------------------------------------------------------------- chains

    def chain(self, text: str, type: Type, depth: int) -> tuple[str, Type]:
        """``text`` behind some more patterns."""
        for _ in range(self.rng.choice((1, 1, 2, 2, 3)) if depth > 0 else 1):
            if not isinstance(type, Array):
                break
            text, type = self.step(text, type, depth)
        if not isinstance(type, Array):
            return self.last(text, type)
        return text, type

    def last(self, text: str, type: Type) -> tuple[str, Type]:
        match type:
            case Pair(first=first):
                return self.last(f"({text}).1", first) if isinstance(first, Scalar | Position) else (text, type)
            case _:
                return text, type

    def step(self, text: str, type: Array, depth: int) -> tuple[str, Type]:
        size, element = type.size, type.element
        options = ["map", "map", "mapi", "order", "keep", "take"]
        if isinstance(element, Scalar | Position):
            options += ["reduce", "reduce", "scan", "pad", "concat", "zip", "reduceSeq", "element"]
        if isinstance(element, Array):
            options += ["join", "map", "map", "map", "zip"]
            if not element.size.endswith("*"):
                options += ["transpose"] * 2
        options += ["pieces", "slide", "gather"] if depth > 0 else []
        match self.rng.choice(options):
            case "map":
                return self.mapped(text, type, depth)
            case "mapi":
                return self.mapped_with_position(text, type, depth)
            case "order":
                if size == "n" and self.rng.random() < 0.4:
                    return f"scatter(order, {text})", Array(size, reordered(element, self.fresh("o")))
                return f"{text} :>> reverse", Array(size, reordered(element, self.fresh("o")))
            case "keep":
                return f"{text} :>> {self.rng.choice(('toGlobal', 'toPrivate'))}", type
            case "take":
                return self.taken(text, type)
            case "reduce":
                operator, start = self.rng.choice((("+", "0"), ("+", "0"), ("max", "-3"), ("min", "2.0")))
                return f"{text} :>> reduce({operator}, {start})", F
            case "reduceSeq":
                name, state = self.fresh("v"), self.fresh("s")
                body = self.rng.choice((f"{state} - {name}", f"max({state}, {name} * 2)", f"{name} - {state}"))
                pattern = self.rng.choice(("reduceSeq", "reduceUnroll"))
                return f"{text} :>> {pattern}(fun({state} => fun({name} => {body})), 0.0)", F
            case "scan":
                return f"{text} :>> scan(+, {self.rng.choice(('0', '0.0', '1'))})", Array(size, F)
            case "element":
                return f"(({text})@{self.rng.choice(('0', '0', '1'))})", F
            case "pad":
                mode = self.rng.choice(("clamp", "wrap", "0.5", "1"))
                left, right = self.rng.choice((("0", "1"), ("1", "1"), ("2", "0"), ("q", "1")))
                return f"{text} :>> pad({left}, {right}, {mode})", Array(self.fresh("padded"), F)
            case "concat":
                other = self.rng.choice([name for name, known in self.scope.items() if known in (type, TYPES["xs"])])
                return f"concat({text}, {other})", Array(self.fresh("both"), F)
            case "zip":
                return self.zipped(text, type)
            case "join":
                assert isinstance(element, Array)
                return f"{text} :>> join", Array(self.fresh("joined"), reordered(element.element, self.fresh("o")))
            case "transpose":
                assert isinstance(element, Array)
                inner = reordered(element.element, self.fresh("o"))
                return f"{text} :>> transpose", Array(element.size, Array(size, inner))
            case "pieces":
                pattern = self.rng.choice(("splitUp", "splitUp", "deal", "split"))
                number = self.rng.choice(("1", "2", "3", "k"))
                row = number if pattern == "split" else self.fresh("piece") + "*"
                inner = Array(row, reordered(element, self.fresh("o")))
                return f"{text} :>> {pattern}({number})", Array(self.fresh("pieces"), inner)
            case "slide":
                width, step = self.rng.choice((("1", "1"), ("2", "1"), ("3", "1"), ("2", "2")))
                inner = Array(width, reordered(element, self.fresh("o")))
                return f"{text} :>> slide({width}, {step})", Array(self.fresh("windows"), inner)
            case "gather":
                if size != "m":
                    return self.mapped(text, type, depth)
                return f"gather(pick, {text})", Array("k", reordered(element, self.fresh("o")))
            case _:
                raise AssertionError

    def taken(self, text: str, type: Array) -> tuple[str, Type]:
        pattern, number = self.rng.choice(("take", "drop")), self.rng.choice(("0", "1", "2", "q", "k"))
        element = type.element if pattern == "take" else reordered(type.element, self.fresh("o"))
        return f"{text} :>> {pattern}({number})", Array(self.fresh("part"), element)

    def zipped(self, text: str, type: Array) -> tuple[str, Type]:
        others = [
            (name, known) for name, known in self.scope.items() if isinstance(known, Array) and known.size == type.size
        ]
        if not others:
            return f"{text} :>> reverse", Array(type.size, reordered(type.element, self.fresh("o")))
        name, known = self.rng.choice(others)
        assert isinstance(known, Array)
        return self.mapped(f"zip({text}, {name})", Array(type.size, Pair(type.element, known.element)), 1)

    def mapped(self, text: str, type: Array, depth: int) -> tuple[str, Type]:
        variants = ["map"] * 6 + ["mapSeq", "mapUnroll"] + ["mapPar"] * (3 if self.threads else 0)
        pattern = self.rng.choice(variants)
        outside, self.threads = self.threads, False
        instance = self.fresh("e")
        name, made, body = self.function(renamed(type.element, instance), depth)
        self.threads = outside
        made = _forgotten(made, instance)
        return f"{text} :>> {pattern}(fun({name} => {body}))", Array(type.size, made)

    def mapped_with_position(self, text: str, type: Array, depth: int) -> tuple[str, Type]:
        instance, place = self.fresh("e"), self.fresh("i")
        element = renamed(type.element, instance)
        self.threads, outside = False, self.threads
        if isinstance(element, Scalar | Position):
            name = self.fresh("v")
            body, made = self.scalar({name: element, place: Position(type.size, instance)}), F
        else:
            same = [
                one
                for one, known in self.scope.items()
                if isinstance(known, Array) and known.size == type.size and isinstance(known.element, Array)
            ]
            if same and self.rng.random() < 0.5 and type.size == "n":
                other = self.rng.choice(same)
                row = self.scope[other]
                assert isinstance(row, Array)
                inner, made = self.chain(f"({other}@{place})", renamed(row.element, instance), depth - 1)
                name, body = self.fresh("v"), inner
            else:
                name, made, body = self.function(element, depth)
        self.threads = outside
        made = _forgotten(made, instance)
        return f"{text} :>> mapi(fun({place} => fun({name} => {body})))", Array(type.size, made)


def _forgotten(type: Type, instance: str) -> Type:
    """What a function makes, seen from outside: lengths of one element are lengths that depend on the position."""
    match type:
        case Array(size=size, element=element):
            own = f"{size.partition('#')[0]}@{instance}*" if size.endswith(f"#{instance}") else size
            inner = own if re.fullmatch(r"[nmk123]", own) or own.endswith("*") else f"{own}*"
            return Array(inner, _forgotten(element, instance))
        case Pair(first=first, second=second):
            return Pair(_forgotten(first, instance), _forgotten(second, instance))
        case _:
            return type


def draw_pattern_program(seed: int) -> PatternProgram:
    """The program of a seed and arguments that fit; of one in eight an argument is changed, so that it may not."""
    rng = random.Random(f"patterns {seed}")
    draw = Drawing(rng, threads=rng.random() < 0.5)
    name = rng.choice(list(TYPES))
    return program_of(*draw.chain(name, TYPES[name], 3), draw, seed)


def program_of(text: str, type: Type, draw: Drawing, seed: int) -> PatternProgram:
    """The program that computes ``text``, with the arguments of a seed."""
    while (flat := _finished(text, type, draw)) != (text, type):
        text, type = flat
    used = _used(text)
    for parameter, spelled in reversed(PARAMETERS.items()):
        if parameter in used:
            text = f"fun({parameter}: {spelled} => {text})"
    for size in reversed([size for size in SIZES if _names(size, text)]):
        text = f"nFun({size} => {text})"
    arguments, sizes = draw_arguments(seed, used)
    return PatternProgram(
        text, arguments, {size: sizes[size] for size in SIZES if f"nFun({size} " in text}, seed % 8 == 7
    )


def _finished(text: str, type: Type, draw: Drawing) -> tuple[str, Type]:
    """Without pairs in the end."""
    match type:
        case Pair():
            return f"({text}).2", type.second
        case Array(size=size, element=Pair(second=second)):
            name = draw.fresh("v")
            return f"{text} :>> map(fun({name} => {name}.2))", Array(size, second)
        case Array(size=size, element=Array(size=inner, element=Pair(second=second))):
            name, pair = draw.fresh("v"), draw.fresh("v")
            made = Array(size, Array(inner, second))
            return f"{text} :>> map(fun({name} => {name} :>> map(fun({pair} => {pair}.2))))", made
        case _:
            return text, type


def _names(name: str, text: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9]){name}(?![A-Za-z0-9])", text) is not None


def _used(text: str) -> set[str]:
    used = {name for name in PARAMETERS if _names(name, text)}
    for name in list(used):
        used |= {other for other in ("offset", "lens") if other in PARAMETERS[name]}
    return used
