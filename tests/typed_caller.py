"""What a program that calls Heddle sees of its types: mypy checks it with the compiler."""

from __future__ import annotations

from typing import assert_type

import heddle as hd
from heddle.plan import parse_plan
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.patterns.kernel import PatternKernel


def compile_each_kind() -> None:
    assert_type(hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}), Kernel)
    assert_type(hd.compile("y(i) = A(i,j) * x(j)", options={"schedule": "auto"}), Kernel)
    assert_type(hd.compile("def f(float(N) x) -> (y) { y(i) = x(i) }", language="comprehension"), Kernel)
    assert_type(hd.compile("map[x; x]", language="patterns"), PatternKernel)
    assert_type(hd.compile(parse_plan({"expression": "y(i) = x(i)"})), Kernel | PatternKernel)
    assert_type(hd.compile({"expression": "y(i) = x(i)"}), Kernel | PatternKernel)


def chosen_at_run_time(language: str) -> None:
    assert_type(hd.compile("y(i) = x(i)", language=language), Kernel | PatternKernel)
