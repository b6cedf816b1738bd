"""What steps have made of the parameters of a program: arguments for the old ones are still taken, and follow."""

from __future__ import annotations

from dataclasses import dataclass

FORMATS = {
    "csr": ("pos", "crd", "vals"),
    "lil": ("lengths", "crd", "vals"),
    "ell": ("crd", "vals"),
}
"""The parts of a matrix that is stored by its entries, as storage calls them."""


@dataclass(frozen=True, slots=True)
class Derived:
    """``parameters`` in the place of ``sources``: ``pack`` made an array of pairs of two arrays, ``unpack`` two of one,
    and a format of :data:`FORMATS` the parts of a matrix, in their order."""

    how: str
    sources: tuple[str, ...]
    parameters: tuple[str, ...]
    shape: tuple[str, ...] = ()


def argument_of(parameter: str, arguments: dict[str, str], derivations: tuple[Derived, ...]) -> tuple[str, ...]:
    """What ``arguments`` of a plan take ``parameter`` from, by way of the parameters that it was made of: one source,
    or one for each field of its pairs."""
    if parameter in arguments:
        return (arguments[parameter],)
    for derivation in derivations:
        if parameter not in derivation.parameters:
            continue
        place = derivation.parameters.index(parameter)
        before = derivations[: derivations.index(derivation)]
        sources = [argument_of(source, arguments, before) for source in derivation.sources]
        match derivation.how:
            case "pack":
                both = sum(sources, ())
                owner, _, part = both[0].partition(".")
                together = part == "crd" and both[1:] == (f"{owner}.vals",)
                return (f"{owner}.entries",) if together else both
            case "unpack":
                (source,) = sources
                owner, _, part = source[0].partition(".")
                if len(source) == 1 and part == "entries":
                    return (f"{owner}.{('crd', 'vals')[place]}",)
                return (source[place],) if len(source) == 2 else (parameter,)
            case _:
                return (f"{sources[0][0]}.{FORMATS[derivation.how][place]}",)
    return (parameter,)
