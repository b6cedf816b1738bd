"""Sums whose terms are gathered, in vector lanes: a loop over lanes that adds to one scalar (spec PERFORMANCE, SpMV).

``y_sum += A_vals[jA] * x_vals[A2_crd[jA]]`` takes eight steps of ``jA`` at once; lanes behind the last one load
nothing and add 0. Compilers left to themselves load such elements one by one.
"""

from __future__ import annotations

from compiler.codegen.c_masked_vectors import GATHERS, MaskedVectorPrinter
from compiler.codegen.expressions import ADDITIVE, UNARY
from compiler.codegen.lanes import ITEM_BYTES, Lanes
from compiler.codegen.vectors import Tile
from compiler.loop_ir.dtypes import FLOATS
from compiler.loop_ir.nodes import Array, ArrayRole, Assign, Binary, Declare, Expr, For, Load, LoopKind, Stmt, Var

LANES = 8

_KEPT = """\
// The lanes that are left when there are so many steps to go: one bit for each of 8.
static inline uint8_t kept_lanes(int64_t steps) { return steps < 8 ? (1u << steps) - 1 : 255; }
"""

_FIRST = """\
// The elements at p in the lanes that are kept; 0 in the others, whose elements are not read.
static inline {name} first_{name}(const {element}* p, uint8_t kept) {{
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return {instruction}((const void*)p, ({name}){{0}}, kept);
#else
  {name} v = {{0}};
  if (kept == 255) return load_{name}(p);
  for (int lane = 0; lane < 8; lane++) if (kept >> lane & 1) v[lane] = p[lane];
  return v;
#endif
}}
"""

_GATHER = """\
// The elements of x at the subscripts of the lanes that are kept; 0 in the others, whose elements are not read.
static inline {name} gather_first_{name}(const {element}* x, i32x8 at, uint8_t kept) {{
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return {instruction}(({name}){{0}}, x, at, kept, {bytes});
#else
  {name} v = {{0}};
  for (int lane = 0; lane < 8; lane++) if (kept >> lane & 1) v[lane] = x[at[lane]];
  return v;
#endif
}}
"""

_ONLY = """\
// v in the lanes that are kept, 0 in the others.
static inline {name} only_{name}({name} v, uint8_t kept) {{
  for (int lane = 0; lane < 8; lane++) if (!(kept >> lane & 1)) v[lane] = 0;
  return v;
}}
"""

_SUM = """\
// The sum of all lanes: halves are added until one lane is left.
static inline {element} sum_{name}({name} v) {{
#if defined(__clang__) || __GNUC__ >= 12
  typedef {element} half __attribute__((vector_size({bytes})));
  half a = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return (a[0] + a[2]) + (a[1] + a[3]);
#else
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#endif
}}
"""

_LOADS = {
    "f64x8": "__builtin_ia32_loadupd512_mask",
    "f32x8": "__builtin_ia32_loadups256_mask",
    "i32x8": "__builtin_ia32_loaddqusi256_mask",
}
"""Those of AVX-512 that load the lanes of a mask, as gcc and clang both name them."""


