"""The rules: splitting maps and reductions, fusing and dividing maps, units, and memory (Pizzuti et al. 2020, §6)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from heddle.patterns.rules.functions import FUNCTIONS
from heddle.patterns.rules.orders import ORDERS
from heddle.patterns.rules.pieces import PIECES
from heddle.patterns.rules.rule import BrokenConditionError, Rule, Site, as_text, number, pattern, rename
from heddle.patterns.rules.terms import as_function, map_in, pattern_of, pipe_functions, replace_term, unused_name
from heddle.patterns.syntax.nodes import Apply, Lambda, Operator, Term, Variable, occurrences
from heddle.patterns.typing.signatures import MAPS, REDUCING


def _split_join(site: Site, options: tuple[str, ...], pieces: str) -> Term:
    size = number(options[0], pieces)
    return site.with_function(pattern(pieces, size), pattern("map", site.node), pattern("join"))


def _check_any_order(site: Site, law: str) -> None:
    """Only an operator that combines in any order may combine parts."""
    function = site.arguments[0]
    if site.pattern == "reduce":
        return
    if not isinstance(function, Operator) or function.operator not in REDUCING:
        raise BrokenConditionError(
            f"{law} combines elements in another order, which may change the result of {as_text(function)}.",
            f"one of {' '.join(REDUCING)}, which are associative and commutative",
            as_text(function),
        )
    raise BrokenConditionError(
        f"{site.pattern} combines the first element first, and {law} combines elements in another order.",
        "reduce",
        site.pattern,
        "Write reduce in the program where the order does not matter.",
    )


def _deal_reduce(site: Site, options: tuple[str, ...]) -> Term:
    _check_any_order(site, "dealReduce")
    parts = pattern("map", pattern("reduceSeq", *site.arguments))
    return site.with_function(pattern("deal", number(options[0], "deal")), parts, site.node)


def _part_reduce(site: Site, options: tuple[str, ...]) -> Term:
    _check_any_order(site, "partReduce")
    parts = pattern("map", pattern("reduce", *site.arguments))
    return site.with_function(pattern("splitUp", number(options[0], "splitUp")), parts, site.node)


def _vector_reduce(site: Site, options: tuple[str, ...]) -> Term:
    """The map that is reduced runs in vector lanes, each with a sum of its own. What is no map becomes one."""
    _check_any_order(site, "vectorReduce")
    before = site.whole.arguments[-1] if site.whole is not None else None
    mapping, _ = map_in(before)
    if mapping is None or not isinstance(mapping.function, Variable):
        element = unused_name(site.program, "x")
        return site.with_function(pattern("mapVec", Lambda(element, None, Variable(element))), site.node)
    if pattern_of(mapping.function) != "map":
        way = pattern_of(mapping.function) or mapping.function.name
        raise BrokenConditionError(f"What {site.head.label} reduces runs as {way} already.", "map", way)
    return replace_term(site.program, mapping, replace(mapping, function=replace(mapping.function, name="mapVec")))


def _fuse(site: Site, options: tuple[str, ...]) -> Term:
    """map f behind map g is one map of both, run as the one that said how."""
    before = site.whole.arguments[-1] if site.whole is not None else None
    first, data = map_in(before)
    if site.whole is None or first is None:
        raise BrokenConditionError(
            f"{site.head.label} does not directly follow another map.",
            "map(g) :>> map(f)",
            "nothing" if before is None else as_text(before)[-80:],
        )
    pattern, other = pattern_of(first.function), site.pattern
    if "map" not in (pattern, other) and pattern != other:
        raise BrokenConditionError(
            f"The maps run in different ways, as {pattern} and as {other}.",
            f"{other} and map, or {other} twice",
            f"{pattern}",
        )
    both = pipe_functions(as_function(site.program, first.arguments[0]), as_function(site.program, site.arguments[0]))
    variant = other if other != "map" else pattern or other
    fused_map = Apply(Variable(variant, label=site.head.label), (both,))
    return replace_term(site.program, site.whole, fused_map if data is None else pipe_functions(data, fused_map))


def _fission(site: Site, options: tuple[str, ...]) -> Term:
    """The last pattern that the function ends with becomes a map of its own."""
    function = site.arguments[0]
    match function:
        case Apply(function=last, arguments=(first,), pipe=True):
            pass
        case Lambda(parameter=name, body=Apply(function=last, arguments=(inner,), pipe=True)):
            if occurrences(last, name):
                raise BrokenConditionError(
                    f"The last step of the function, {as_text(last)[:60]}, needs {name}, which only the first map has.",
                    f"a last step without {name}",
                    as_text(function)[:80],
                )
            first = Lambda(name, function.annotation, inner)
        case _:
            raise BrokenConditionError(
                f"The function of {site.head.label} has no last step that could be a map of its own.",
                "a function that ends with `:>>` and a pattern",
                as_text(function)[:80],
            )
    if isinstance(first, Lambda) and first.body == Variable(first.parameter):
        raise BrokenConditionError(
            f"Before its last step, the function of {site.head.label} does nothing.",
            "two steps or more",
            as_text(function)[:80],
        )
    first_map = Apply(Variable(site.head.name, label=site.head.label), (first,))
    return site.with_function(first_map, pattern(site.head.name, last))


def _variant(site: Site, options: tuple[str, ...], name: str) -> Term:
    """The same pattern, run in another way."""
    if site.pattern == name:
        raise BrokenConditionError(f"{site.head.label} is {name} already.", "another way to run it", name)
    return site.with_function(rename(site, name))


def _keep(site: Site, options: tuple[str, ...], name: str) -> Term:
    return site.with_function(site.node, pattern(name))


def _cancel(site: Site, options: tuple[str, ...]) -> Term:
    """transpose behind transpose, and join behind pieces, change nothing."""
    before = site.whole.arguments[-1] if site.whole is not None else None
    inner = before.function if isinstance(before, Apply) and before.pipe else None
    name = pattern_of(inner.function if isinstance(inner, Apply) else inner) if inner is not None else None
    pairs = {"transpose": ("transpose",), "join": ("split", "splitUp"), "reverse": ("reverse",)}
    if before is None or name not in pairs.get(site.pattern, ()):
        raise BrokenConditionError(
            f"{site.head.label} does not undo what comes before it.",
            "transpose :>> transpose, reverse :>> reverse, split(n) :>> join or splitUp(n) :>> join",
            "nothing" if before is None else as_text(before)[-80:],
        )
    assert isinstance(before, Apply)
    assert site.whole is not None
    return replace_term(site.program, site.whole, before.arguments[-1])


_PIECES = ("8", "16", "32", "64", "128")
_VARIANTS = tuple(name for name in MAPS if name != "map")

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "splitJoin",
            "map",
            "map f = split n :>> map(map f) :>> join",
            "n divides the length, whatever the sizes are",
            partial(_split_join, pieces="split"),
            ("n",),
            _PIECES,
        ),
        Rule(
            "splitUpJoin",
            "map",
            "map f = splitUp n :>> map(map f) :>> join",
            "none: the last piece is shorter",
            partial(_split_join, pieces="splitUp"),
            ("n",),
            _PIECES,
        ),
        Rule(
            "dealReduce",
            "reduce",
            "reduce(⊕, z) = deal s :>> map(reduceSeq(⊕, z)) :>> reduce(⊕, z)",
            "⊕ is associative and commutative",
            _deal_reduce,
            ("s",),
            ("4", "8", "16", "32"),
        ),
        Rule(
            "partReduce",
            "reduce",
            "reduce(⊕, z) = splitUp n :>> map(reduce(⊕, z)) :>> reduce(⊕, z)",
            "⊕ is associative, and z changes nothing",
            _part_reduce,
            ("n",),
            _PIECES,
        ),
        Rule(
            "vectorReduce",
            "reduce",
            "map f :>> reduce(⊕, z) = mapVec f :>> reduce(⊕, z)",
            "⊕ is associative and commutative, and z changes nothing",
            _vector_reduce,
        ),
        Rule("fuse", "map", "map g :>> map f = map(g :>> f)", "it directly follows another map", _fuse),
        Rule(
            "fission",
            "map",
            "map(g :>> f) = map g :>> map f",
            "the last step of the function needs nothing but what the others make",
            _fission,
        ),
        *(
            Rule(
                name,
                "map",
                f"map f = {name} f",
                "the unit is one of the target's, and none is inside itself",
                partial(_variant, name=name),
            )
            for name in _VARIANTS
        ),
        *(
            Rule(
                name,
                "reduce",
                f"reduce(⊕, z) = {name}(⊕, z)",
                "none: the first element comes first",
                partial(_variant, name=name),
            )
            for name in ("reduceSeq", "reduceUnroll")
        ),
        *(
            Rule(
                name,
                "",
                f"{name} e = e",
                "work-groups have memory of a size that is a number",
                partial(_keep, name=name),
            )
            for name in ("toGlobal", "toLocal", "toPrivate")
        ),
        Rule(
            "cancel",
            "",
            "transpose :>> transpose = split n :>> join = reverse :>> reverse = id",
            "the two undo one another",
            _cancel,
        ),
        *ORDERS,
        *PIECES,
        *FUNCTIONS,
    )
}
"""By name. Rules whose family is empty take any pattern."""
