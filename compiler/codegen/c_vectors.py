"""Register tiles in C: named vectors, and loops over lanes written out vector by vector."""

from __future__ import annotations

from compiler.codegen.c_memory import MemoryPrinter
from compiler.codegen.expressions import ADDITIVE, MULTIPLICATIVE, UNARY
from compiler.codegen.lanes import ITEM_BYTES, Lanes
from compiler.codegen.vectors import Tile, arrays_of, tile_of
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    Allocate,
    Binary,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Load,
    LoopKind,
    Stmt,
    Store,
    Unary,
    Var,
)

_SHORT = {"float32": "f32", "float64": "f64", "int32": "i32"}

_TYPE = """\
typedef {element} {name} __attribute__((vector_size({bytes})));
static inline {name} load_{name}(const {element}* p) {{ {name} v; __builtin_memcpy(&v, p, sizeof v); return v; }}
static inline void store_{name}({element}* p, {name} v) {{ __builtin_memcpy(p, &v, sizeof v); }}
"""


class VectorPrinter(MemoryPrinter):
    """Prints workspaces that stay in registers."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._tiles: dict[str, Tile] = {}
        self._numbered: dict[str, list[str]] = {}

    def sequence(self, block: tuple[Stmt, ...]) -> None:
        outside = self._tiles
        made = {
            one.array.name: tile_of(one, block[number + 1 :])
            for number, one in enumerate(block)
            if isinstance(one, Allocate)
        }
        if made:
            kept = {name: tile for name, tile in outside.items() if name not in made}
            self._tiles = kept | {name: tile for name, tile in made.items() if tile is not None}
        super().sequence(block)
        self._tiles = outside

    def allocate(self, allocate: Allocate) -> None:
        tile = self._tiles.get(allocate.array.name)
        if tile is None:
            super().allocate(allocate)
            return
        start = " = {0}" if allocate.zero else ""
        names = ", ".join(f"{name}{start}" for name in self._names(tile))
        self.out.line(f"{self.type(tile)} {names};", allocate.origin)

    def fill_tile(self, fill: Fill) -> bool:
        """Prints the fill of a register tile; False for an array."""
        tile = self._tiles.get(fill.array.name)
        if tile is None:
            return False
        zero = isinstance(fill.value, Const) and fill.value.value == 0
        value = "" if zero else f" + {self.expressions.text(fill.value, ADDITIVE)}"
        self.out.line(f"{' = '.join(self._names(tile))} = ({self.type(tile)}){{0}}{value};", fill.origin)
        return True

    def vector_loop(self, loop: For) -> bool:
        """Prints a loop that computes with register tiles; False for another one."""
        if loop.kind is not LoopKind.CPU_VECTOR or not self._tiles:
            return False
        used = arrays_of(loop)
        tile = next((tile for name, tile in self._tiles.items() if name in used), None)
        if tile is None:
            return False
        lanes = Lanes(loop)
        variable = self.identifiers.spell(loop.variable)
        words = f"{tile.count} x {tile.lanes} lanes" if tile.count > 1 else f"{tile.lanes} lanes"
        self.lines[-1] = self.out.line(f"{{  // {variable} in [0, {tile.size}): {words}", loop.origin)
        self.out.indent()
        for statement in lanes.body:
            self.lines.append(self.out.next_line)
            self.in_lanes(statement, lanes, tile)
        self.out.dedent()
        self.out.line("}", loop.origin)
        return True

    def in_lanes(self, statement: Stmt, lanes: Lanes, tile: Tile) -> None:
        match statement:
            case Declare(name=name, dtype=dtype, value=value, origin=origin):
                if name in lanes.vectors:
                    for number in range(tile.count):
                        text = self.value(value, lanes, tile, number)
                        self.out.line(f"{self.type(tile)} {self.vectors(name, tile.count)[number]} = {text};", origin)
                else:
                    first = self.expressions.text(self.at_first(value, lanes))
                    self.out.line(f"{self.support.type(dtype)} {self.identifiers.spell(name)} = {first};", origin)
            case Store(array=array, index=index, value=value, reduce=reduce, origin=origin):
                for number in range(tile.count):
                    text = self.stored_value(value, lanes, tile, number)
                    own = self._tiles.get(array.name)
                    if own is not None:
                        operator = f"{reduce}=" if reduce else "="
                        self.out.line(f"{self._names(own)[number]} {operator} {text};", origin)
                        continue
                    place = f"&{self.expressions.subscript(array.name, self.shifted(index, lanes, tile, number))}"
                    if reduce:
                        text = f"load_{self.type(tile)}({place}) {reduce} ({text})"
                    self.out.line(f"store_{self.type(tile)}({place}, {text});", origin)
            case _:
                raise TypeError(f"unexpected node {statement!r}")

    def stored_value(self, value: Expr, lanes: Lanes, tile: Tile, number: int) -> str:
        """The text of vector ``number`` of what is stored."""
        return self.value(value, lanes, tile, number)

    def value(self, value: Expr, lanes: Lanes, tile: Tile, number: int, precedence: int = 0) -> str:
        """The text of vector ``number`` of a value; of the scalar where all lanes agree."""
        if lanes.is_scalar(value):
            return self.expressions.text(value, max(precedence, ADDITIVE))
        match value:
            case Var(name=name):
                return self.vectors(name, tile.count)[number]
            case Load(array=array, index=index):
                own = self._tiles.get(array.name)
                if own is not None:
                    return self._names(own)[number]
                return self.loaded(array.dtype, array.name, self.shifted(index, lanes, tile, number), tile)
            case Binary(operator=operator, left=left, right=right):
                level = MULTIPLICATIVE if operator in "*/" else ADDITIVE
                first = self.value(left, lanes, tile, number, level)
                second = self.value(right, lanes, tile, number, level + 1)
                text = f"{first} {operator} {second}"
                return text if level >= precedence else f"({text})"
            case Unary(operand=operand):
                return f"-{self.value(operand, lanes, tile, number, UNARY + 1)}"
            case _:
                raise TypeError(f"unexpected node {value!r}")

    def loaded(self, dtype: str, array: str, index: Expr, tile: Tile) -> str:
        """The text of as many elements as a vector of ``tile`` has lanes, those of ``array`` from ``index`` on."""
        return f"load_{self.vector(dtype, tile.lanes)}(&{self.expressions.subscript(array, index)})"

    def at_first(self, value: Expr, lanes: Lanes) -> Expr:
        """A value, or a subscript, in the first of all lanes."""
        return build.substitute(value, {lanes.variable: build.index(0)})

    def shifted(self, index: Expr, lanes: Lanes, tile: Tile, number: int) -> Expr:
        """The subscript of the first lane of vector ``number``."""
        return build.add(self.at_first(index, lanes), build.index(number * tile.lanes))

    def _names(self, tile: Tile) -> list[str]:
        return self.vectors(tile.array.name, tile.count)

    def vectors(self, name: str, count: int) -> list[str]:
        """The names of the vectors that hold all lanes of ``name``."""
        names = self._numbered.setdefault(name, [])
        while len(names) < count:
            names.append(self.identifiers.fresh(f"{name}_{len(names)}"))
        return names[:count]

    def type(self, tile: Tile) -> str:
        return self.vector(tile.array.dtype, tile.lanes)

    def vector(self, dtype: str, lanes: int) -> str:
        name = f"{_SHORT[dtype]}x{lanes}"
        element, size = self.support.type(dtype), lanes * ITEM_BYTES[dtype]
        return self.support.add(name, _TYPE.format(name=name, element=element, bytes=size))
