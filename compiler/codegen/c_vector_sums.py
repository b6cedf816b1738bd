"""Sums whose terms are gathered, in vector lanes: a loop over lanes that adds to one scalar (spec PERFORMANCE, SpMV).

``y_sum += A_vals[jA] * x_vals[A2_crd[jA]]`` takes eight steps of ``jA`` at once; lanes behind the last one load
nothing and add 0. Compilers left to themselves load such elements one by one.
"""

from __future__ import annotations

from compiler.codegen.c_masked_vectors import MaskedVectorPrinter
from compiler.codegen.lane_masks import AVX512, first_lanes, kept_type
from compiler.codegen.lanes import ITEM_BYTES, Lanes
from compiler.codegen.vectors import Tile
from compiler.loop_ir.dtypes import FLOATS
from compiler.loop_ir.nodes import Array, ArrayRole, Assign, Declare, Expr, For, Function, Load, LoopKind

LANES = 8

_LOAD = """\
// The elements at p in the lanes that are kept, the first ones; 0 in the others, whose elements are not read.
static inline {name} load_kept_{name}(const {element}* p, {mask} kept) {{
{avx512}
  return {instruction}((const void*)p, ({name}){{0}}, kept);
#else
  if (kept[7]) return load_{name}(p);
  {name} v = {{0}};
  for (int lane = 0; kept[lane]; lane++) v[lane] = p[lane];
  return v;
#endif
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

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._sums = False
        """Whether what is printed stands in such a loop, whose variable counts the first lane."""

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
        kept, index = self.identifiers.fresh("kept"), self.vector("int32", LANES)
        mask, function = kept_type(self.support, index, LANES), first_lanes(self.support, index)
        self.out.line(f"{mask} {kept} = {function}({upper} - {self.identifiers.spell(loop.variable)});", loop.origin)
        self._sums, self.kept = True, [kept]
        for statement in lanes.body:
            self.lines.append(self.out.next_line)
            if statement is total:
                self.out.line(f"{sums} += {self.kept_value(total.value, lanes, tile, 0)};", total.origin)
            else:
                self.in_lanes(statement, lanes, tile)
        self._sums, self.kept = False, []
        self.out.dedent()
        self.out.line("}", loop.origin)
        function = self.support.add(f"sum_{name}", _SUM.format(name=name, element=element, bytes=half))
        self.out.line(f"{self.identifiers.spell(total.name)} += {function}({sums});", total.origin)
        return True

    def loaded(self, dtype: str, array: str, index: Expr, tile: Tile) -> str:
        if not self._sums:
            return super().loaded(dtype, array, index, tile)
        name, element = self.vector(dtype, LANES), self.support.type(dtype)
        mask = kept_type(self.support, self.vector("int32", LANES), LANES)
        text = _LOAD.format(name=name, element=element, mask=mask, instruction=_LOADS[name], avx512=AVX512)
        function = self.support.add(f"load_kept_{name}", text)
        return f"{function}(&{self.expressions.subscript(array, index)}, {self.kept[0]})"

    def at_first(self, value: Expr, lanes: Lanes) -> Expr:
        return value if self._sums else super().at_first(value, lanes)

    def is_kept(self, load: Load, lanes: Lanes) -> bool:
        return not lanes.is_scalar(load) if self._sums else super().is_kept(load, lanes)


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
