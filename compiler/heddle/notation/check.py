"""Is an assignment that parses also meaningful? Every problem is found, not only the first.

A result variable that does not occur on the right, as in ``A(i,j) = x(i)``, is meaningful: the value is repeated along
that dimension, whose size must then come from the Plan's shapes.
"""

from __future__ import annotations

from collections.abc import Iterator

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.notation.alpha_renaming import rename_apart
from heddle.notation.check_statements import statement_problems
from heddle.notation.limits import MAX_NAME, MAX_OPERANDS, MAX_ORDER, MAX_VARIABLES
from heddle.notation.nodes import Access, Assignment, Span, accesses, index_variables, statements
from heddle.notation.printer import to_text
from heddle.notation.rename import rename_tensor, rename_variable
from heddle.notation.reserved import RESERVED


def check(assignment: Assignment) -> None:
    """Raises CompileError with every problem of ``assignment`` (codes ``expression/...``)."""
    diagnostics = [
        *_limits(assignment),
        *_names(assignment),
        *_repeated_indices(assignment),
        *_orders(assignment),
        *_result_read(assignment),
        *statement_problems(assignment),
    ]
    if diagnostics:
        raise CompileError(*diagnostics)


def _all_accesses(assignment: Assignment) -> list[Access]:
    return [
        access for statement in statements(assignment) for access in (statement.target, *accesses(statement.expression))
    ]


def _limits(assignment: Assignment) -> Iterator[Diagnostic]:
    operands = [access for statement in statements(assignment) for access in accesses(statement.expression)]
    if len(operands) > MAX_OPERANDS:
        yield _too_many("operands", len(operands), MAX_OPERANDS, assignment.expression.span)
    variables = index_variables(rename_apart(assignment))
    if len(variables) > MAX_VARIABLES:
        yield _too_many("index variables", len(variables), MAX_VARIABLES, assignment.span)
    for access in _all_accesses(assignment):
        if len(access.indices) > MAX_ORDER:
            yield _too_many("dimensions", len(access.indices), MAX_ORDER, access.span, subject=access.tensor)
    for name, span in _first_uses(assignment):
        if len(name) > MAX_NAME:
            yield Diagnostic(
                "expression/name-too-long",
                f"the name {name[:MAX_NAME]}... has {len(name)} characters, the limit is {MAX_NAME}",
                _at(span),
                expected=f"at most {MAX_NAME} characters",
                actual=f"{len(name)} characters",
            )


def _too_many(what: str, actual: int, limit: int, span: Span | None, subject: str = "the expression") -> Diagnostic:
    return Diagnostic(
        f"expression/too-many-{what.replace(' ', '-')}",
        f"{subject} has {actual} {what}, the limit is {limit}",
        _at(span),
        expected=f"at most {limit} {what}",
        actual=str(actual),
        hint=None if what == "dimensions" else "split the computation into several expressions",
    )


def _names(assignment: Assignment) -> Iterator[Diagnostic]:
    """Names that the generated text cannot use, and names that stand for two things."""
    tensors = {access.tensor for access in _all_accesses(assignment)}
    variables = set(index_variables(assignment))
    for name, span in _first_uses(assignment):
        if name in RESERVED:
            rename = rename_tensor if name in tensors else rename_variable
            free = _free_name(f"{name}0" if name in tensors else f"{name}_", tensors | variables)
            yield Diagnostic(
                "expression/reserved-name",
                f"{name} is a reserved word in the generated C, CUDA or OpenCL code and cannot name "
                f"{'a tensor' if name in tensors else 'an index variable'}",
                _at(span),
                expected="another name",
                actual=name,
                fixes=(_fix(f"Rename {name} to {free}", rename(assignment, name, free)),),
            )
    variable_spans = {
        index: span
        for access in reversed(_all_accesses(assignment))
        for index, span in zip(access.indices, access.index_spans or (access.span,) * len(access.indices), strict=True)
    }
    for name in sorted(tensors & variables):
        free = _free_name("i", tensors | variables)
        yield Diagnostic(
            "expression/name-conflict",
            f"{name} is both a tensor and an index variable",
            _at(variable_spans[name]),
            expected=f"an index variable other than {', '.join(sorted(tensors))}",
            actual=name,
            fixes=(_fix(f"Rename the index variable {name} to {free}", rename_variable(assignment, name, free)),),
        )


