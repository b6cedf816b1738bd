"""Kernels in files: saved ones run without a compiler, exported ones without Heddle."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.diagnostics import Diagnostic
from heddle.runtime.native import threads, toolchain

SPMV = "y(i) = A(i,j) * x(j)"
A = scipy.sparse.csr_array(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]]))
X = np.array([1.0, 10.0, 100.0])


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "spmv.heddle"
    hd.compile(SPMV, formats={"A": "csr"}, schedule="parallelize(i, CPUThread, NoRaces)").save(path)
    return path


def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def discover() -> toolchain.Toolchain:
        diagnostic = Diagnostic("runtime/no-c-compiler", "No C compiler works on this machine.")
        raise toolchain.MissingCompilerError(diagnostic)

    monkeypatch.setattr(toolchain, "discover", discover)
    monkeypatch.setattr(threads, "runtime", threads.runtime.__wrapped__)


def test_a_saved_kernel_runs_where_there_is_no_compiler(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiler(monkeypatch)
    with pytest.raises(hd.CompileError, match="No C compiler"):
        hd.compile(SPMV, formats={"A": "csr"})
    kernel = hd.load(saved)
    np.testing.assert_array_equal(kernel(A=A, x=X).to_numpy(), A @ X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(kernel))(A=A, x=X).to_numpy(), A @ X)


def test_threads_are_counted_where_there_is_no_compiler(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiler(monkeypatch)
    monkeypatch.setattr(threads, "SAVED", threads.SavedThreads())
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert hd.get_num_threads() == 3
    hd.set_num_threads(1)
    assert hd.get_num_threads() == 1
    kernel = hd.load(saved)
    np.testing.assert_array_equal(kernel(A=A, x=X).to_numpy(), A @ X)
    assert hd.get_num_threads() == 1
    with hd.threads(2):
        assert hd.get_num_threads() == 2
        np.testing.assert_array_equal(kernel(A=A, x=X).to_numpy(), A @ X)
    assert hd.get_num_threads() == 1


def test_a_kernel_that_chooses_is_saved_with_its_last_schedule(tmp_path: Path) -> None:
    kernel = hd.compile("C(i,j) = A(i,k) * B(k,j)", formats=dict.fromkeys("ABC", "csr"), schedule="auto")
    expected = kernel(A=A, B=A.T.tocsr()).to_numpy()
    kernel.save(tmp_path / "product.heddle")
    loaded = hd.load(tmp_path / "product.heddle")
    assert loaded.result.plan.schedule == kernel.suggestion.schedule
    np.testing.assert_array_equal(loaded(A=A, B=A.T.tocsr()).to_numpy(), expected)


def changed(path: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """A copy of the archive in which an entry is another."""
    copy = path.with_name(f"changed-{name}")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(copy, "w") as target:
        for entry in source.namelist():
            content = source.read(entry)
            target.writestr(entry, change(content) if entry == name else content)
    return copy


def with_origin(**fields: object) -> Callable[[bytes], bytes]:
    return lambda content: json.dumps({**json.loads(content), **fields}).encode()


@pytest.mark.parametrize(
    ("change", "code", "text"),
    [
        (with_origin(heddle="0.0.1"), "runtime/saved-version", "was saved by Heddle 0.0.1, and this is Heddle"),
        (with_origin(machine="sparc64"), "runtime/saved-elsewhere", "holds machine code for Linux on sparc64; this is"),
        (with_origin(instructions=["avx9999"]), "runtime/saved-elsewhere", "whose processor has avx9999; this is"),
    ],
)
def test_a_file_of_another_version_or_machine_is_refused(
    saved: Path, change: Callable[[bytes], bytes], code: str, text: str
) -> None:
    for trust in (False, True):
        with pytest.raises(hd.CompileError) as refused:
            hd.load(changed(saved, "origin.json", change), trust=trust)
        assert refused.value.diagnostics[0].code == code
        assert text in refused.value.diagnostics[0].message


def test_machine_code_of_others_runs_only_where_it_is_trusted(saved: Path) -> None:
    for name in ("seal", "plan.json"):
        other = changed(saved, name, lambda content: content + b" ")
        with pytest.raises(hd.OperandError, match="which you did not save on this machine or which was changed since"):
            hd.load(other)
        np.testing.assert_array_equal(hd.load(other, trust=True)(A=A, x=X).to_numpy(), A @ X)


def test_a_system_without_numbers_of_users_saves_and_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Windows."""
    monkeypatch.delattr(os, "geteuid")
    hd.compile(SPMV, formats={"A": "csr"}).save(tmp_path / "spmv.heddle")
    np.testing.assert_array_equal(hd.load(tmp_path / "spmv.heddle")(A=A, x=X).to_numpy(), [20.0, 301.0])


