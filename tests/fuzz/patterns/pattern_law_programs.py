"""Random programs in patterns that rules of theirs apply to more often: patterns that undo one another, maps of maps,
and products with the elements of a dense matrix."""

from __future__ import annotations

import random

from tests.fuzz.patterns.pattern_programs import Drawing, PatternProgram, program_of
from tests.fuzz.patterns.pattern_types import TYPES, Array, F, Position, Type, reordered


class _Undoing(Drawing):
    def step(self, text: str, type: Array, depth: int) -> tuple[str, Type]:
        if self.rng.random() > 0.3:
            return super().step(text, type, depth)
        inner = type.element
        turned = isinstance(inner, Array) and not inner.size.endswith("*")
        match self.rng.choice(("reverse", "pieces", "transpose" if turned else "reverse")):
            case "reverse":
                return f"{text} :>> reverse :>> reverse", type
            case "pieces":
                number = self.rng.choice("123")
                made = Array(self.fresh("joined"), reordered(inner, self.fresh("o")))
                return f"{text} :>> splitUp({number}) :>> join", made
            case _:
                return f"{text} :>> transpose :>> transpose", type


def _outer(draw: Drawing) -> tuple[str, Type]:
    """Something for each pair of elements of two arrays, or of a row and what stands beside it."""
    one = draw.scalar({"a1": F, "b1": F})
    match draw.rng.randrange(7):
        case 6:  # windows that tiles of two have all of, whatever the size is
            of = draw.rng.choice(("xs", "ys"))
            return f"concat({of}, {of}) :>> pad(1, 1, 0.5) :>> slide(3, 1) :>> map(reduce(+, 0))", Array(
                draw.fresh("windows"), F
            )
        case 0:
            return f"xs :>> map(fun(a1 => ys :>> map(fun(b1 => {one}))))", Array("m", Array("n", F))
        case 1:
            return f"D :>> map(fun(r1 => r1 :>> map(fun(a1 => {draw.scalar({'a1': F})}))))", TYPES["D"]
        case 2:
            pairs = f"zip(r1, xs) :>> map(fun(p1 => {draw.scalar({'p1.1': F, 'p1.2': F})} + (r1@0)))"
            return f"D :>> map(fun(r1 => {pairs}))", TYPES["D"]
        case 3:
            return "zip(D, ys) :>> map(fun(q1 => q1.1 :>> map(fun(v1 => v1 * q1.2))))", TYPES["D"]
        case 4:
            inner = draw.scalar({"p1.2": F, "p1.1": Position("m")})
            return f"zip(cols, a) :>> map(fun(r1 => zip(r1.1, r1.2) :>> map(fun(p1 => {inner}))))", TYPES["a"]
        case _:
            inner = "D :>> map(fun(s1 => zip(r1, s1) :>> map(*) :>> reduce(+, 0)))"
            return f"D :>> map(fun(r1 => {inner}))", Array("n", Array("n", F))


def _product(draw: Drawing) -> tuple[str, Type]:
    """Sums over the rows of a matrix, of which elements that are 0 are no part."""
    rng = draw.rng
    factor = draw.scalar({"p1.2": F})
    sums = f"zip(r1, xs) :>> map(fun(p1 => p1.1 * {factor})) :>> reduce(+, 0.0)"
    match rng.randrange(6):
        case 0:
            text = "D :>> map(fun(r1 => zip(xs, r1) :>> map(*) :>> reduce(+, 0)))"
        case 1:
            text = "D :>> map(fun(r1 => r1 :>> mapi(fun(j1 => fun(v1 => v1 * (xs@j1)))) :>> reduce(+, 0.0)))"
        case 2:
            text = f"zip(D, ys) :>> map(fun(q1 => q1.2 + (let r1 = q1.1 in {sums})))"
        case 3:
            text = f"D :>> splitUp({rng.choice('123')}) :>> map(map(fun(r1 => {sums}))) :>> join"
        case 4:
            text = f"D :>> map(fun(r1 => zip(r1, xs) :>> reduceSeq(fun(s1 => fun(p1 => s1 + p1.1 * {factor})), 1.0)))"
        case _:
            text = f"D :>> map(fun(r1 => {sums}))"
    behind = ("", "", " :>> reverse", " :>> scan(+, 0.0)", " :>> splitUp(2) :>> map(reduce(max, -9.0))")
    return text + rng.choice(behind), Array("n", F)


def draw_law_program(seed: int) -> PatternProgram:
    """The program of a seed, and arguments that fit as those of :func:`draw_pattern_program` do."""
    rng = random.Random(f"laws {seed}")
    draw = _Undoing(rng, threads=rng.random() < 0.5)
    match rng.randrange(4):
        case 0:
            text, type = _outer(draw)
            if isinstance(type, Array) and rng.random() < 0.3:
                text, type = draw.chain(text, type, 1)
        case 1:
            text, type = _product(draw)
        case _:
            name = rng.choice(list(TYPES))
            text, type = draw.chain(name, TYPES[name], 2)
    return program_of(text, type, draw, seed)
