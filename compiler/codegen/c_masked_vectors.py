"""Tests inside of register tiles: sums in the lanes for which they hold; gathers and scatters by loaded subscripts."""

from __future__ import annotations

from compiler.codegen.c_vectors import VectorPrinter
from compiler.codegen.expressions import MULTIPLICATIVE, RELATIONAL, UNARY
from compiler.codegen.lane_masks import AVX512, kept_type
from compiler.codegen.lanes import ITEM_BYTES, Lanes, masked
from compiler.codegen.vectors import Tile
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Binary, Declare, Expr, Function, If, Load, Stmt, Store, Var
from compiler.origin import Origin

_GATHER = """\
// The elements of x at the subscripts of the lanes that are kept; 0 in the others, whose elements are not read.
static inline {name} gather_{name}(const {element}* x, {index} at, {mask} kept) {{
{instruction}  {name} v = {{0}};
  for (int lane = 0; lane < {lanes}; lane++) if (in_{mask}(kept, lane)) v[lane] = x[at[lane]];
  return v;
}}
"""

_INSTRUCTION = """\
{avx512}
  return {instruction}(({name}){{0}}, x, at, kept, {bytes});
#endif
"""

_GATHERS = {
    "f64x8": "__builtin_ia32_gathersiv8df",
    "f32x16": "__builtin_ia32_gathersiv16sf",
    "f32x8": "__builtin_ia32_gather3siv8sf",
}
"""Those of AVX-512 that gather by 32-bit subscripts, as gcc and clang both name them."""

_SCATTER = """\
// Each lane of v to the element of y at its subscript.
static inline void {function}({element}* y, {index} at, {name} v) {{
  for (int lane = 0; lane < {lanes}; lane++) y[at[lane]] {operator} v[lane];
}}
"""

_SCATTERS = {None: ("scatter", "="), "+": ("scatter_sum", "+="), "*": ("scatter_product", "*=")}
"""The function and the assignment in it, by what a store does with the element that was there."""

_KEPT = """\
// v in the lanes that are kept, 0 in the others.
static inline {name} kept_{name}({name} v, {mask} kept) {{
  typedef int{bits}_t wide __attribute__((vector_size({bytes})));
  return ({name})((wide)v & __builtin_convertvector(lanes_of_{mask}(kept), wide));
}}
"""


