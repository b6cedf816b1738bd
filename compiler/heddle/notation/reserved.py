"""Names that the generated C, CUDA or OpenCL text cannot use for a tensor or an index variable."""

from __future__ import annotations

_C = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
asm bool true false NULL NAN INFINITY"""

_CPP = """alignas alignof catch class constexpr decltype delete dynamic_cast explicit export friend mutable namespace
new noexcept nullptr operator private protected public template this throw try typeid typename using virtual
and or not xor bitand bitor compl"""

_GPU = """global local constant read_only write_only read_write half uchar ushort uint ulong
blockIdx blockDim gridDim threadIdx warpSize"""

_TYPES = "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t intptr_t uintptr_t"

RESERVED = frozenset(f"{_C} {_CPP} {_GPU} {_TYPES}".split())
