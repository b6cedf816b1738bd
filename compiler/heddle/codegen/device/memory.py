"""Memory in the code of a GPU's threads: shared arrays, registers, atomics, and what single threads fill or sort."""

from __future__ import annotations

from abc import abstractmethod

from heddle.codegen.device.short_indices import short_search
from heddle.codegen.device.support import DeviceSupport
from heddle.codegen.expressions import PRIMARY
from heddle.codegen.printer import KernelPrinter, MemoryStatement
from heddle.diagnostics import InternalError
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Const,
    Fill,
    For,
    Function,
    Insert,
    MemorySpace,
    Require,
    Search,
    Sort,
    Store,
    Var,
)


class DeviceMemory(KernelPrinter):
    """``hoisted`` are declarations at the top of a kernel, by what they declare; ``used_scratch`` the names of shared
    memory that collectives need, by what they wish for; ``spaces`` those of the arrays that are not in global memory;
    ``warps`` the loops over warps around the place that is printed, ``short`` the index scalars of 32 bits there,
    None where indices are computed in 64."""

    support: DeviceSupport

    def __init__(self, function: Function, support: DeviceSupport) -> None:
        super().__init__(function)
        self.support = support
        self.hoisted: dict[str, str] = {}
        self.used_scratch: dict[str, str] = {}
        self.spaces: dict[str, MemorySpace] = {}
        self.warps: list[For] = []
        self.short: frozenset[str] | None = None

    @abstractmethod
    def declare_shared(self, allocate: Allocate, warp: For | None) -> str:
        """Declares an array of the block, or of each warp, at the top; the statement that stands at its place."""

    def scratch(self, name_hint: str, declaration: str) -> str:
        """The name of shared memory for a collective; ``declaration`` has ``{}`` in the place of the name."""
        if name_hint not in self.used_scratch:
            self.used_scratch[name_hint] = self.identifiers.fresh(name_hint)
            self.hoisted[name_hint] = declaration.format(self.used_scratch[name_hint])
        return self.used_scratch[name_hint]

    def space(self, array: str) -> MemorySpace:
        return self.spaces.get(array, MemorySpace.GLOBAL)

    def atomic(self, store: Store) -> None:
        target = self.expressions.subscript(store.array.name, store.index)
        space = self.space(store.array.name)
        if store.reduce is None:
            raise InternalError(f"an atomic store without a reduction: {target}")
        if space is MemorySpace.REGISTER:  # no other thread sees it
            self.out.line(self.update(target, store.reduce, store.value), store.origin)
            return
        function = self.support.atomic_in(store.reduce, store.array.dtype, space)
        self.out.line(f"{function}(&{target}, {self.expressions.text(store.value)});", store.origin)

    def search_function(self, search: Search) -> str:
        space, short = self.space(search.array.name), self.short is not None and short_search(search, self.short)
        return self.support.search_in(search.kind, search.array.dtype, space, short)

    def allocate(self, allocate: Allocate) -> None:
        array, size = allocate.array, allocate.size
        if allocate.space is MemorySpace.GLOBAL or not isinstance(size, Const):
            raise InternalError(f"a workspace of a launch has a constant size and no global memory: {array.name}")
        self.spaces[array.name] = allocate.space
        if allocate.space is MemorySpace.SHARED:
            self.out.line(self.declare_shared(allocate, self.warps[-1] if self.warps else None), allocate.origin)
            return
        start = " = {0}" if allocate.zero else ""
        name, count = self.identifiers.spell(array.name), max(1, int(size.value.real))
        self.out.line(f"{self.support.element(array.dtype)} {name}[{count}]{start};", allocate.origin)

    def fill(self, fill: Fill) -> None:
        """Of an array that the thread has to itself."""
        index = self.identifiers.fresh("p")
        header = self.serial_header(For(index, Const(0), fill.size, fill, fill.origin))
        value = f"({self.support.element(fill.array.dtype)}){self.expressions.text(fill.value, PRIMARY)}"
        if dtype_of(fill.value) == fill.array.dtype:
            value = self.expressions.text(fill.value)
        self.out.line(header, fill.origin)
        self.out.indent()
        self.out.line(f"{self.expressions.subscript(fill.array.name, Var(index))} = {value};", fill.origin)
        self.out.dedent()
        self.out.line("}", fill.origin)

    def memory(self, statement: MemoryStatement) -> None:
        if not isinstance(statement, Sort):
            raise InternalError(f"a GPU has no {type(statement).__name__}")
        array, text = statement.array, self.expressions.text
        arguments = ", ".join([self.identifiers.spell(array.name), text(statement.lower), text(statement.upper)])
        self.out.line(f"{self.support.sort_in(array.dtype, self.space(array.name))}({arguments});", statement.origin)

    def insert(self, insert: Insert) -> None:
        """A key goes to its place in a hash table; as an int where the table's places are."""
        keys, text, name = insert.keys, self.expressions.text, self.identifiers.spell(insert.name)
        function = self.support.insert_in(keys.dtype, self.space(keys.name))
        parts = [self.identifiers.spell(keys.name), text(insert.lower), text(insert.room), text(insert.key)]
        self.out.line(f"{self.scalar_type(insert.name, INDEX)} {name} = {function}({', '.join(parts)});", insert.origin)

    def require(self, require: Require) -> None:
        raise InternalError(f"a launch cannot check a claim: {require.message}")
