"""What the joined cases of a launch compute of the number of their block, made known ahead of the first branch.

Intel's runtime for processors loads what a branch with barriers reads before it branches, at places that it computes as
if the branch had been taken. So each case gets a number that lies in its own range also where another case runs.
"""

from __future__ import annotations

from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.nodes import Barrier, Binary, Block, Combine, CombineRuns, Declare, Expr, For, If, Stmt, Var
from heddle.loop_ir.walk import statements


def with_known_cases(launch: For) -> For:
    """``launch``, of which each block takes one case, with what the cases subtract from its number ahead of them; the
    very same where no case has threads that wait for one another."""
    body = launch.body.statements if isinstance(launch.body, Block) else (launch.body,)
    new_body: list[Stmt] = []
    for statement in body:
        waits = any(isinstance(inner, Barrier | Combine | CombineRuns) for inner in statements(statement))
        if isinstance(statement, If) and statement.otherwise is not None and waits:
            ahead: list[Stmt] = []
            chain = _case(statement, launch, ahead)
            new_body += [*ahead, chain]
        else:
            new_body.append(statement)
    return replace(launch, body=Block(tuple(new_body))) if len(new_body) > len(body) else launch


def _case(statement: If, launch: For, ahead: list[Stmt]) -> If:
    match statement:
        case If(condition=Binary(operator="<", left=Var(name=name), right=end)) if name == launch.variable:
            pass
        case _:
            return statement
    then = _drop_known_case(statement.then, end, launch, ahead)
    match statement.otherwise:
        case Block(statements=(If() as following,)):
            otherwise: Stmt | None = Block((_case(following, launch, ahead),))
        case None:
            otherwise = None
        case last:
            otherwise = _drop_known_case(last, launch.upper, launch, ahead)
    return replace(statement, then=then, otherwise=otherwise)


def _drop_known_case(body: Stmt, end: Expr, launch: For, ahead: list[Stmt]) -> Stmt:
    """``body`` without the number of the case that it begins with, which is now ``ahead``."""
    match body:
        case Block(statements=(Declare(value=Var(name=name), mutable=False) as declaration, *rest)) if (
            name == launch.variable
        ):
            start: Expr = build.index(0)
        case Block(
            statements=(
                Declare(value=Binary(operator="-", left=Var(name=name), right=start), mutable=False) as declaration,
                *rest,
            )
        ) if name == launch.variable:
            pass
        case _:
            return body
    last = build.minimum(Var(launch.variable), build.sub(end, build.index(1)))
    ahead.append(replace(declaration, value=build.maximum(build.sub(last, start), build.index(0))))
    return Block(tuple(rest))