class VectorSumPrinter(MaskedVectorPrinter):
    """Prints loops over lanes that add what they gather to a scalar."""

    _steps: str | None = None
    """The lanes that are kept in the loop that is printed."""

    def vector_sum(self, loop: For) -> bool:
        """Prints a loop over lanes that sums what it gathers; False for another one."""
        found = _sum_of(loop)
        if found is None:
            return False
        lanes, total = found
        assert lanes.dtype is not None
        tile = Tile(Array(f"{total.name}_lanes", lanes.dtype, ArrayRole.WORKSPACE), LANES, LANES)
        name, element, half = self.type(tile), self.support.type(lanes.dtype), LANES // 2 * ITEM_BYTES[lanes.dtype]
        sums = self.identifiers.fresh(tile.array.name)
        self.out.line(f"{name} {sums} = {{0}};", loop.origin)
        upper = self.upper(loop)
        self.lines[-1] = self.out.line(f"{self.header(loop, upper, LANES)}  // {LANES} lanes", loop.origin)
        self.out.indent()
        self._steps = self.identifiers.fresh("kept")
        kept = self.support.add("kept_lanes", _KEPT)
        variable = self.identifiers.spell(loop.variable)
        self.out.line(f"uint8_t {self._steps} = {kept}({upper} - {variable});", loop.origin)
        for statement in lanes.body:
            self.lines.append(self.out.next_line)
            if statement is total:
                self.out.line(f"{sums} += {self._term(total.value, lanes, tile)};", total.origin)
            else:
                self.in_lanes(statement, lanes, tile)
        self._steps = None
        self.out.dedent()
        self.out.line("}", loop.origin)
        function = self.support.add(f"sum_{name}", _SUM.format(name=name, element=element, bytes=half))
        self.out.line(f"{self.identifiers.spell(total.name)} += {function}({sums});", total.origin)
        return True

    def in_lanes(self, statement: Stmt, lanes: Lanes, tile: Tile) -> None:
        match statement:
            case Declare(name=name, origin=origin) if self._steps is not None and name in lanes.loaded:
                loaded, index = lanes.loaded[name], self.vector("int32", LANES)
                (vector,) = self.vectors(name, 1)
                place = self.expressions.subscript(loaded.array.name, self.shifted(loaded.index, lanes, tile, 0))
                self.out.line(f"{index} {vector} = {self._first('int32')}(&{place}, {self._steps});", origin)
            case _:
                super().in_lanes(statement, lanes, tile)

    def value(self, value: Expr, lanes: Lanes, tile: Tile, number: int, precedence: int = 0) -> str:
        match value:
            case Load(array=array, index=index) if self._steps is not None and not lanes.is_scalar(value):
                if isinstance(index, Var) and lanes.is_gathered(index):
                    at = self.vectors(index.name, 1)[0]
                    return f"{self._gather(tile)}({self.identifiers.spell(array.name)}, {at}, {self._steps})"
                place = self.expressions.subscript(array.name, self.shifted(index, lanes, tile, number))
                return f"{self._first(tile.array.dtype)}(&{place}, {self._steps})"
            case _:
                return super().value(value, lanes, tile, number, precedence)

    def shifted(self, index: Expr, lanes: Lanes, tile: Tile, number: int) -> Expr:
        """The subscript of the first lane: in a sum the variable of the loop stands there."""
        return index if self._steps is not None else super().shifted(index, lanes, tile, number)

    def _term(self, value: Expr, lanes: Lanes, tile: Tile) -> str:
        """What is added: 0 in the lanes that are not kept, where a product of loads is 0 by itself."""
        if _is_product_of_loads(value, lanes):
            return self.value(value, lanes, tile, 0, ADDITIVE)
        name = self.type(tile)
        function = self.support.add(f"only_{name}", _ONLY.format(name=name))
        text = self.value(value, lanes, tile, 0, UNARY)
        return f"{function}({text}, {self._steps})"

    def _first(self, dtype: str) -> str:
        name = self.vector(dtype, LANES)
        text = _FIRST.format(name=name, element=self.support.type(dtype), instruction=_LOADS[name])
        return self.support.add(f"first_{name}", text)

    def _gather(self, tile: Tile) -> str:
        if self._steps is None:
            return super()._gather(tile)
        name, dtype = self.type(tile), tile.array.dtype
        self.vector("int32", LANES)
        text = _GATHER.format(
            name=name, element=self.support.type(dtype), instruction=GATHERS[name], bytes=ITEM_BYTES[dtype]
        )
        return self.support.add(f"gather_first_{name}", text)


def _sum_of(loop: For) -> tuple[Lanes, Assign] | None:
    """The one sum of floating-point numbers that a loop over lanes makes, where it gathers."""
    if loop.kind is not LoopKind.CPU_VECTOR or len(loop.reductions) != 1 or loop.private:
        return None
    lanes = Lanes(loop)
    sums = [one for one in lanes.body if isinstance(one, Assign)]
    if not lanes.sound or not lanes.loaded or lanes.dtype not in FLOATS or len(sums) != 1:
        return None
    (total,) = sums
    others = all(isinstance(one, Declare) for one in lanes.body if one is not total)
    return (lanes, total) if others and not lanes.is_scalar(total.value) else None


def _is_product_of_loads(value: Expr, lanes: Lanes) -> bool:
    match value:
        case Load():
            return not lanes.is_scalar(value)
        case Binary(operator="*", left=left, right=right):
            return _is_product_of_loads(left, lanes) and _is_product_of_loads(right, lanes)
        case _:
            return False
