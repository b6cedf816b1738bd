"""``R = concat(A, B, …)``: tensors one behind another along dimension 1, as one statement with guarded reads (C1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.language.nodes import (
    Apply,
    Binary,
    Choice,
    Extent,
    In,
    Invoke,
    Name,
    Node,
    Number,
    Statement,
)

CONCAT = "concat"
MAX_PARTS = 16
ALONG = 1


def join(
    call: Invoke,
    parts: tuple[str, ...],
    target: str,
    orders: Mapping[str, int],
    fresh: Callable[[str], str],
    problems: Problems,
) -> Statement | None:
    """The statement that joins ``parts``, whose numbers of dimensions are ``orders``; None where it was refused.

    Their other dimensions must agree, which is for the caller to check."""

    def refuse(message: str, expected: str, actual: str) -> None:
        problems.add("tc/call", message, call.span, expected=expected, actual=actual)

    if len(call.targets) != 1 or not 2 <= len(parts) <= MAX_PARTS:
        refuse(
            f"concat joins 2 to {MAX_PARTS} tensors into one result",
            f"one result and 2 to {MAX_PARTS} tensors",
            f"{len(call.targets)} and {len(parts)}",
        )
        return None
    if target in parts:
        refuse(
            f"{target} is the result of concat and one of its parts",
            "a new name for the result",
            target,
        )
        return None
    unknown = [part for part in parts if part not in orders]
    if unknown:
        refuse(
            f"concat reads {unknown[0]}, which is neither a parameter nor assigned earlier",
            "tensors that are known here",
            unknown[0],
        )
        return None
    part_orders = [orders[part] for part in parts]
    if min(part_orders) <= ALONG or len(set(part_orders)) > 1:
        refuse(
            "concat joins tensors along dimension 1, so that all must have the same number of dimensions, at least 2",
            "tensors of equally many dimensions, at least 2",
            ", ".join(f"{part} with {order}" for part, order in zip(parts, part_orders, strict=True)),
        )
        return None
    span = call.span
    indices = tuple(Name(fresh(f"i{n}"), span) for n in range(part_orders[0]))
    along = indices[ALONG]
    ends: list[Node] = []
    for part in parts:
        size: Node = Extent(part, ALONG, span)
        ends.append(Binary("+", ends[-1], size, span) if ends else size)
    value: Node | None = None
    for number in reversed(range(len(parts))):
        where: Node = Binary("-", along, ends[number - 1], span) if number else along
        read = Apply(parts[number], (*indices[:ALONG], where, *indices[ALONG + 1 :]), span, span)
        value = read if value is None else Choice(Binary("<", along, ends[number], span), read, value, span)
    assert value is not None
    every = In(along.name, Number(0, span), ends[-1], span)
    return Statement(target, indices, "=", False, value, (every,), span, call.targets[0].span, span)
