"""Vectors of loop IR in C: a vector that outlives its lanes is an array of registers, what is among lanes a loop
over them."""

from __future__ import annotations

from functools import cached_property
from math import copysign

from heddle.codegen.c.memory import MemoryPrinter
from heddle.codegen.c.vector_support import VectorTypes
from heddle.codegen.expressions import ADDITIVE, MULTIPLICATIVE, UNARY
from heddle.diagnostics import InternalError
from heddle.loop_ir import build
from heddle.loop_ir.dtypes import dtype_of, lane_dtype, lanes_of
from heddle.loop_ir.nodes import (
    BOOL,
    Array,
    Assign,
    Binary,
    Block,
    Broadcast,
    Const,
    Declare,
    Expr,
    Function,
    Gather,
    Keep,
    LaneRange,
    Lanes,
    LaneSum,
    Scatter,
    Stmt,
    Unary,
    Var,
    VectorLoad,
    VectorStore,
)
from heddle.loop_ir.passes.lane_analysis import ITEM_BYTES
from heddle.loop_ir.walk import all_statements, expressions, subexpressions
from heddle.origin import Origin

_LEVELS = {"*": MULTIPLICATIVE, "/": MULTIPLICATIVE, "+": ADDITIVE, "-": ADDITIVE}


class VectorPrinter(MemoryPrinter):
    """Prints what computes with vectors."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._register = self.identifiers.fresh("r")
        """The variable of loops over registers."""
        self._inside: set[str] = set()
        """The vectors declared in that loop: one register each."""

    @cached_property
    def _types(self) -> VectorTypes:
        """Made when the first vector is printed: most kernels have none."""
        return VectorTypes(self.support, _widest(self.function))

    def vector(self, statement: Stmt) -> bool:
        """Prints a statement of vectors; False for another one."""
        match statement:
            case Lanes():
                self._lanes(statement)
            case Declare(name=name, dtype=dtype, value=value, origin=origin) if (lanes := lanes_of(dtype)) is not None:
                kind = self._types.type(lane_dtype(dtype), lanes)
                self.out.line(f"{kind} {self.identifiers.spell(name)}[{self._count(lanes)}];", origin)
                self.lines[-1] = self._each(lanes, f"{self._vector(name)} = {self._constant(value, kind)};", origin)
            case Assign(name=name, value=Broadcast(lanes=lanes) as value, origin=origin, reduce=None):
                kind = self._types.type(lane_dtype(dtype_of(value)), lanes)
                self.lines[-1] = self._each(lanes, f"{self._vector(name)} = {self._constant(value, kind)};", origin)
            case Assign(name=name, value=LaneSum(operand=Var(name=vector, dtype=dtype)), origin=origin, reduce="+"):
                function = self._types.sum(lane_dtype(dtype), lanes_of(dtype) or 1)
                self.out.line(
                    f"{self.identifiers.spell(name)} += {function}({self.identifiers.spell(vector)});", origin
                )
            case _:
                return False
        return True

    def _constant(self, value: Expr, kind: str) -> str:
        """The text of a register all of whose lanes are the same."""
        match value:
            case Broadcast(value=Const(value=0 as zero)) if copysign(1, zero.real) > 0:
                return f"({kind}){{0}}"
            case _:
                return f"{self._value(value, ADDITIVE)} - ({kind}){{0}}"

    def _count(self, lanes: int) -> str:
        """The number of registers that hold so many lanes."""
        return f"{lanes} / {self._types.lanes(lanes)}"

    def _each(self, lanes: int, text: str, origin: Origin) -> int:
        """Prints what is done for each register of so many lanes."""
        return self.out.line(f"{self._header(lanes)} {text}", origin)

    def _header(self, lanes: int) -> str:
        """What is before that which is done for each register."""
        return f"{self._types.each()}({self._register}, {self._count(lanes)})"

    # ------------------------------------------------------------------------------------------------ lanes

    def _lanes(self, lanes: Lanes) -> None:
        body = lanes.body.statements if isinstance(lanes.body, Block) else (lanes.body,)
        origin, count = lanes.origin, lanes.count
        self.lines[-1] = self.out.line(f"{{  // {count} lanes of {lanes.variable}", origin)
        self.out.indent()
        shared = [
            statement for statement in body if isinstance(statement, Declare) and lanes_of(statement.dtype) is None
        ]
        header, several, opened = self._header(count), len(body) > len(shared) + 1, False
        for statement in body:
            if isinstance(statement, Declare) and lanes_of(statement.dtype) is None:
                self.statement(statement)
                continue
            if several and not opened:
                self.out.line(f"{header} {{", origin)
                self.out.indent()
                opened = True
            self.lines.append(self.out.next_line)
            line = self._in_lanes(statement, count)
            self.out.line(
                line if several else f"{header} {line}", origin if isinstance(statement, Block) else statement.origin
            )
        if opened:
            self.out.dedent()
            self.out.line("}", origin)
        self._inside = set()
        self.out.dedent()
        self.out.line("}", origin)

    def _in_lanes(self, statement: Stmt, lanes: int) -> str:
        """The line of a statement for one register."""
        match statement:
            case Declare(name=name, dtype=dtype, value=value):
                element = lane_dtype(dtype)
                kind = self._types.mask(lanes) if element == BOOL else self._types.type(element, lanes)
                text = self._mask(value) if element == BOOL else self._whole(value, kind)
                self._inside.add(name)
                return f"{kind} {self.identifiers.spell(name)} = {text};"
            case Assign(name=name, value=value, reduce=None):
                kind = self._types.type(lane_dtype(dtype_of(value)), lanes)
                return f"{self._vector(name)} = {self._whole(value, kind)};"
            case Assign(name=name, value=value, reduce=reduce):
                return f"{self._vector(name)} {reduce}= {self._value(value)};"
            case VectorStore(array=array, index=index, value=value, reduce=reduce):
                kind, place = self._types.type(array.dtype, lanes), f"&{self._element(array, index, lanes)}"
                if reduce:
                    return f"store_{kind}({place}, load_{kind}({place}) {reduce} ({self._value(value)}));"
                return f"store_{kind}({place}, {self._whole(value, kind)});"
            case Scatter(array=array, indices=indices, value=value, reduce=reduce):
                function, kind = self._types.scatter(array.dtype, lanes, reduce), self._types.type(array.dtype, lanes)
                place = self.identifiers.spell(array.name)
                at = self._whole(indices, self._types.type("int32", lanes))
                return f"{function}({place}, {at}, {self._whole(value, kind)});"
            case _:
                raise InternalError(f"no statement among lanes: {statement!r}")

    def _whole(self, value: Expr, kind: str) -> str:
        """The text of a register, also of a value that is the same in all lanes, which C would take for a scalar."""
        return self._constant(value, kind) if _is_scalar(value) else self._value(value)

    def _element(self, array: Array, index: Expr, lanes: int) -> str:
        """The element of the first lane of the register."""
        per = self._types.lanes(lanes)
        first = self.expressions.text(index, ADDITIVE)
        offset = f"{self._register} * {per}"
        inside = offset if index == build.index(0) else f"{first} + {offset}"
        return f"{self.identifiers.spell(array.name)}[{inside}]"

    def _vector(self, name: str) -> str:
        spelled = self.identifiers.spell(name)
        return spelled if name in self._inside else f"{spelled}[{self._register}]"

    def _value(self, value: Expr, precedence: int = 0) -> str:
        """The text of one register; that of the scalar where all lanes agree."""
        match value:
            case Broadcast(value=scalar):
                return self.expressions.text(scalar, max(precedence, ADDITIVE))
            case Var(name=name):
                return self._vector(name)
            case VectorLoad(array=array, index=index, lanes=lanes, mask=mask):
                place = f"&{self._element(array, index, lanes)}"
                if mask is None:
                    return f"load_{self._types.type(array.dtype, lanes)}({place})"
                return f"{self._types.load_kept(array.dtype, lanes)}({place}, {self._value(mask)})"
            case Gather(array=array, indices=indices, mask=mask):
                lanes = lanes_of(dtype_of(indices)) or 1
                function = self._types.gather(array.dtype, lanes, masked=mask is not None)
                at = self._whole(indices, self._types.type("int32", lanes))
                arguments = [self.identifiers.spell(array.name), at]
                return f"{function}({', '.join(arguments + ([] if mask is None else [self._value(mask)]))})"
            case Keep(value=inner, mask=mask):
                dtype = dtype_of(value)
                kind = self._types.type(lane_dtype(dtype), lanes_of(dtype) or 1)
                function = self._types.keep(lane_dtype(dtype), lanes_of(dtype) or 1)
                return f"{function}({self._whole(inner, kind)}, {self._value(mask)})"
            case Binary(operator=operator, left=left, right=right):
                level = _LEVELS[operator]
                text = f"{self._value(left, level)} {operator} {self._value(right, level + 1)}"
                return text if level >= precedence else f"({text})"
            case Unary(operator="-", operand=operand):
                text = f"-{self._value(operand, UNARY + 1)}"
                return text if precedence <= UNARY else f"({text})"  # "--" is another operator
            case _:
                raise InternalError(f"no value among lanes: {value!r}")

    def _mask(self, mask: Expr) -> str:
        """The text of what says which lanes of a register are kept."""
        lanes = lanes_of(dtype_of(mask)) or 1
        match mask:
            case LaneRange(lower=lower, upper=upper):
                function, per = self._types.first(lanes), self._types.lanes(lanes)
                offset = f"{self._register} * {per}"
                text = f"{function}({self.expressions.text(upper, ADDITIVE)} - {offset})"
                if lower == build.index(0):
                    return text
                return f"{text} & ~{function}({self.expressions.text(lower, ADDITIVE)} - {offset})"
            case Binary():
                return f"keep_{self._types.type('int32', lanes)}({self._tests(mask)})"
            case _:
                raise InternalError(f"no mask: {mask!r}")

    def _tests(self, mask: Expr) -> str:
        match mask:
            case Binary(operator="&&", left=left, right=right):
                return f"{self._tests(left)} & {self._tests(right)}"
            case Binary(operator=operator, left=left, right=right):
                first = self._whole(left, self._types.type("int32", lanes_of(dtype_of(left)) or 1))
                return f"({first} {operator} {self._value(right, ADDITIVE)})"
            case _:
                raise InternalError(f"no test of lanes: {mask!r}")


def _is_scalar(value: Expr) -> bool:
    """Whether C computes one number of it, not a register."""
    match value:
        case Broadcast():
            return True
        case Binary(left=left, right=right):
            return _is_scalar(left) and _is_scalar(right)
        case Unary(operand=operand):
            return _is_scalar(operand)
        case _:
            return False


def _widest(function: Function) -> int:
    """The bytes of the widest elements that its vectors have."""
    dtypes = {statement.dtype for statement in all_statements(function) if isinstance(statement, Declare)}
    for statement in all_statements(function):
        if isinstance(statement, Lanes | VectorStore | Scatter | Assign | Declare):
            dtypes.update(dtype_of(part) for value in expressions(statement) for part in subexpressions(value))
    vectors = {lane_dtype(dtype) for dtype in dtypes if lanes_of(dtype) is not None} - {BOOL}
    return max((ITEM_BYTES[dtype] for dtype in vectors), default=8)
