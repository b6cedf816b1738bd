"""What a program that calls Heddle sees of its types: mypy checks it with the compiler."""

from __future__ import annotations

from typing import Any, assert_type

from numpy.typing import NDArray

import heddle as hd
from heddle.plan import parse_plan
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.tuning.search.automatic import AutomaticKernel, AutomaticPatternKernel

SPMV = "y(i) = A(i,j) * x(j)"
COPY = "def f(float(N) x) -> (y) { y(i) = x(i) }"


def compile_each_kind() -> None:
    assert_type(hd.compile(SPMV, formats={"A": "csr"}), Kernel)
    assert_type(hd.compile(SPMV, options={"convert": "automatic"}), Kernel)
    assert_type(hd.compile(COPY, language="comprehension"), Kernel[Any])
    assert_type(hd.compile("map[x; x]", language="patterns"), PatternKernel)
    assert_type(hd.compile(parse_plan({"expression": "y(i) = x(i)"})), Kernel[Any] | PatternKernel)
    assert_type(hd.compile({"expression": "y(i) = x(i)"}), Kernel[Any] | PatternKernel)


def chosen_at_run_time(language: str) -> None:
    assert_type(hd.compile("y(i) = x(i)", language=language), Kernel[Any] | PatternKernel)


def leave_the_schedule_to_rules() -> tuple[str, ...]:
    kernel = hd.compile(SPMV, formats={"A": "csr"}, options={"schedule": "auto"})
    assert_type(kernel, AutomaticKernel)
    assert_type(hd.compile(SPMV, options={"schedule": "auto", "convert": "automatic"}), AutomaticKernel)
    assert_type(hd.compile(COPY, language="comprehension", options={"schedule": "auto"}), AutomaticKernel[Any])
    assert_type(hd.compile("map[x; x]", language="patterns", options={"schedule": "auto"}), AutomaticPatternKernel)
    assert_type(hd.compile(SPMV, schedule="auto", like={"A": [[1.0]]}), AutomaticKernel)
    plan = parse_plan({"expression": "y(i) = x(i)"})
    either = hd.compile(plan, options={"schedule": "auto"})
    assert_type(either, AutomaticKernel[Any] | AutomaticPatternKernel)
    return (*kernel.suggestion.schedule, *kernel.suggestion.reasons, *either.suggestion.schedule)


def read_the_result(matrix: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
    kernel = hd.compile(SPMV, formats={"A": "csr"})
    y: hd.Tensor = kernel(A=matrix, x=vector)
    prepared = kernel.bind(A=matrix, x=vector)
    assert_type(prepared, BoundCall)
    assert_type(prepared.run(), hd.Tensor)
    automatic = hd.compile(SPMV, formats={"A": "csr"}, options={"schedule": "auto"})
    stationary: hd.Stationary = kernel.assemble(A=matrix, x=vector)
    return (
        y.to_numpy()
        + kernel(A=matrix, x=vector).to_numpy()
        + kernel.bind(A=matrix, x=vector).run().to_numpy()
        + prepared(x=vector).to_numpy()
        + automatic(A=matrix, x=vector).to_numpy()
        + stationary.compute(A=matrix, x=vector).to_numpy()
        + stationary.bind(A=matrix, x=vector).run().to_numpy()
    )


def read_several_results(kernel: hd.Kernel, vector: NDArray[Any]) -> hd.Tensor:
    """How many results a comprehension has is in its text alone."""
    program = hd.compile("def f(float(N) x) -> (y, z) { y(i) = x(i) z(i) = 2 * x(i) }", language="comprehension")
    y: hd.Tensor = program(x=vector)["y"]
    z: hd.Tensor = program.bind(x=vector).run()["z"]
    whole: hd.Tensor = hd.compile(COPY, language="comprehension")(x=vector)
    return kernel(y=y, z=z, x=whole)


def take_any_kernel(kernel: hd.Kernel) -> str:
    return repr(kernel.result)


def pass_each_kind_on() -> list[str]:
    """A function that takes kernels takes all but those of patterns."""
    notation, automatic = hd.compile(SPMV), hd.compile(SPMV, options={"schedule": "auto"})
    return [take_any_kernel(one) for one in (notation, automatic, hd.compile(COPY, language="comprehension"))]


def list_what_may_come_next(kernel: hd.Kernel) -> list[str]:
    return [candidate.text for command in hd.legal(kernel) for candidate in command.candidates]
