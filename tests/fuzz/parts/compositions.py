"""Draws formats that are sums of parts: every quantity and comparison, layouts of every family, and the macros."""

from __future__ import annotations

import random

from heddle.formats.composed.quantities import QUANTITIES, Quantity

LAYOUTS = {
    1: ("compressed", "dense", "compressed(unordered)", "hashed"),
    2: (
        *("csr", "csc", "coo", "dcsr", "dia", "ell", "pieces(1)", "pieces(3)", "bcsr(2,2)", "bcsr(3)", "dbsr(2,3)"),
        *("sell(4)", "sell(4,8)", "compressed, dense", "dense, bitmap", "dense, hashed", "csb(2,3)", "srbcrs(2,2)"),
        *("parts(2), dense, compressed : 0,0,1", "parts(3, even), compressed(nonunique), padded(2) : 0,0,1"),
    ),
    3: ("csf", "coo", "dense, compressed, compressed : 1,0,2", "compressed, dense, compressed", "csl"),
}
COMPARED = ("<", "<=", ">", ">=", "==", "!=")


def draw_composition(rng: random.Random, order: int) -> str:
    """For a tensor of ``order`` dimensions, 1 to 3: a macro, or up to four parts, of which the last takes the rest."""
    if order == 2 and rng.random() < 0.3:
        return _hyb(rng)
    tested = [_part(rng, order) for _ in range(rng.randint(1, 3))]
    return " + ".join([*tested, rng.choice(LAYOUTS[order])])


def _hyb(rng: random.Random) -> str:
    ranges, bucket = rng.choice((1, 1, 2, 3, 5, 50)), rng.randint(0, 4)
    words = [str(ranges), str(bucket), *([str(rng.choice((1, 2, 3, 20)))] if rng.random() < 0.3 else [])]
    return f"hyb({','.join([*words, *(['whole'] if ranges == 1 and rng.random() < 0.4 else [])])})"


def _part(rng: random.Random, order: int) -> str:
    tests = " and ".join(_test(rng, order) for _ in range(rng.choice((1, 1, 2))))
    layout = rng.choice(LAYOUTS[order])
    return f"{layout} where {tests}"


def _test(rng: random.Random, order: int) -> str:
    chosen = rng.choice([one for one in QUANTITIES.values() if order == 2 or not one.matrices])
    least, most = _values(chosen)
    first, second = sorted(rng.randint(least, most) for _ in range(2))
    limit = f"in {first}..{second}" if rng.random() < 0.25 else f"{rng.choice(COMPARED)} {first}"
    return f"{_spelled(rng, chosen, order)} {limit}"


def _spelled(rng: random.Random, chosen: Quantity, order: int) -> str:
    if not chosen.arguments:
        return chosen.name
    most = order - 1 if chosen.arguments == ("d",) else 4
    return f"{chosen.name}({','.join(str(rng.randint(chosen.least, most)) for _ in chosen.arguments)})"


def _values(chosen: Quantity) -> tuple[int, int]:
    """Values that small tensors have of it, and some that none has."""
    match chosen.name:
        case "diagonal":
            return -6, 6
        case "depth":
            return 0, 100
        case _:
            return 0, 7
