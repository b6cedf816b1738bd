"""Maps and windows of arrays in pieces, and maps of pairs."""

from __future__ import annotations

from heddle.patterns.rules.functions import put
from heddle.patterns.rules.rule import BrokenConditionError, Rule, Site, as_text, number, pattern
from heddle.patterns.rules.terms import as_function, map_in, pattern_of, pipe_functions, replace_term, unused_name
from heddle.patterns.syntax.nodes import Apply, Binary, Lambda, Number, PairTerm, Projection, Term, Variable


def _join_map(site: Site, options: tuple[str, ...]) -> Term:
    """The rows are joined behind the map, not in front of it."""
    before = site.whole.arguments[-1] if site.whole is not None else None
    match before:
        case Apply(function=Variable() as join, arguments=(data,)) if pattern_of(join) == "join":
            rows: tuple[Term, ...] = (data,)
        case Variable() as join if pattern_of(join) == "join":
            rows = ()
        case _:
            raise BrokenConditionError(
                f"{site.head.label} does not directly follow join.",
                "join :>> map(f)",
                "nothing" if before is None else as_text(before)[-80:],
            )
    assert site.whole is not None
    return replace_term(site.program, site.whole, pipe_functions(*rows, pattern("map", site.node), join))


def _zip_map(site: Site, options: tuple[str, ...]) -> Term:
    """The maps of what is paired become one map of the pairs."""
    sides = (*site.arguments, site.whole.arguments[-1]) if site.whole is not None else site.arguments
    maps = [map_in(side) for side in sides]
    applied_maps = [mapping for mapping, data in maps if mapping is not None and data is not None]
    if site.whole is None or len(sides) != 2 or not applied_maps:
        raise BrokenConditionError(
            f"{site.head.label} does not pair what a map makes.",
            "zip(a :>> map(f), b :>> map(g)), of which one may be without a map",
            as_text(site.whole or site.node)[:80],
        )
    ways = {pattern_of(mapping.function) or "map" for mapping in applied_maps} - {"map"}
    if len(ways) > 1:
        raise BrokenConditionError(
            f"The maps run in different ways, as {' and as '.join(sorted(ways))}.",
            "maps that run in one way",
            " and ".join(sorted(ways)),
        )
    pair = Variable(unused_name(site.program, "p"))
    halves: list[Term] = []
    data: list[Term] = []
    for place, (side, (mapping, inner)) in enumerate(zip(sides, maps, strict=True), start=1):
        half = Projection(pair, place)
        if mapping is None or inner is None:
            halves.append(half)
            data.append(side)
            continue
        function = as_function(site.program, mapping.arguments[0])
        half_term = put(function.body, function.parameter, half) if isinstance(function, Lambda) else None
        halves.append(half_term or Apply(function, (half,), True))
        data.append(inner)
    head = next(mapping.function for mapping in applied_maps if not ways or pattern_of(mapping.function) in ways)
    each = Apply(head, (Lambda(pair.name, None, PairTerm(halves[0], halves[1])),))
    return replace_term(site.program, site.whole, pipe_functions(Apply(site.head, tuple(data)), each))


def _tile_slide(site: Site, options: tuple[str, ...]) -> Term:
    """Windows of windows: each tile has all elements that its windows need."""
    size, step = site.arguments
    tile = number(options[0], "tileSlide")
    if not isinstance(step, Number):
        raise BrokenConditionError(
            f"The step of {site.head.label} is {as_text(step)}.", "a step that is a number", as_text(step)
        )
    every, stride = int(tile.text), int(step.text)
    if stride <= 0 or every % stride:
        raise BrokenConditionError(
            f"Tiles of {every} elements do not hold whole steps of {stride}.",
            f"a multiple of {stride}",
            str(every),
        )
    more = every - stride
    if isinstance(size, Number):
        wide: Term = Number(str(int(size.text) + more))
    else:
        wide = Binary("+", size, Number(str(more))) if more else size
    return site.with_function(pattern("slide", wide, tile), pattern("map", site.node), Variable("join"))


PIECES = (
    Rule(
        "joinMap",
        "map",
        "join :>> map f = map(map f) :>> join",
        "the map directly follows join; rows may have different lengths",
        _join_map,
    ),
    Rule(
        "zipMap",
        "zip",
        "zip(a :>> map f, b :>> map g) = zip(a, b) :>> map(fun(p => (f(p.1), g(p.2))))",
        "it pairs what a map makes with another array of that length, and the maps run in one way",
        _zip_map,
    ),
    Rule(
        "tileSlide",
        "slide",
        "slide(s, t) = slide(u + s - t, u) :>> map(slide(s, t)) :>> join",
        "t divides u, and the tiles have all windows: u divides what is left behind the first window, and t",
        _tile_slide,
        ("u",),
        ("8", "16", "32", "64", "4"),
    ),
)
"""By which maps and windows go into pieces, and maps of two arrays become one."""
