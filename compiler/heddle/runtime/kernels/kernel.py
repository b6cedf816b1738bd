"""A compiled expression that can be called: operands by name in, a tensor out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, cast

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, InternalError, OperandError
from heddle.formats.printer import format_text
from heddle.index_width import needs_wide
from heddle.iteration_graph.analysis.padding import Padding, factors_of_padding, multiplies_padding
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir.nodes import Function, LoopKind
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.plan.schedule_text import length_text
from heddle.runtime.exported.sample import ConvertedFormats, Sample, sample_operands
from heddle.runtime.kernels.binding import Binding, Preparation
from heddle.runtime.kernels.bound_call import Binder, BoundCall, ResultType, named_results
from heddle.runtime.kernels.bound_operands import Guard, joined_guards, watched_entries
from heddle.runtime.kernels.call_inspector import CallInspector
from heddle.runtime.kernels.calling import Prepared
from heddle.runtime.kernels.compiled import Compiled, parts_by_operand, patterns_of
from heddle.runtime.kernels.kept_coordinates import Stationary
from heddle.runtime.kernels.kernel_html import kernel_html
from heddle.runtime.kernels.linear_operator import operator_over
from heddle.runtime.kernels.nan_search import NanSearch, padding_is_harmless
from heddle.runtime.kernels.pickling import Travelling
from heddle.runtime.kernels.result_out import can_hold_result, require_out
from heddle.runtime.kernels.single_calls import LastCall, SingleCalls, VariedCalls
from heddle.runtime.kernels.status_errors import status_error
from heddle.runtime.kernels.variants import Variant, Variants
from heddle.runtime.memory import buffers
from heddle.runtime.native import machine_class
from heddle.runtime.saved.libraries import SavedLibraries
from heddle.runtime.saved.storable import Storable
from heddle.runtime.storage.device_arrays import memory_beside
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.operand_names import OPTION_NAMES
from heddle.runtime.tensors.result_tensors import empty_result
from heddle.runtime.tensors.shapes import Shape
from heddle.runtime.tensors.tensor import Tensor
from heddle.targets import DEFAULT_TARGET, Feature, target_named
from heddle.wrong_arguments import wrong_argument

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator


@dataclass(frozen=True, slots=True)
class _Arguments:
    """Operands as the kernel takes them, the ``shape`` of the result, and which operands have 64-bit indices."""

    tensors: dict[str, Tensor]
    shape: Shape
    wide: frozenset[str]
    initial: Tensor | None
    preparation: tuple[Preparation, ...]
    shown: dict[str, Tensor]


class Kernel(Storable, Travelling, Generic[ResultType]):
    """Callable: ``kernel(A=matrix, x=vector)`` returns the result as a :class:`Tensor`. That is the ``ResultType`` of
    every expression. Only the text of a comprehension says whether calls return a tensor or, of several results,
    :class:`Outputs`: its kernel is a ``Kernel[Any]`` to type checkers.

    Operands are NumPy arrays, SciPy sparse arrays, tensors, numbers, or ``(coordinates, values, shape)``. They have
    the order and the dtype that the kernel was compiled for, and sizes that agree by index variable;
    :func:`heddle.pack` says what is converted. Tensors in the format that the kernel was compiled for are passed on as
    they are; everything else is packed on each call. A kernel for CUDA also takes CuPy arrays and cupyx.scipy.sparse
    matrices, where they are; its result then lies there.

    ``source`` is the generated text, ``result`` the compile with its stages, ``signature`` the operands and the result
    with formats and dtypes, ``target`` and ``machine_class`` what it was compiled for.
    """

    def __init__(self, result: Compiled, libraries: SavedLibraries | None = None) -> None:
        """Compiles and loads the text of a ``result`` without errors; :func:`heddle.compile` calls this. What is in
        ``libraries`` is compiled already.

        Raises
        ------
        CompileError
            ``runtime/no-c-compiler``, ``runtime/no-cuda`` or ``runtime/no-opencl`` where the target cannot run here.
        InternalError
            for a result with errors.
        """
        if result.function is None or result.signature is None or result.assignment is None:
            raise InternalError("A kernel needs a compile without errors")
        self.result = result
        self._libraries = libraries
        self.signature = result.signature
        self.target = result.plan.target
        classes = Feature.MACHINE_CLASSES in target_named(self.target).features
        self.machine_class = machine_class.in_force().name if classes else None
        """The class of machines that it is compiled for; None where the target is no CPU."""
        self._function = result.function
        self._result = result.signature.result
        self._stored = frozenset(self.signature.stored_temporaries)
        self.assembles = any(parameter.allocated for parameter in result.function.parameters)
        """Whether the kernel makes the index arrays of its result, and does not share those of an operand."""
        self.conversions = result.conversions
        self._parts = parts_by_operand(result)
        self._patterns = patterns_of(result)
        shapes = result.plan.shapes
        self._binding = Binding(self.signature, result.assignment, shapes, self.conversions, self.target, self._parts)
        program = self.signature.program
        self.binder: Binder[ResultType] = Binder(
            self._binding.packed,
            self._binding.packed_in_place,
            self._binding.some_packed_in_place,
            self._prepare,
            self._guard,
            self._inspect,
            () if program is None else tuple(program.results),
        )
        """What makes its calls."""
        copies = [conversion.name for conversion in self.conversions if conversion.name != conversion.tensor]
        copies += [name for parts in self._parts.values() for name in parts]
        self._variants = Variants(result, result.function, self.signature, copies, libraries)
        self.source = self._variants.source
        """The generated text; on a device that of this machine's."""
        graph, multiplied = result.lowered_graph, self._variants.padding is Padding.MULTIPLIED
        self._looks_for_nan = graph is not None and multiplied and multiplies_padding(graph)
        """Whether padding may have made a NaN in the result."""
        self._factors = None if graph is None else factors_of_padding(graph)
        tags = () if graph is None else graph.parallel.values()
        self.inspector: CallInspector | None = None
        """What looks at the operands of each call, and warns."""
        self._on_threads = any(tag.unit is LoopKind.CPU_THREAD for tag in tags)
        self._single = self._single_calls()

    def _single_calls(self) -> SingleCalls | None:
        """How calls are made that nobody repeats; None where a call has more to prepare than memory for a result."""
        result, pattern = self._result, self._function.pattern
        read_as_they_are = not (self.conversions or self._parts or self._stored or self._looks_for_nan)
        names = [tensor.name for tensor in self.signature.inputs]
        program = self.signature.program
        alone = (program is None or not program.exported) and result.name not in names
        if not (result.format.is_dense and pattern is None and read_as_they_are and alone):
            return None
        last = LastCall() if program is None or not program.looks_at_values else None
        narrow = cache(lambda: self._variants.choose(frozenset()).execute)
        return SingleCalls(self._binding, result, np.dtype(result.dtype), narrow, last)

    def made_of(self) -> tuple[object, ...]:
        """The compile's result, which travels as its Plan, and what is compiled of it in a file."""
        return (self.result, self._libraries)

    def __repr__(self) -> str:
        """What is computed, on which formats, for what, by how long a schedule."""
        formats = ", ".join(f"{argument.name}: {format_text(argument.format)}" for argument in self.signature.arguments)
        target = self.target if self.machine_class is None else f"{self.target} for {self.machine_class}"
        return f"<{type(self).__name__} {self.result.plan.expression}\n {formats}; {target}; {self._schedule_text()}>"

    def _repr_html_(self) -> str:
        return kernel_html(self)

    def _schedule_text(self) -> str:
        return length_text(self.result.plan.schedule)

    def __call__(self, /, *unnamed: object, **operands: object) -> ResultType:
        """Computes the result: a tensor in the declared format and dtype, its shape that of its index variables. Of a
        program with several results all of them by name, as :class:`Outputs`.

        Two names are options where no operand is called so (else :meth:`with_options`). ``validate=False`` vouches for
        the index arrays of all operands: they are not checked, and rows are taken to be in order without duplicates
        (:func:`heddle.pack`). ``out``, a NumPy array or dense tensor of the result's shape and dtype, takes the result
        and is returned; it may share memory with operands.

        Raises
        ------
        CompileError
            ``runtime/unknown-operand``, ``runtime/missing-operand``, ``runtime/shape-mismatch``, what
            :func:`heddle.pack` raises for an operand, ``runtime/refused`` for a claim of the schedule that the data
            break, ``runtime/out``, ``runtime/out-of-memory``, or ``runtime/index-overflow``.
        """
        if unnamed:
            raise self._binding.refuse_unnamed(len(unnamed))
        if "out" in operands and self._binding.takes_option("out"):
            return self._call(operands, operands.pop("out"))
        return self._call(operands)

    def _call(self, operands: Mapping[str, object], out: object = None, validate: bool = True) -> ResultType:
        packed = self._binding.packed(operands, validate)
        self._inspect(packed)
        if out is not None:
            self._write_into(out, packed)
            return cast("ResultType", out)
        if (result := self._run_once(packed)) is not None:
            return cast("ResultType", result)
        call = self._prepare(packed)
        call.run()
        return named_results(call, self.binder.results)

    def _run_once(self, packed: dict[str, Tensor], values: NDArray[Any] | None = None) -> Tensor | None:
        """The result of a call that nobody repeats, in ``values`` where given; None where it has to be prepared."""
        return None if self._single is None else self._single.run(packed, values)

    def vary(self, operands: Mapping[str, object], over: str) -> VariedCalls | None:
        """Calls that differ in the values of the dense operand ``over`` alone, with the schedule for these operands;
        None where each of them has to be prepared.

        Raises
        ------
        CompileError
            as a call.
        """
        return self._vary(self._binding.packed(operands), over)

    def _vary(self, packed: dict[str, Tensor], over: str) -> VariedCalls | None:
        return None if self._single is None else self._single.vary(packed, over)

    def _write_into(self, out: object, packed: dict[str, Tensor]) -> None:
        """Computes the result in the memory of ``out``, or copies it there where that is in another order or is read by
        the kernel."""
        array = require_out(out, self._result, self._binding.result_shape(packed))
        natural = self._result.format.order == tuple(range(array.ndim))
        several = target_named(self.target).only_gpu or len(self.binder.results) > 1
        direct = natural and not several and can_hold_result(array, packed.values())
        values = array.reshape(-1) if direct else None
        if values is not None and self._run_once(packed, values) is not None:
            return
        call = self._prepare(packed, values)
        call.run()
        if not direct or not np.may_share_memory(call.output.vals, array):
            np.copyto(array, call.output.to_numpy())

    def with_options(self, **options: object) -> Callable[..., ResultType]:
        """The kernel with options of its calls, for a program that has operands of such names:
        ``kernel.with_options(out=y)(A=A, out=x)``. The options are those of a call: ``out`` and ``validate``.

        Raises
        ------
        OperandError
            ``runtime/argument`` for another name.
        """
        for name in options:
            if name not in OPTION_NAMES:
                raise wrong_argument("the option", f"one of {', '.join(OPTION_NAMES)}", name)
        out, validate = options.get("out"), bool(options.get("validate", True))

        return lambda **operands: self._call(operands, out, validate)

    def as_linear_operator(self, /, *, over: str, **operands: object) -> LinearOperator[Any]:
        """The kernel as a map of its operand ``over``, for SciPy's solvers: ``k.as_linear_operator(A=A, over="x")``.

        The other ``operands`` are packed once, as by :func:`heddle.pack`, and later changes of them are not seen. An
        operand or a result of several dimensions is flattened. ``rmatvec`` is compiled when it is first used.

        Returns
        -------
        LinearOperator[Any]
            A ``scipy.sparse.linalg.LinearOperator`` of the dtype of the result, and of the shape (elements of the
            result, elements of ``over``). It goes through ``pickle``, as joblib and multiprocessing send it.

        Raises
        ------
        OperandError
            ``runtime/unknown-operand``, ``runtime/unknown-size``; ``runtime/argument`` for a sparse result or operand
            ``over``; ``runtime/no-adjoint`` from ``rmatvec`` of a kernel that is not linear.
        """
        return operator_over(self, self._binding, over, operands)

    def explain(self, /, **operands: object) -> str:
        """What a call with these operands does, as a text: loop steps, bytes, the schedule with the reasons for it, and
        what would take less. Without operands: the schedule and the reasons.

        Raises
        ------
        OperandError
            as a call; ``runtime/argument`` for a kernel that :func:`heddle.compile` did not make.
        """
        if self.inspector is None:
            raise wrong_argument("the kernel", "one that hd.compile made", self)
        return self.inspector.explain(self._binding.packed(operands)) if operands else self.inspector.describe()

    def bind(self, /, **operands: object) -> BoundCall[ResultType]:
        """Checks the operands and allocates the result once, for calls that are to be repeated or timed: each ``run()``
        reads the operands in their own memory and computes the result again. ``call(x=…)`` replaces operands, or passes
        those that were not bound. Packed operands that the kernel needs in another format (``conversions``) are
        converted once each; the call's ``preparation`` says what that took.

        Raises
        ------
        OperandError
            as a call, except for what only running the kernel can find; ``runtime/bound-copy`` for an operand that had
            to be copied, so that runs would not see its new values.
        """
        return self.binder.bind(operands)

    def _inspect(self, operands: Mapping[str, Tensor]) -> None:
        if self.inspector is not None:
            self.inspector.look(operands)

    def _prepare(self, packed: dict[str, Tensor], values: NDArray[Any] | None = None) -> BoundCall[ResultType]:
        """A call of the kernel with these operands; ``values`` is memory for those of a dense result."""
        inputs = self._collect_arguments(packed)
        result, wide = self._result, inputs.wide
        stored = self._stored
        counted = stored | {result.name} if self.assembles else stored
        if self.assembles and needs_wide(inputs.shape):
            wide |= {result.name}
        if stored and any(needs_wide(tensor.shape) for tensor in inputs.tensors.values()):
            wide |= stored

        def prepare(
            wide: frozenset[str], padding: Padding | None = None, there: Tensor | None = None
        ) -> tuple[Tensor, Prepared]:
            variant = self._variants.choose(wide, padding=padding)
            memory = memory_beside(inputs.tensors.values()) if values is None else lambda count, dtype: values
            output = there
            if output is None:
                function, patterns = variant.function, self._patterns
                output = empty_result(function, result, inputs.shape, inputs.tensors, memory, patterns)
            return output, variant.execute({**inputs.tensors, **inputs.shown}, output)

        def exact(computed: Tensor) -> tuple[Tensor, Prepared]:
            widened = wide | counted if computed.wide else wide
            return prepare(widened, Padding.LEFT_OUT, None if self.assembles else computed)

        again = not counted <= wide and self.result.lowered_graph is not None
        widen = (lambda: prepare(wide | counted)) if again else None
        output, ready = prepare(wide)
        call: BoundCall[ResultType] = BoundCall(
            inputs.tensors,
            output,
            ready,
            self.refusal,
            inputs.initial,
            widen,
            inputs.preparation,
            result.name,
            self._search(exact, inputs.tensors),
        )
        call.shown = inputs.shown
        pattern = self._function.pattern
        if pattern is not None and inputs.tensors[pattern.tensor].ownership is Ownership.BORROWED:
            call.pattern = pattern.tensor
        return call

    def _c_texts(self) -> list[str]:
        return self._variants.c_texts(self._looks_for_nan)

    def _converted_formats(self) -> ConvertedFormats:
        return {conversion.name: format_text(conversion.format) for conversion in self.conversions}

    def _sample(self) -> Sample | None:
        for operands in sample_operands(self.signature.inputs, self.result.plan.shapes):
            with suppress(CompileError):
                call = self._prepare(operands)
                call.run()
                return Sample({**call.operands, **call.shown}, call.output, operands.get(self._result.name))
        return None

    def assemble(self, /, **operands: object) -> Stationary[ResultType]:
        """Computes the result once and keeps its coordinates, for operands whose values change while what they store
        stays: ``product = kernel.assemble(A=a, B=b)``, then ``product.compute(A=a, B=c)`` as often as wanted. It skips
        counting, sorting and storing coordinates.

        Raises
        ------
        CompileError
            as a call; ``runtime/stationary`` where coordinates cannot be kept with this schedule.
        """
        return self._assemble(self._binding.packed(operands))

    def _assemble(self, packed: dict[str, Tensor]) -> Stationary[ResultType]:
        if self.assembles and Feature.KEPT_COORDINATES not in target_named(self.target).features:
            raise _not_stationary(f"{self.target} assembles them again in each run. Use the target {DEFAULT_TARGET}.")
        call = self._prepare(packed)
        call.run()
        if self.assembles:
            self._values_variant(call.operands, call.output)
        return Stationary(call.output, call.operands, self.binder, self._prepare_values)

    def _prepare_values(self, assembled: Tensor, packed: dict[str, Tensor]) -> BoundCall[ResultType]:
        """A call that computes values at the coordinates of ``assembled``, whose index arrays it shares."""
        if not self.assembles:
            return self._prepare(packed)
        inputs, result = self._collect_arguments(packed), self._result
        variant = self._values_variant(inputs.tensors, assembled)
        values = buffers.empty(assembled.stored, result.dtype)
        levels, fill = assembled.levels, assembled.fill
        owner = Ownership.RESULT
        output = Tensor(inputs.shape, result.format, result.dtype, levels, values, fill, checked=True, ownership=owner)
        ready = variant.execute(inputs.tensors, output)
        refusal = partial(self.refusal, function=variant.function)

        def exact(computed: Tensor) -> tuple[Tensor, Prepared]:
            again = self._values_variant(inputs.tensors, assembled, Padding.LEFT_OUT)
            return computed, again.execute(inputs.tensors, computed)

        search = self._search(exact, inputs.tensors)
        return BoundCall(
            inputs.tensors, output, ready, refusal, preparation=inputs.preparation, result=result.name, search=search
        )

    def _search(
        self, exact: Callable[[Tensor], tuple[Tensor, Prepared]], operands: Mapping[str, Tensor]
    ) -> NanSearch | None:
        """How a NaN is looked for that padding may make of these operands; None where it makes none."""
        if not self._looks_for_nan or padding_is_harmless(self._factors, operands):
            return None
        return NanSearch(exact, self._on_threads)

    def _values_variant(
        self, operands: Mapping[str, Tensor], assembled: Tensor, padding: Padding | None = None
    ) -> Variant:
        wide = frozenset(name for name, tensor in operands.items() if tensor.wide)
        if assembled.wide:
            wide |= {self._result.name}
        try:
            return self._variants.choose(wide, KernelKind.COMPUTE, padding)
        except Refusal as refusal:
            raise _not_stationary(refusal.message) from None

    def _collect_arguments(self, packed: dict[str, Tensor]) -> _Arguments:
        tensors = dict(packed)
        shape = self._binding.result_shape(tensors)
        preparation: tuple[Preparation, ...] = ()
        if self.conversions or self._parts:
            tensors, preparation = self._binding.prepare(tensors)
        initial = tensors.pop(self._result.name, None)
        wide = frozenset([name for name, tensor in tensors.items() if tensor.wide])
        return _Arguments(tensors, shape, wide, initial, preparation, self._binding.shown(tensors))

    def _guard(self, call: BoundCall[ResultType]) -> Guard | None:
        """What a repeated call looks at before each run: sizes that are values of borrowed operands, and how many
        entries the operand has whose coordinates the result has got."""
        values = self._binding.watched_values(call.operands)
        entries = watched_entries(call.pattern, call.operands[call.pattern]) if call.pattern is not None else None
        return joined_guards([guard for guard in (values, entries) if guard is not None])

    def refusal(self, status: int, function: Function | None = None) -> OperandError:
        """The error for a ``status`` that is not 0, of the kernel or of another ``function`` of it: a claim of the
        schedule that does not hold for these operands, or no memory.

        Raises
        ------
        InternalError
            for a status that no claim of the function has.
        """
        return status_error(status, function or self._function, self.signature, self.result.plan.schedule)


def _not_stationary(reason: str) -> CompileError:
    return CompileError(
        Diagnostic(
            code="runtime/stationary",
            message=f"The coordinates of the result cannot be kept: {reason}",
            hint="Call the kernel itself, which assembles its result each time.",
        )
    )
