"""The elements of workspace arrays."""

from __future__ import annotations

from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr
from compiler.lowering.scope import Scope
from compiler.notation.nodes import Access


def position_in(scope: Scope, access: Access) -> Expr:
    """Where the element of a workspace array stands, from the values of its indices."""
    position: Expr = build.index(0)
    for variable in access.indices:
        domain = scope.domain(variable)
        position = build.mul(position, build.sub(domain.upper, domain.lower))
        position = build.add(position, build.sub(scope.value(variable), domain.lower))
    return position
