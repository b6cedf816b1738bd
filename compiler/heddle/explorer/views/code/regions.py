"""Loop IR -> what the loops read and write of each array, and where: the regions of sparse programs (docs/sources.toml
V10)."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.explorer.views.code.code_schema import RegionView
from heddle.loop_ir.nodes import For, Function, Load, Stmt, Store
from heddle.loop_ir.printing.expression_text import expression_text
from heddle.loop_ir.walk import children, expressions, subexpressions


def region_views(function: Function) -> list[RegionView]:
    """One for each place of an array that a statement reads or writes, in the order of the text, each once. ``within``
    are the loops around it with their ranges, outermost first."""
    views: dict[tuple[str, bool, str], RegionView] = {}
    for statement, loops in _statements(function.body, ()):
        for view in _find_regions(statement, loops):
            views.setdefault((view["array"], view["writes"], view["place"]), view)
    return list(views.values())


def _statements(statement: Stmt, loops: tuple[str, ...]) -> Iterator[tuple[Stmt, tuple[str, ...]]]:
    yield statement, loops
    if isinstance(statement, For):
        lower, upper = expression_text(statement.lower, True), expression_text(statement.upper, True)
        loops = (*loops, f"{statement.variable} in [{lower}, {upper})")
    for child in children(statement):
        yield from _statements(child, loops)


def _find_regions(statement: Stmt, loops: tuple[str, ...]) -> Iterator[RegionView]:
    for expression in expressions(statement):
        for part in subexpressions(expression):
            if isinstance(part, Load):
                yield _view(part.array.name, part.array.tensor, False, part, loops)
    if isinstance(statement, Store):
        place = Load(statement.array, statement.index, statement.path)
        yield _view(statement.array.name, statement.array.tensor, True, place, loops)


def _view(array: str, tensor: str | None, writes: bool, place: Load, loops: tuple[str, ...]) -> RegionView:
    return RegionView(
        array=array,
        tensor=tensor,
        writes=writes,
        place=expression_text(place, True),
        offset=expression_text(place.index),
        within=list(loops),
    )