def test_code_that_this_version_does_not_make_of_the_plan_is_refused(saved: Path) -> None:
    other = changed(saved, "plan.json", lambda content: content.replace(b"* x(j)", b"+ x(j)"))
    with pytest.raises(hd.CompileError, match="of other sources, and this is Heddle"):
        hd.load(other, trust=True)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b'{"version": 2}'])
def test_what_is_no_saved_kernel_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "k.heddle").write_bytes(content)
    with pytest.raises(hd.OperandError, match=r"k\.heddle is not a kernel that kernel.save wrote"):
        hd.load(tmp_path / "k.heddle")
    with pytest.raises(hd.OperandError, match="does not exist"):
        hd.load(tmp_path / "nothing.heddle")


def test_where_a_kernel_cannot_be_stored_is_said(tmp_path: Path) -> None:
    kernel = hd.compile(SPMV, formats={"A": "csr"})
    with pytest.raises(hd.OperandError, match=r"the folder .* does not exist"):
        kernel.save(tmp_path / "nowhere" / "k.heddle")
    (tmp_path / "file").write_text("")
    with pytest.raises(hd.OperandError, match="The C files cannot be written into"):
        kernel.export_c(tmp_path / "file")
    for name in ("two words", "double", "main", "printf", 3):
        with pytest.raises(hd.OperandError, match="A function in C cannot be called"):
            kernel.export_c(tmp_path, name=name)  # type: ignore[arg-type]
    with pytest.raises(hd.OperandError, match=r"the target of a kernel that is stored \(interpreter\) must be c"):
        hd.compile(SPMV, target="interpreter").save(tmp_path / "k.heddle")


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("make") is None, reason="needs gcc and make")
def test_exported_kernels_link_together_and_c_plus_plus_includes_them(tmp_path: Path) -> None:
    kernels: dict[str, Any] = {
        "product": hd.compile("C(i,j) = A(i,k) * B(k,j)", formats=dict.fromkeys("ABC", "csr")),
        "squares": hd.compile("C(i,j) = A(i,k) * B(k,j)", formats=dict.fromkeys("ABC", "csr"), schedule="auto"),
        "waves": hd.compile(SPMV, formats={"A": "csr"}, dtypes=dict.fromkeys("Axy", "complex128")),
    }
    for name, kernel in kernels.items():
        files = kernel.export_c(tmp_path, name=name)
        assert [file.name for file in files] == [f"{name}.c", f"{name}.h", "main.c", "Makefile"]
    flags = "CFLAGS=-O0 -Wall -Wextra -Werror"
    run("make", "-s", flags, folder=tmp_path)
    assert run("./main", folder=tmp_path) == "waves: 0 of the elements differ\n"
    source, header = (tmp_path / "waves.c").read_text(), (tmp_path / "waves.h").read_text()
    assert source.startswith("// SPDX-License-Identifier: MIT\n// Copyright (c) ")
    assert '//  "expression": "y(i) = A(i,j) * x(j)",' in source
    assert "A2_pos        A (csr), level 2: where the entries of each position above begin" in header
    names = run("nm", "-g", "--defined-only", "product.o", folder=tmp_path)
    assert [line.split()[-1] for line in names.splitlines()] == ["product"]
    if shutil.which("g++") is not None:
        includes = "".join(f'#include "{name}.h"\n' for name in kernels)
        (tmp_path / "all.cpp").write_text(f"{includes}int main() {{ return (void*)product == (void*)waves; }}\n")
        objects = [f"{name}.o" for name in kernels]
        run("g++", "-Wall", "-Wextra", "-Werror", "all.cpp", *objects, "-fopenmp", "-o", "all", folder=tmp_path)
