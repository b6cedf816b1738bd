"""The loops of a kernel for each choice of index widths, and what runs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heddle.codegen.c import printer as c
from heddle.diagnostics import InternalError
from heddle.index_width import wide_tensors
from heddle.iteration_graph.analysis.padding import Padding, choose_padding
from heddle.loop_ir.nodes import Function
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.optimized import lower_optimized
from heddle.runtime.kernels.calling import Executor
from heddle.runtime.kernels.compiled import Compiled
from heddle.runtime.kernels.executors import EXECUTORS, load_executor
from heddle.runtime.saved.libraries import SavedLibraries
from heddle.signature import Signature
from heddle.targets import target_named


@dataclass(frozen=True, slots=True)
class Variant:
    """The kernel for one choice of index widths: its loops, and what runs them."""

    function: Function
    execute: Executor


class Variants:
    """Those of one kernel, each made when it is first needed but for the ``function`` of the compile.

    ``copies`` are the names of operands that the kernel reads beside those that calls have; what is in ``libraries`` is
    compiled already. ``source`` is the generated text of the function, on a device that of this machine's.
    """

    def __init__(
        self,
        result: Compiled,
        function: Function,
        signature: Signature,
        copies: Sequence[str],
        libraries: SavedLibraries | None,
    ) -> None:
        self._function, self._signature, self._copies, self._libraries = function, signature, copies, libraries
        self._target = result.plan.target
        self._graph = result.lowered_graph
        self._gpu = target_named(self._target).only_gpu
        self.padding = Padding.MULTIPLIED if self._graph is None else choose_padding(self._graph, self._gpu)
        """What the function does with padding."""
        self._shown = wide_tensors(result.plan.shapes, signature)
        self.source = result.source.text if result.source is not None else ""
        first = Variant(function, self._executor(function, self.source))
        self._by_choice = {(self._shown, KernelKind.EVALUATE, self.padding): first}

    def choose(
        self, wide: frozenset[str], kind: KernelKind = KernelKind.EVALUATE, padding: Padding | None = None
    ) -> Variant:
        """The kernel for operands and a result of which ``wide`` have 64-bit indices."""
        key = wide, kind, padding or self.padding
        if key not in self._by_choice:
            if self._graph is None:
                raise InternalError("A kernel needs the iteration graph of its compile")
            function = lower_optimized(self._graph, wide=wide, gpu=self._gpu, kind=kind, padding=key[2])
            self._by_choice[key] = Variant(function, self._executor(function))
        return self._by_choice[key]

    def c_texts(self, looks_for_nan: bool) -> list[str]:
        """The C of all that were needed so far, and of the one that leaves padding out where calls may need that."""
        if looks_for_nan:
            self.choose(self._shown, padding=Padding.LEFT_OUT)
        texts = {variant.function: "" for variant in self._by_choice.values()} | {self._function: self.source}
        return [_c_text(function, text) for function, text in texts.items()]

    def _executor(self, function: Function, text: str = "") -> Executor:
        if self._libraries is not None and (path := self._libraries.path_of(_c_text(function, text))) is not None:
            return load_executor(function, path, self._signature, self._copies)
        executor = EXECUTORS[self._target](function, text, self._signature, self._copies)
        if executor.text is not None and function is self._function:
            self.source = executor.text
        return executor.execute


def _c_text(function: Function, text: str) -> str:
    return text or c.generate(function).text
