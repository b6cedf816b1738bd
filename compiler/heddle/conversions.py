"""Operands in another storage order than declared: which accesses need one, and what the kernel then reads.

With the option ``convert: automatic``, where loops cannot follow the storage order of tensors
(``format/conflicting-orders``, ``schedule/storage-order``), the iteration graph is made again with all of these stored
in the order of the loops. An operand whose accesses all need the same order is taken in it; one that is read in two
gets a copy under a name of its own. The runtime makes both when the kernel is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from heddle.advice import StartInOrderOfResult, StoreInOrder, WantedOrder
from heddle.diagnostics import Diagnostic
from heddle.formats.format import Format
from heddle.names import Names
from heddle.notation.nodes import (
    Access,
    Assignment,
    Expression,
    Literal,
    index_variables,
    operand_accesses,
    operands_of,
    with_operands,
)
from heddle.signature import Signature


@dataclass(frozen=True, slots=True)
class Conversion:
    """The kernel takes ``name``: the operand ``tensor`` stored as ``format``. The two names differ for a copy."""

    tensor: str
    name: str
    format: Format


@dataclass(frozen=True, slots=True)
class Requests:
    """What is stored otherwise than declared, by accesses without spans. ``loops``: the format whose order the loops
    follow before the command that needs another one. ``settling``: the command before which converted tensors may be
    visited in another order than they are stored in. ``workspace_first``: commands find the automatic workspace, which
    other storage orders may make needless."""

    orders: Mapping[Access, tuple[int, ...]] = field(default_factory=dict)
    loops: Mapping[Access, Format] = field(default_factory=dict)
    result_first: bool = False
    settling: int | None = None
    workspace_first: bool = True
    dense_temporaries: bool = False
    """Temporaries whose format nobody declared are dense, whatever they are computed of."""

    def is_settled(self, command: int | None = None) -> bool:
        """Whether the graph after ``command`` (None: before any) must follow the storage order of all tensors."""
        return self.settling is None or (command is not None and command >= self.settling)


@dataclass(frozen=True, slots=True)
class Converted:
    """What the kernel computes: the assignment and the signature with the names and formats that it reads."""

    assignment: Assignment
    signature: Signature
    conversions: tuple[Conversion, ...] = ()
    turned: tuple[Conversion, ...] = ()
    """Copies that the kernel makes itself, in front of its loops: temporaries of ``assignment``."""


def convert(assignment: Assignment, signature: Signature, requests: Requests) -> Converted:
    """``assignment`` (renamed apart) and its signature under ``requests``; both unchanged where there are none."""
    signature = replace(signature, result_first=requests.result_first, workspace_first=requests.workspace_first)
    if not requests.orders:
        return Converted(assignment, signature)
    names = Names({*signature.tensors, *signature.temporaries, *index_variables(assignment)})
    tensors = dict(signature.tensors)
    read: dict[Access, str] = {}
    conversions: dict[str, Conversion] = {}
    for tensor in dict.fromkeys(access.tensor for access in requests.orders):
        declared = signature.tensors[tensor]
        tensor_accesses = list(dict.fromkeys(_plain(a) for a in operand_accesses(assignment) if a.tensor == tensor))
        orders = {access: requests.orders.get(access, declared.format.order) for access in tensor_accesses}
        # What the loops follow at first is told apart, too: two accesses may become alike only after a command.
        wanted = {
            access: (replace(declared.format, order=order), requests.loops.get(access))
            for access, order in orders.items()
        }
        groups = list(dict.fromkeys(wanted.values()))
        groups.sort(key=lambda group: group[0] != declared.format)
        for place, (layout, loops) in enumerate(groups):
            name = tensor if place == 0 else names.fresh(f"{tensor}copy")
            users = [access for access in tensor_accesses if wanted[access] == (layout, loops)]
            read.update(dict.fromkeys(users, name))
            indices = declared.indices if place == 0 else users[0].indices
            tensors[name] = replace(declared, name=name, indices=indices, format=layout, loops=loops)
            if layout != declared.format or name != tensor:
                conversions[name] = Conversion(tensor, name, layout)
    return Converted(_reading(assignment, read), replace(signature, tensors=tensors), tuple(conversions.values()))


def extend_requests(requests: Requests, conversion: Converted, assignment: Assignment, refused: Diagnostic) -> Requests:
    """``requests`` and what the advice of ``refused`` asks for besides; the very same where no conversion helps.

    ``conversion`` is what was refused, ``assignment`` the expression that it was made of.
    """
    command = None if refused.location is None else refused.location.command
    for advice in refused.advice:
        match advice:
            case StartInOrderOfResult():
                requests = replace(requests, result_first=True)
            case StoreInOrder(orders=orders):
                stored = _request_order(requests, conversion, assignment, orders, command)
                if stored is None:
                    break
                requests = stored
            case _:
                pass
    return requests


def _request_order(
    requests: Requests,
    conversion: Converted,
    assignment: Assignment,
    wanted: Iterable[WantedOrder],
    command: int | None,
) -> Requests | None:
    """``requests`` and all orders that are ``wanted`` from ``command`` on; None where one of them is impossible."""
    orders, loops = dict(requests.orders), dict(requests.loops)
    for order in wanted:
        access = _declared_access(conversion, assignment, order)
        if (
            access is None
            or access.tensor == conversion.signature.result.name
            or access.tensor in conversion.signature.temporaries
        ):
            return None
        orders[access] = order.order
        if command is not None:
            loops.setdefault(access, conversion.signature.tensors[order.tensor].format)
    settling = requests.settling if command is None else command
    return replace(requests, orders=orders, loops=loops, settling=settling)


def _declared_access(conversion: Converted, assignment: Assignment, wanted: WantedOrder) -> Access | None:
    """The access of the expression that an access of the iteration graph comes from."""
    pairs = list(zip(operand_accesses(conversion.assignment), operand_accesses(assignment), strict=True))
    known = index_variables(conversion.assignment)

    def same(access: Access, indices: tuple[str, ...]) -> bool:
        """Variables that the expression does not have are new names for some that it has."""
        if access.tensor != wanted.tensor:
            return False
        return all(index == name or name not in known for index, name in zip(access.indices, indices, strict=True))

    for indices in (wanted.indices, wanted.original):
        candidates = {_plain(declared) for access, declared in pairs if same(access, indices)}
        if len(candidates) == 1:
            return candidates.pop()
    return None


def _plain(access: Access) -> Access:
    return Access(access.tensor, access.indices)


def _reading(assignment: Assignment, read: Mapping[Access, str]) -> Assignment:
    """The assignment with other tensors for some accesses."""
    before = tuple(_reading(temporary, read) for temporary in assignment.temporaries)
    return replace(assignment, expression=_walk(assignment.expression, read), temporaries=before)


def _walk(expression: Expression, read: Mapping[Access, str]) -> Expression:
    match expression:
        case Access():
            return replace(expression, tensor=read.get(_plain(expression), expression.tensor))
        case Literal():
            return expression
        case _:
            return with_operands(expression, [_walk(part, read) for part in operands_of(expression)])