def _repeated_indices(assignment: Assignment) -> Iterator[Diagnostic]:
    """An operand may be read on its diagonal; a result written there alone would leave the rest undefined."""
    for statement in statements(assignment):
        yield from _repeated_index(assignment, statement.target)


def _repeated_index(assignment: Assignment, target: Access) -> Iterator[Diagnostic]:
    for place, index in enumerate(target.indices):
        if target.indices.index(index) == place:
            continue
        span = target.index_spans[place] if target.index_spans else target.span
        yield Diagnostic(
            "expression/repeated-index",
            f"the {'result' if target == assignment.target else 'temporary'} {to_text(target)} uses the index variable "
            f"{index} twice",
            _at(span),
            expected="different index variables in the result",
            actual=f"{index} again",
            candidates=tuple(name for name in index_variables(assignment) if name not in target.indices),
            hint=f"only the diagonal of {target.tensor} would be written; give it two variables, or make it a vector",
        )
        break


def _orders(assignment: Assignment) -> Iterator[Diagnostic]:
    first: dict[str, Access] = {}
    for access in _all_accesses(assignment):
        known = first.setdefault(access.tensor, access)
        if len(known.indices) != len(access.indices):
            expected = f"{_count(len(known.indices))}, as in {to_text(known)}"
            yield Diagnostic(
                "expression/order-conflict",
                f"{to_text(access)} has {_count(len(access.indices))}, but {to_text(known)} has "
                f"{_count(len(known.indices))}: a tensor always has the same number of indices",
                _at(access.span),
                expected=expected,
                actual=_count(len(access.indices)),
                hint="give one of the two tensors another name",
            )


def _result_read(assignment: Assignment) -> Iterator[Diagnostic]:
    """The kernel overwrites its result while it runs, so an operand of the same name would have no defined value."""
    for statement in statements(assignment):
        name = statement.target.tensor
        access = next((a for a in accesses(statement.expression) if a.tensor == name), None)
        if access is not None:
            yield Diagnostic(
                "expression/result-read",
                f"{name} is {'the result' if statement.target == assignment.target else 'assigned here'} and is also "
                f"read by {to_text(access)}",
                _at(access.span),
                expected="a result that the right-hand side does not read",
                actual=to_text(access),
                hint="give the result another name",
            )


def _first_uses(assignment: Assignment) -> list[tuple[str, Span | None]]:
    """Every name once, with the place of its first use."""
    uses: dict[str, Span | None] = {}
    for access in _all_accesses(assignment):
        start = access.span.start if access.span else 0
        uses.setdefault(access.tensor, Span(start, start + len(access.tensor)) if access.span else None)
        for place, index in enumerate(access.indices):
            uses.setdefault(index, access.index_spans[place] if access.index_spans else access.span)
    return list(uses.items())


def _free_name(name_hint: str, reserved: set[str]) -> str:
    if name_hint == "i":
        name_hint = next((letter for letter in "ijklmnpq" if letter not in reserved), "i1")
    number, name = 1, name_hint
    while name in reserved or name in RESERVED:
        number += 1
        name = f"{name_hint}{number}"
    return name


def _fix(title: str, repaired: Assignment) -> Fix:
    return Fix(title, expression=to_text(repaired))


def _count(indices: int) -> str:
    return "no indices" if indices == 0 else "1 index" if indices == 1 else f"{indices} indices"


def _at(span: Span | None) -> Location | None:
    return Location(Part.EXPRESSION, span.start, span.end) if span else None