class MaskedVectorPrinter(VectorPrinter):
    """Prints loops over lanes in which tests stand (:mod:`compiler.codegen.lanes`)."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self.kept: list[str] = []
        """By vector: the name of what says which lanes are kept. Empty where all are."""

    def in_lanes(self, statement: Stmt, lanes: Lanes, tile: Tile) -> None:
        match statement:
            case If():
                self._masked(statement, lanes, tile)
            case Declare(name=name, origin=origin) if name in lanes.loaded:
                loaded, index = lanes.loaded[name], self.vector("int32", tile.lanes)
                for number, vector in enumerate(self.vectors(name, tile.count)):
                    first = self.shifted(loaded.index, lanes, tile, number)
                    text = self.loaded(loaded.array.dtype, loaded.array.name, first, tile)
                    self.out.line(f"{index} {vector} = {text};", origin)
            case Store(index=Var(name=name)) if name in lanes.loaded:
                for number in range(tile.count):
                    at, value = self.vectors(name, tile.count)[number], self.value(statement.value, lanes, tile, number)
                    place = self.identifiers.spell(statement.array.name)
                    self.out.line(f"{self._scatter(tile, statement.reduce)}({place}, {at}, {value});", statement.origin)
            case _:
                super().in_lanes(statement, lanes, tile)

    def value(self, value: Expr, lanes: Lanes, tile: Tile, number: int, precedence: int = 0) -> str:
        match value:
            case Load(array=array, index=Var(name=name)) if name in lanes.loaded:
                at = self.vectors(name, tile.count)[number]
                kept = self.kept[number] if self.kept else f"keep_x{tile.lanes}({at} == {at})"
                return f"{self._gather(tile)}({self.identifiers.spell(array.name)}, {at}, {kept})"
            case _:
                return super().value(value, lanes, tile, number, precedence)

    def stored_value(self, value: Expr, lanes: Lanes, tile: Tile, number: int) -> str:
        return self.kept_value(value, lanes, tile, number) if self.kept else self.value(value, lanes, tile, number)

    def is_kept(self, load: Load, lanes: Lanes) -> bool:
        """Whether a load leaves 0 in the lanes that are not kept."""
        return lanes.is_gathered(load.index)

    def kept_value(self, value: Expr, lanes: Lanes, tile: Tile, number: int) -> str:
        """The value in the lanes that are kept, 0 in the others: a product is 0 where all of its factors are."""
        match value:
            case Load() if self.is_kept(value, lanes):
                return self.value(value, lanes, tile, number, MULTIPLICATIVE)
            case Binary(operator="*", left=left, right=right) if not (lanes.is_scalar(left) or lanes.is_scalar(right)):
                factors = [self.kept_value(factor, lanes, tile, number) for factor in (left, right)]
                return " * ".join(factors)
            case _:
                name, index = self.type(tile), self.vector("int32", tile.lanes)
                bits = 8 * ITEM_BYTES[tile.array.dtype]
                mask = kept_type(self.support, index, tile.lanes)
                text = _KEPT.format(name=name, mask=mask, bits=bits, bytes=bits * tile.lanes // 8)
                function = self.support.add(f"kept_{name}", text)
                whole = self.value(value, lanes, tile, number)
                if lanes.is_scalar(value):
                    whole = f"({name}){{0}} + {whole}"
                return f"{function}({whole}, {self.kept[number]})"

    def _gather(self, tile: Tile) -> str:
        name, index = self.type(tile), self.vector("int32", tile.lanes)
        mask, instruction = kept_type(self.support, index, tile.lanes), ""
        if name in _GATHERS:
            item = ITEM_BYTES[tile.array.dtype]
            instruction = _INSTRUCTION.format(avx512=AVX512, instruction=_GATHERS[name], name=name, bytes=item)
        element = self.support.type(tile.array.dtype)
        text = _GATHER.format(
            name=name, element=element, index=index, mask=mask, instruction=instruction, lanes=tile.lanes
        )
        return self.support.add(f"gather_{name}", text)

    def _scatter(self, tile: Tile, reduce: str | None) -> str:
        name, index = self.type(tile), self.vector("int32", tile.lanes)
        word, operator = _SCATTERS[reduce]
        function, element = f"{word}_{name}", self.support.type(tile.array.dtype)
        text = _SCATTER.format(
            function=function, element=element, index=index, name=name, lanes=tile.lanes, operator=operator
        )
        return self.support.add(function, text)

    def _masked(self, statement: If, lanes: Lanes, tile: Tile) -> None:
        """A sum in the lanes for which all tests hold."""
        conditions, store = masked(statement)
        assert store is not None
        if not all(lanes.masks(condition) for condition in conditions):
            self._bounded(conditions, store, lanes, tile)
            return
        self.kept = self._kept_lanes(conditions, tile, statement.origin)
        self.lines += [self.out.next_line] * len(conditions)
        super().in_lanes(store, lanes, tile)
        self.kept = []

    def _kept_lanes(self, conditions: list[Expr], tile: Tile, origin: Origin) -> list[str]:
        """What says which lanes are kept, for each vector."""
        index, names = self.vector("int32", tile.lanes), list[str]()
        mask = kept_type(self.support, index, tile.lanes)
        for number in range(tile.count):
            tests = []
            for condition in conditions:
                assert isinstance(condition, Binary)
                assert isinstance(condition.left, Var)
                left = self.vectors(condition.left.name, tile.count)[number]
                tests.append(f"({left} {condition.operator} (int32_t){self.expressions.text(condition.right, UNARY)})")
            names.append(self.identifiers.fresh("kept"))
            self.out.line(f"{mask} {names[-1]} = keep_x{tile.lanes}({' & '.join(tests)});", origin)
        return names

    def _bounded(self, conditions: list[Expr], store: Store, lanes: Lanes, tile: Tile) -> None:
        """Where the tests hold at both ends they hold for all lanes; elsewhere the sum is taken lane by lane."""
        origin, text, line = store.origin, self.expressions.text, self.out.line
        ends = [_at_end(condition, lanes, tile) for condition in conditions]
        line(f"if ({' && '.join(text(end, RELATIONAL) for end in ends)}) {{", origin)
        self.out.indent()
        self.lines += [self.out.next_line] * len(conditions)
        super().in_lanes(store, lanes, tile)
        self.out.dedent()
        line("} else {", origin)
        self.out.indent()
        part, lane = self.identifiers.fresh("part"), self.identifiers.spell(lanes.variable)
        line(f"{self.support.type(tile.array.dtype)} {part}[{tile.size}] = {{0}};", origin)
        line(f"for (int64_t {lane} = 0; {lane} < {tile.size}; {lane}++) {{", origin)
        self.out.indent()
        each = {name: build.add(Var(name), Var(lanes.variable)) for name in lanes.growing}
        tests = " && ".join(text(build.substitute(condition, dict(each)), RELATIONAL) for condition in conditions)
        line(f"if ({tests}) {part}[{lane}] = {text(build.substitute(store.value, dict(each)))};", origin)
        self.out.dedent()
        line("}", origin)
        for number, name in enumerate(self.vectors(tile.array.name, tile.count)):
            line(f"{name} += load_{self.type(tile)}(&{part}[{number * tile.lanes}]);", origin)
        self.out.dedent()
        line("}", origin)


def _at_end(condition: Expr, lanes: Lanes, tile: Tile) -> Expr:
    """A test of what grows with the lane, for the lane where it is the first to fail."""
    assert isinstance(condition, Binary)
    lane = build.index(tile.size - 1 if condition.operator.startswith("<") else 0)
    values: dict[str, Expr] = {name: build.add(Var(name), lane) for name in lanes.growing}
    return build.substitute(condition, {**values, lanes.variable: lane})
