"""The other extras, each in an environment of its own."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from tests.installed.environment import Environment

KERNEL = """
import numpy as np
import heddle as hd
print(hd.compile("y(i) = A(i,j) * x(j)", {{"A": "csr"}}, target={target!r})(A=np.eye(3), x=np.arange(3.)).to_numpy())
"""
X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="there are no wheels for this machine")


def environment(tmp_path: Path, wheels: Path, extra: str) -> Environment:
    made = Environment(tmp_path / "environment", wheels)
    made.install(f"heddle-sparse[{extra}]")
    return made


def test_a_compiler_that_comes_as_a_wheel(tmp_path: Path, wheels: Path) -> None:
    """Without gcc and clang on the path."""
    cc = environment(tmp_path, wheels, "cc")
    assert cc.evaluate(KERNEL.format(target="c"), PATH=str(cc.folder / "bin")) == "[0. 1. 2.]\n"


def test_the_base_comes_with_what_it_needs(tmp_path: Path, wheels: Path) -> None:
    """From the index, in the versions that pip chooses today."""
    base = Environment(tmp_path / "environment", wheels)
    base.install("heddle-sparse")
    assert base.evaluate(KERNEL.format(target="interpreter")) == "[0. 1. 2.]\n"


@X86
def test_opencl_on_the_processor(tmp_path: Path, wheels: Path) -> None:
    opencl = environment(tmp_path, wheels, "opencl")
    assert opencl.evaluate(KERNEL.format(target="opencl")) == "[0. 1. 2.]\n"


@X86
def test_mkl_is_found_where_pip_puts_it(tmp_path: Path, wheels: Path) -> None:
    mkl = environment(tmp_path, wheels, "mkl,server")
    program = "from heddle.measuring.baselines.mkl_library import load; print(load('libiomp5') is not None)"
    assert mkl.evaluate(program) == "True\n"
