"""A compiled program in patterns that can be called: arguments by name in, its result out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError, nearest
from heddle.formats.parser import parse_format
from heddle.loop_ir.nodes import ParameterKind
from heddle.patterns.program import Lowered
from heddle.patterns.typing.claims import Claim, arrays_asked, asks_differences
from heddle.patterns.typing.types import ArrayType, to_text
from heddle.runtime.kernels.executors import EXECUTORS
from heddle.runtime.kernels.pickling import Travelling
from heddle.runtime.memory import buffers
from heddle.runtime.patterns.call import CompiledProgram, PatternCall
from heddle.runtime.patterns.claims import check
from heddle.runtime.patterns.flat import Told, flatten, from_zero
from heddle.runtime.patterns.follow import follow_steps
from heddle.runtime.patterns.in_place import require_in_place
from heddle.runtime.patterns.memos import starts
from heddle.runtime.patterns.refused import refusal
from heddle.runtime.patterns.results import Result, result_of
from heddle.runtime.patterns.solve import solve_sizes
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.signature import Signature, TensorSignature
from heddle.symbolic.evaluate import evaluate

__all__ = ["PatternKernel"]

MOST_ROWS_OF_LOOPS = 1 << 22
"""That starts are added up for by loops, each row anew."""


class PatternKernel(Travelling):
    """Callable: ``kernel(offset=o, cols=c, vals=v, xs=x)`` returns a result with ``to_numpy()``.

    Arguments are NumPy arrays of the sizes that their types say. An array whose rows have different lengths is given
    flat, its rows behind one another, or as a list of rows. An array of pairs is a structured array, or a tuple of one
    array for each field. Sizes (nFun) follow from the arrays, and may be given as well. What the types claim of the
    data is checked when arguments are bound. Where steps have made other parameters of the first ones, arguments for
    the first ones are taken as well: a matrix that is represented by its entries as a NumPy or SciPy matrix.
    """

    def __init__(self, result: CompiledProgram) -> None:
        """Compiles and loads the text of a ``result`` without errors.

        Raises
        ------
        CompileError
            where the target cannot run here.
        """
        if result.bound is None:
            raise InternalError("A kernel of patterns needs a compile without errors")
        if result.function is None:
            raise InternalError("A kernel needs a compile without errors")
        self.result = result
        self._bound: Lowered = result.bound
        self._function = result.function
        self.target = result.plan.target
        self.source = result.source.text if result.source is not None else ""
        self.signature = self._signature()
        executor = EXECUTORS[self.target](self._function, self.source, self.signature, ())
        self._execute = executor.execute
        self.source = executor.text or self.source

    def made_of(self) -> tuple[object, ...]:
        """The compile's result, which travels as its Plan."""
        return (self.result,)

    def __repr__(self) -> str:
        types = ", ".join(f"{name}: {to_text(type)}" for name, type in self._bound.program.types)
        return f"<{type(self).__name__} {types} -> {to_text(self._bound.program.result)}; {self.target}>"

    def _signature(self) -> Signature:
        tensors = {}
        for parameter in self._function.parameters:
            order = 1 if parameter.kind is ParameterKind.ARRAY else 0
            format = parse_format("dense", order, parameter.name)
            indices = ("p",) * order
            tensors[parameter.tensor] = TensorSignature(
                parameter.tensor, indices, format, parameter.dtype, is_result=parameter.output
            )
        return Signature(tensors)

    def __call__(self, /, **arguments: object) -> Result:
        """Computes the result.

        Raises
        ------
        CompileError
            ``runtime/unknown-operand``, ``runtime/missing-operand``, what :meth:`bind` finds wrong with the arguments,
            or ``runtime/out-of-memory``.
        """
        call = self.prepare(arguments)
        call.run()
        return call.output

    def bind(self, /, **arguments: object) -> PatternCall:
        """As :meth:`prepare`, for a call whose every run computes with the values that the arguments have by then. What
        sizes, starts and claims follow from must stay.

        Raises
        ------
        OperandError
            as :meth:`prepare`; ``runtime/bound-copy`` for an argument that had to be copied.
        """
        call = self.prepare(arguments, Ownership.BORROWED)
        arrays = {name: tensor.vals for name, tensor in call.arguments.items() if tensor.order}
        require_in_place(self._bound.buffers, arguments, arrays)
        return call

    def prepare(self, arguments: Mapping[str, object], ownership: Ownership = Ownership.SNAPSHOT) -> PatternCall:
        """Checks the arguments, solves the sizes, adds up what the kernel has as arrays, and allocates the result.
        Arguments that have to be copied keep the values that they have now. A device copies all of them once where
        ``ownership`` says that nobody writes them between two runs, else before each run.

        Raises
        ------
        CompileError
            ``runtime/…``: ``argument``, ``dtype``, ``field-dtype``, ``unknown-size``, ``size-mismatch``,
            ``ragged-size``, ``offsets``, ``negative-length``, ``index-range``, ``zip-length``, ``not-divisible`` or
            ``permutation``, ``too-many-additions``.
        """
        program = self._bound.program
        arguments = follow_steps(program.derivations, self._with_fixed(arguments), program.sizes)
        self._check_names(arguments)
        arrays: dict[str, NDArray[Any]] = {}
        scalars: dict[str, Any] = {}
        told: list[Told] = []
        rows: dict[str, NDArray[Any]] = {}
        for buffer in self._bound.buffers:
            value = arguments[buffer.parameter]
            for number in buffer.path:
                if not isinstance(value, tuple | list) or len(value) != 2:
                    raise refusal(
                        "argument",
                        f"{buffer.parameter} is a pair of arrays.",
                        buffer.parameter,
                        expected="a tuple of two arrays",
                        actual=type(value).__name__,
                    )
                value = value[number - 1]
            flat = flatten(buffer, value)
            arrays.update(flat.arrays)
            told += flat.told
            if flat.rows is not None:
                rows[buffer.parameter] = flat.rows
            if flat.scalar is not None:
                scalars[buffer.fields[0][1]] = flat.scalar
        first = {name: arrays[name] for name in self._bound.from_zero}
        arrays.update({name: from_zero(array) for name, array in first.items()})
        passed_sizes = {name: _size(name, arguments[name]) for name in program.sizes if name in arguments}
        known = {name: value for name, value in scalars.items() if isinstance(value, int)}
        sizes = solve_sizes((*program.sizes,), {**passed_sizes, **known}, self._without_memos(told), arrays)
        names = {**sizes, **known}
        self._check_loops(names, arrays)
        added = {memo.name for memo in self._bound.memos}
        early = [claim for claim in self._bound.claims if not arrays_asked(claim) & added]
        self._check_claims([claim for claim in early if asks_differences(claim)], names, {**arrays, **first})
        self._check_claims([claim for claim in early if not asks_differences(claim)], names, arrays)
        memos = self._memos(names, arrays)
        arrays.update(memos)
        self._check_claims([claim for claim in self._bound.claims if arrays_asked(claim) & added], names, arrays)
        solve_sizes((), names, told, arrays, {name: int(array[0]) for name, array in first.items() if array[:1].any()})
        self._check_rows(rows, names, arrays)
        count = int(evaluate(self._bound.records, names, arrays))
        values = buffers.empty(count, self._result_dtype())
        tensors = {name: self._tensor(name, array) for name, array in arrays.items() if name in self.signature.tensors}
        for tensor in tensors.values():
            tensor.ownership = ownership
        for name, number in {**names, **scalars}.items():
            if name in self.signature.tensors:
                tensors[name] = self._tensor(name, np.asarray(number, self.signature.tensors[name].dtype).reshape(1))
                tensors[name].ownership = Ownership.SNAPSHOT
        output = self._tensor(self._bound.result_array, values)
        prepared = self._execute(tensors, output)
        result = result_of(program.result, values, names, arrays)
        return PatternCall(prepared, result, sizes, memos, {**tensors, self._bound.result_array: output})

    def _with_fixed(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """The arguments and the numbers that the plan fixes."""
        fixed = {name: size for name, size in self.result.plan.sizes.items() if name in self._bound.program.numbers}
        for name, number in fixed.items():
            value = arguments.get(name, number)
            if isinstance(value, int | np.integer) and value != number:
                raise refusal(
                    "size-mismatch",
                    f"{name} is {value} at this call, and the plan fixes {name} = {number}.",
                    name,
                    expected=str(number),
                    actual=str(value),
                )
        return {**fixed, **arguments}

    def _result_dtype(self) -> str:
        return self.signature.result.dtype

    def _tensor(self, name: str, values: NDArray[Any]) -> Tensor:
        signature = self.signature.tensors[name]
        levels = tuple(LevelArrays() for _ in signature.format.levels)
        shape = (len(values),) if signature.order else ()
        return Tensor(shape, signature.format, signature.dtype, levels, values, checked=True)

    def _without_memos(self, told: list[Told]) -> list[Told]:
        """What can be checked before the arrays that the runtime adds up are there."""
        from heddle.symbolic.walk import arrays_of

        memos = {memo.name for memo in self._bound.memos}
        return [fact for fact in told if not arrays_of(fact.length) & memos and not _has_arrays(fact)]

    def _check_loops(self, sizes: Mapping[str, int], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Starts of rows that loops add up again for each row are for small data."""
        types = dict(self._bound.program.types)
        for name, strategy in self._bound.program.strategies:
            type = types[name]
            if strategy != "loop" or not isinstance(type, ArrayType) or not type.ragged:
                continue
            rows = int(evaluate(type.size, sizes, arrays))
            if rows > MOST_ROWS_OF_LOOPS:
                raise refusal(
                    "too-many-additions",
                    f"sums({name}, loop) would add up {rows * (rows - 1) // 2:,} lengths for {rows:,} rows.",
                    name,
                    expected=f"at most {MOST_ROWS_OF_LOOPS:,} rows",
                    actual=f"{rows:,} rows",
                    hint=f"sums({name}, memo) adds each length up once.",
                )

    def _check_claims(self, claims: list[Claim], sizes: Mapping[str, int], arrays: Mapping[str, NDArray[Any]]) -> None:
        for claim in claims:
            try:
                check(claim, sizes, arrays, self._bound.buffers)
            except IndexError as error:
                raise refusal("index-range", f"A length cannot be told: {error}.", "", actual=str(error)) from None

    def _check_rows(
        self, rows: Mapping[str, NDArray[Any]], sizes: Mapping[str, int], arrays: Mapping[str, NDArray[Any]]
    ) -> None:
        """Rows that were given one by one have the lengths that their type says."""
        for name, type in self._bound.program.types:
            if name not in rows or not isinstance(type, ArrayType) or not isinstance(type.element, ArrayType):
                continue
            count = int(evaluate(type.size, sizes, arrays))
            wanted = evaluate(type.element.size, {**sizes, type.variable: np.arange(count)}, arrays)
            lengths = np.broadcast_to(np.asarray(wanted), (count,))
            row_lengths = rows[name]
            wrong = (
                np.flatnonzero(lengths != row_lengths)
                if len(row_lengths) == count
                else np.array([min(len(row_lengths), count)])
            )
            if wrong.size:
                at = int(wrong[0])
                expected = str(lengths[at]) if at < count else f"{count} rows"
                raise refusal(
                    "ragged-size",
                    f"Row {at} of {name} has another length than its type says.",
                    name,
                    expected=expected,
                    actual=str(row_lengths[at]) if at < len(row_lengths) else f"{len(row_lengths)} rows",
                )

    def _memos(self, sizes: Mapping[str, int], arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The arrays of starts, added up with NumPy."""
        memo_arrays: dict[str, NDArray[Any]] = {}
        for memo in self._bound.memos:
            memo_arrays[memo.name] = starts(memo.starts, memo.variable, memo.size, sizes, {**arrays, **memo_arrays})
        return memo_arrays

    def _check_names(self, arguments: Mapping[str, object]) -> None:
        program = self._bound.program
        wanted = tuple(name for name, _ in program.types)
        expected = ", ".join(wanted)
        for name in arguments:
            if name not in wanted and name not in program.sizes:
                raise refusal(
                    "unknown-operand",
                    f"{name} is not a parameter of the program.",
                    name,
                    expected=expected,
                    actual=name,
                    candidates=nearest(name, (*wanted, *program.sizes)),
                )
        for name in wanted:
            if name not in arguments:
                raise refusal(
                    "missing-operand",
                    f"{name} is missing; the program takes {expected}.",
                    name,
                    expected=expected,
                    actual=", ".join(arguments) or "nothing",
                    hint=f"Pass it by name: kernel({name}=…).",
                )


def _has_arrays(fact: Told) -> bool:
    from heddle.symbolic.walk import arrays_of

    return bool(arrays_of(fact.length))


def _size(name: str, value: object) -> int:
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= 0:
        return int(value)
    raise refusal("argument", f"{name} is a size.", name, expected="an integer that is at least 0", actual=repr(value))
