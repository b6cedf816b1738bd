"""What a document means for a tensor of some order: which modes, in which order, and which roles."""

from __future__ import annotations

from heddle.algorithms.algorithm import Algorithm
from heddle.algorithms.roles import Role, roles_of
from heddle.algorithms.tree import BEST, NONE, Node, check, parse_tree
from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest


def modes_of(algorithm: Algorithm, order: int) -> tuple[int, ...]:
    """The modes that change, in the order in which they are visited.

    Raises
    ------
    CompileError
        ``algorithm/modes``.
    """
    every = tuple(range(order))
    visited = algorithm.parameters.order
    if visited is not None and tuple(sorted(visited)) != every:
        raise _modes("order", visited, f"each of {_list_modes(every)} once")
    changed = algorithm.parameters.update
    if changed is not None and (len(set(changed)) < len(changed) or not set(changed) <= set(every)):
        raise _modes("update", changed, f"some of {_list_modes(every)}, each at most once")
    wanted = set(every if changed is None else changed)
    return tuple(mode for mode in visited or every if mode in wanted)


def tree_of(algorithm: Algorithm, order: int) -> Node | None:
    """The tree whose partial products modes share; None where there is none, or where it is to be chosen yet.

    Raises
    ------
    CompileError
        ``algorithm/modes``; ``algorithm/reuse`` where its leaves are not the modes that change.
    """
    text, modes = algorithm.parameters.reuse, modes_of(algorithm, order)
    return None if text in (NONE, BEST) else check(parse_tree(text), text, modes)


def resolved_roles(algorithm: Algorithm, order: int) -> dict[str, Role]:
    """The roles for a tensor of that order.

    Raises
    ------
    CompileError
        ``algorithm/modes``; ``algorithm/reuse``; ``algorithm/unknown-role`` where ``kernels`` names another.
    """
    roles = roles_of(order, modes_of(algorithm, order), tree_of(algorithm, order), algorithm.algorithm)
    unknown = [name for name in algorithm.kernels if name not in roles]
    if not unknown:
        return roles
    known = tuple(roles)
    raise CompileError(
        *(
            Diagnostic(
                "algorithm/unknown-role",
                f"there is no kernel {name} for a tensor of order {order}. Known are {', '.join(known)}.",
                Location(Part.PLAN, path=f"/kernels/{name}"),
                expected="one of " + ", ".join(known),
                actual=name,
                candidates=nearest(name, known) or known,
            )
            for name in unknown
        )
    )


def _modes(name: str, actual: tuple[int, ...], expected: str) -> CompileError:
    text = _list_modes(actual)
    return CompileError(
        Diagnostic(
            "algorithm/modes",
            f"{name} must have {expected}, found {text}. Modes count from 0.",
            Location(Part.PLAN, path=f"/parameters/{name}"),
            expected=expected,
            actual=text,
        )
    )


def _list_modes(modes: tuple[int, ...]) -> str:
    return ", ".join(map(str, modes)) or "none"
