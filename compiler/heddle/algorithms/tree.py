"""The tree of partial products, as a text: ``((0 1) (2 3))`` keeps what modes 0 and 1 share, and 2 and 3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from heddle.diagnostics import CompileError, Diagnostic, Location, Part

NONE, BEST = "none", "best"
"""No tree; the one that is predicted to be the fastest, written out once the tensor is known."""

EXAMPLE = "for example ((0 1) 2)"
DEEPEST = 16
_TOKEN = re.compile(r"\s*([()]|\d+|$)")


@dataclass(frozen=True, slots=True)
class Node:
    """Of the ``modes`` below it, from left to right; without children it is a leaf, of one mode."""

    modes: tuple[int, ...]
    children: tuple[Node, ...] = ()

    @property
    def name(self) -> str:
        """Of its role: ``tree.0-1``."""
        return f"tree.{'-'.join(map(str, self.modes))}"

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.children))})" if self.children else str(self.modes[0])


def parse_tree(text: str) -> Node:
    """The tree that a text spells; its leaves are any modes.

    Raises
    ------
    CompileError
        ``algorithm/reuse`` with the place in the text.
    """
    node, end = _node(text, 0, 0)
    rest = text[end:].strip()
    if rest:
        place = end + text[end:].index(rest)
        raise refusal(f"reuse ends at character {place}, but more follows: `{rest[:20]}`", "one tree")
    return node


def check(tree: Node, text: str, modes: tuple[int, ...]) -> Node:
    """``tree`` where its leaves are ``modes``, in this order.

    Raises
    ------
    CompileError
        ``algorithm/reuse``.
    """
    if tree.modes == modes:
        return tree
    offsets = [match.start() for match in re.finditer(r"\d+", text)]
    wrong = [
        f"mode {mode} a second time at character {offset}"
        for place, (mode, offset) in enumerate(zip(tree.modes, offsets, strict=True))
        if mode in tree.modes[:place]
    ]
    wrong += [f"mode {mode} missing" for mode in modes if mode not in tree.modes]
    wrong += [f"mode {mode}, which is not updated" for mode in dict.fromkeys(tree.modes) if mode not in modes]
    wanted = ", ".join(map(str, modes))
    why = "; ".join(wrong) or f"found {', '.join(map(str, tree.modes))}"
    raise refusal(f"reuse must have the modes {wanted} from left to right, each once: {why}", f"the modes {wanted}")


def contiguous(modes: tuple[int, ...], most: int = 2) -> list[Node]:
    """All trees over ``modes`` whose nodes have 2 to ``most`` children."""
    if len(modes) == 1:
        return [Node(modes)]
    trees = []
    for cuts in _cuts(len(modes), most):
        parts = [contiguous(modes[begin:end], most) for begin, end in zip((0, *cuts), (*cuts, len(modes)), strict=True)]
        trees += [Node(modes, tuple(children)) for children in product(*parts)]
    return trees


def flat(modes: tuple[int, ...]) -> Node:
    """The tree without partial products."""
    return Node(modes, tuple(Node((mode,)) for mode in modes))


def refusal(message: str, expected: str) -> CompileError:
    location = Location(Part.PLAN, path="/parameters/reuse")
    return CompileError(Diagnostic("algorithm/reuse", message, location, expected=expected))


def _cuts(length: int, most: int) -> Iterator[tuple[int, ...]]:
    """Where a list of this length is cut into 2 to ``most`` parts."""

    def extend(begin: int, left: int) -> Iterator[tuple[int, ...]]:
        for cut in range(begin, length):
            yield (cut,)
            if left > 1:
                yield from ((cut, *more) for more in extend(cut + 1, left - 1))

    return extend(1, most - 1)


def _node(text: str, begin: int, depth: int) -> tuple[Node, int]:
    """The node that begins there, and where it ends."""
    token, start, end = _token(text, begin)
    if token.isdigit() and depth:
        return Node((int(token),)), end
    if token != "(" or depth > DEEPEST:
        expected = "( or a mode" if depth else "("
        actual = f"`{token}`" if token else "its end"
        raise refusal(f"reuse must have {expected} at character {start}, found {actual}", EXAMPLE)
    children: list[Node] = []
    while True:
        token, start, after = _token(text, end)
        if token == ")" and len(children) >= 2:
            return Node(tuple(mode for child in children for mode in child.modes), tuple(children)), after
        if token == ")":
            raise refusal(f"the parentheses of reuse that end at character {start} need two parts or more", "(0 1)")
        child, end = _node(text, end, depth + 1)
        children.append(child)


def _token(text: str, begin: int) -> tuple[str, int, int]:
    match = _TOKEN.match(text, begin)
    if match is None:
        place = begin + len(text[begin:]) - len(text[begin:].lstrip())
        raise refusal(f"reuse has `{text[place]}` at character {place}; it is made of modes and parentheses", EXAMPLE)
    return match[1], match.start(1), match.end(1)
