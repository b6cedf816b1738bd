"""The patterns by name: what each makes of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from heddle.patterns.lowering.evaluator import Pattern
from heddle.patterns.lowering.memory import Starts
from heddle.patterns.lowering.primitives import keeping, maps, orders, pieces, reductions
from heddle.patterns.lowering.values import Value
from heddle.patterns.typing.signatures import MAPS

_PLAIN: dict[str, Pattern] = {
    **dict.fromkeys(MAPS, maps.map_),
    "mapi": maps.mapi,
    "zip": maps.zip_,
    "unzip": maps.unzip,
    "iota": maps.iota,
    "generate": maps.generate,
    "zeros": maps.zeros,
    "split": pieces.split,
    "splitUp": pieces.split_up,
    "deal": pieces.deal,
    "transpose": orders.transpose,
    "concat": orders.concat,
    "take": orders.take,
    "drop": orders.take,
    "reverse": orders.reverse,
    "gather": orders.gather,
    "scatter": orders.scatter,
    "slide": pieces.slide,
    "pad": orders.pad,
}
_WITH_MEMORY: dict[str, Callable[..., Value]] = {
    "join": pieces.join,
    "reduce": reductions.reduce,
    "reduceSeq": reductions.reduce_seq,
    "reduceUnroll": reductions.reduce_seq,
    "scan": reductions.scan,
    "iterate": keeping.iterate,
    **dict.fromkeys(keeping.SPACES, keeping.keep),
}


def patterns(starts: Starts) -> dict[str, Pattern]:
    """All patterns, for a program whose rows start where ``starts`` says."""
    return {**_PLAIN, **{name: partial(pattern, starts) for name, pattern in _WITH_MEMORY.items()}}
