"""What is visible at one place of a function, and the types of the expressions there."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.dtypes import (
    COMPARISONS,
    COMPLEX,
    DTYPES,
    FLOATS,
    INTEGERS,
    LOGICAL,
    dtype_of,
    element_dtype,
    integer_range,
    lane_dtype,
    lanes_of,
    vector_dtype,
)
from heddle.loop_ir.functions import FUNCTIONS
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Array,
    Binary,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    Gather,
    Keep,
    LaneRange,
    LaneSum,
    Load,
    Map,
    MapSize,
    RegistersHold,
    Select,
    Unary,
    Var,
    VectorLoad,
    VectorMasks,
)
from heddle.loop_ir.verification.rule_error import RuleError
from heddle.loop_ir.verification.verify_vectors import check_vector


@dataclass(frozen=True, slots=True)
class Symbol:
    """A visible name: a scalar of ``dtype``, an ``array`` or a ``map``. ``mutable``: may be assigned, or written into.

    ``depth`` is the number of parallel loops around the declaration. ``growable`` arrays have memory that the kernel
    obtained."""

    dtype: str
    mutable: bool
    array: Array | None = None
    map: Map | None = None
    depth: int = 0
    growable: bool = False


class Scope:
    """Names by innermost block. ``reducing`` maps a scalar to the operator that the enclosing loop combines it with,
    ``unallocated`` are the results whose memory the kernel has not obtained yet."""

    def __init__(self) -> None:
        self._blocks: list[dict[str, Symbol]] = [{}]
        self.reducing: dict[str, str] = {}
        self.unallocated: dict[str, Array] = {}
        self.lanes: int | None = None
        """How many lanes the vectors at this place have; None outside of lanes."""

    def enter(self) -> None:
        self._blocks.append({})

    def leave(self) -> None:
        self._blocks.pop()

    def find(self, name: str) -> Symbol | None:
        return next((block[name] for block in reversed(self._blocks) if name in block), None)

    def declare(self, name: str, symbol: Symbol) -> None:
        if self.find(name) is not None or name in self.unallocated:
            raise RuleError(f"'{name}' is declared again while it is visible")
        if lane_dtype(symbol.dtype) not in DTYPES:
            raise RuleError(f"'{name}' has the unknown dtype '{symbol.dtype}'")
        self._blocks[-1][name] = symbol

    def allocate_result(self, array: Array) -> None:
        """Declares a result whose memory is obtained here, in the function's outermost block."""
        if self.unallocated.get(array.name) != array:
            raise RuleError(f"'{array.name}' is not a result that is still to be allocated")
        if len(self._blocks) != 2:
            raise RuleError(f"the result '{array.name}' is allocated inside a nested block")
        del self.unallocated[array.name]
        self.declare(array.name, Symbol(array.dtype, True, array, growable=True))

    def scalar(self, name: str) -> Symbol:
        symbol = self.find(name)
        if symbol is None:
            raise RuleError(f"'{name}' is not declared")
        if symbol.array is not None:
            raise RuleError(f"'{name}' is an array, not a scalar")
        if symbol.map is not None:
            raise RuleError(f"'{name}' is a map, not a scalar")
        return symbol

    def array(self, array: Array, written: bool = False) -> None:
        symbol = self.find(array.name)
        if array.name in self.unallocated:
            raise RuleError(f"the result '{array.name}' is used before it is allocated")
        if symbol is None:
            raise RuleError(f"the array '{array.name}' is neither a parameter nor allocated")
        if symbol.array != array:
            raise RuleError(f"'{array.name}' is not the array that was declared under this name")
        if written and not symbol.mutable:
            raise RuleError(f"the array '{array.name}' is read-only")

    def map(self, table: Map) -> Symbol:
        symbol = self.find(table.name)
        if symbol is None:
            raise RuleError(f"the map '{table.name}' is not allocated")
        if symbol.map != table:
            raise RuleError(f"'{table.name}' is not the map that was declared under this name")
        return symbol

    def expect(self, expression: Expr, dtype: str, what: str) -> None:
        actual = self.dtype(expression)
        if actual != dtype:
            raise RuleError(f"{what} must be {dtype}, found {actual}")

    def dtype(self, expression: Expr) -> str:
        """The dtype of ``expression``, after every rule for it has been checked."""
        dtype = self._dtype(expression)
        if dtype not in DTYPES and lanes_of(dtype) is not None:
            check_vector(expression, self.lanes)
        return dtype

    def _dtype(self, expression: Expr) -> str:
        match expression:
            case Var(name=name, dtype=dtype):
                if name in self.reducing:
                    raise RuleError(f"'{name}' is read inside the parallel loop that reduces it")
                scalar = self.scalar(name).dtype
                if scalar != dtype:
                    raise RuleError(f"'{name}' is {scalar}, used as {dtype}")
                return dtype
            case Const():
                return _constant(expression)
            case VectorMasks(dtype=dtype) | RegistersHold(dtype=dtype):
                return _agree("a property of the machine", BOOL, dtype)
            case Binary():
                return self._binary(expression)
            case Unary(operator="!", operand=operand, dtype=dtype):
                self.expect(operand, BOOL, "the operand of '!'")
                return _agree("'!'", BOOL, dtype)
            case Unary(operator="-", operand=operand, dtype=dtype):
                if dtype == BOOL or dtype.startswith("u"):
                    raise RuleError(f"'-' does not take {dtype}")
                return _agree("'-'", self.dtype(operand), dtype)
            case Load(array=array, index=index):
                self.array(array)
                self.expect(index, INDEX, f"the index of '{array.name}'")
                return element_dtype(array)
            case MapSize(map=table, dtype=dtype):
                self.map(table)
                return _agree("the size of a map", INDEX, dtype)
            case Cast(operand=operand, dtype=dtype):
                source = self.dtype(operand)
                if source not in DTYPES:
                    raise RuleError(f"a cast of {source}")
                if dtype not in DTYPES:
                    raise RuleError(f"a cast to the unknown dtype '{dtype}'")
                if source in COMPLEX and dtype not in COMPLEX:
                    raise RuleError(f"a cast from {source} to {dtype} drops the imaginary part")
                return dtype
            case Select(condition=condition, then=then, otherwise=otherwise, dtype=dtype):
                self.expect(condition, BOOL, "the condition of a select")
                self.expect(then, dtype, "a side of a select")
                self.expect(otherwise, dtype, "a side of a select")
                return dtype
            case Call():
                return self._call(expression)
            case Broadcast(value=value):
                if self.dtype(value) not in DTYPES:
                    raise RuleError(f"the value of all lanes is {self.dtype(value)}")
                return dtype_of(expression)
            case VectorLoad() | Gather() | LaneRange() | Keep():
                return self._vector(expression)
            case LaneSum():
                raise RuleError("the sum of lanes is added to a scalar, and nothing else")
            case _:
                raise RuleError(f"{expression!r} is not an expression of loop IR")

    def _binary(self, expression: Binary) -> str:
        operator, dtype = expression.operator, expression.dtype
        left, right = self.dtype(expression.left), self.dtype(expression.right)
        if left != right:
            raise RuleError(f"the operands of '{operator}' differ: {left} and {right}")
        lanes, lane = lanes_of(left), lane_dtype(left)
        if operator in COMPARISONS:
            if operator not in ("==", "!=") and lane in COMPLEX | {BOOL}:
                raise RuleError(f"'{operator}' does not order {left}")
            return _agree(f"'{operator}'", BOOL if lanes is None else vector_dtype(BOOL, lanes), dtype)
        if operator in LOGICAL:
            allowed = frozenset({BOOL})
        elif operator in ("//", "%"):
            allowed = INTEGERS
        elif operator in ("min", "max"):
            allowed = INTEGERS | FLOATS | {BOOL}
        elif operator in ("+", "*"):
            allowed = DTYPES
        elif operator in ("-", "/"):
            allowed = DTYPES - {BOOL}
        else:
            raise RuleError(f"unknown operator '{operator}'")
        if lane not in allowed:
            raise RuleError(f"'{operator}' does not take {left}")
        return _agree(f"'{operator}'", left, dtype)

    def _vector(self, expression: VectorLoad | Gather | LaneRange | Keep) -> str:
        match expression:
            case VectorLoad(array=array, index=index, mask=mask):
                self.array(array)
                self.expect(index, INDEX, f"the first index of '{array.name}'")
            case Gather(array=array, indices=indices, mask=mask):
                self.array(array)
                dtype = self.dtype(indices)
                if lanes_of(dtype) is None or lane_dtype(dtype) != "int32":
                    raise RuleError(f"'{array.name}' is gathered by {dtype}, not by a vector of int32")
            case LaneRange(lower=lower, upper=upper):
                mask = None
                self.expect(lower, INDEX, "a number of a lane")
                self.expect(upper, INDEX, "a number of a lane")
            case Keep(value=value, mask=mask):
                self.dtype(value)
        if mask is not None:
            self.dtype(mask)
        return dtype_of(expression)

    def _call(self, call: Call) -> str:
        function = FUNCTIONS.get(call.function)
        if function is None:
            raise RuleError(f"unknown function '{call.function}'")
        if len(call.arguments) != function.arguments:
            raise RuleError(f"'{call.function}' takes {function.arguments} arguments, found {len(call.arguments)}")
        dtypes = {self.dtype(argument) for argument in call.arguments}
        if len(dtypes) != 1 or not dtypes <= function.dtypes:
            raise RuleError(f"'{call.function}' does not take {', '.join(sorted(dtypes))}")
        return _agree(f"'{call.function}'", function.result(dtypes.pop()), call.dtype)


def _agree(what: str, actual: str, stated: str) -> str:
    if actual != stated:
        raise RuleError(f"{what} gives {actual}, but the node says {stated}")
    return actual


def _constant(constant: Const) -> str:
    value, dtype = constant.value, constant.dtype
    if dtype == BOOL:
        fits = isinstance(value, bool)
    elif isinstance(value, bool):
        fits = False
    elif dtype in INTEGERS:
        low, high = integer_range(dtype)
        fits = isinstance(value, int) and low <= value <= high
    elif dtype in FLOATS:
        fits = isinstance(value, int | float)
    else:
        fits = dtype in COMPLEX
    if not fits:
        raise RuleError(f"the constant {value!r} is not a value of {dtype}")
    return dtype
