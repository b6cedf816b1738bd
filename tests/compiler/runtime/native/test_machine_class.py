"""What kernels are compiled for: the class that HEDDLE_MARCH names, else the one that the processor belongs to."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import heddle as hd
from heddle.runtime.native import cache, cpu, library, loaded_wake, machine_class, parallel_region, toolchain
from heddle.tuning.facts.machine import this_machine
from tests.compiler.codegen.native import has_gcc
from tests.errors.expect import refusal
from tests.search_path import search_path

pytestmark = pytest.mark.takes_turns(4)

BASE = "fpu sse2"
V2 = f"{BASE} cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3"
V3 = f"{V2} abm avx avx2 bmi1 bmi2 f16c fma movbe"
V4 = f"{V3} avx512bw avx512cd avx512dq avx512f avx512vl"
WIDTH = """int width(void) {
#if defined(__AVX512F__)
  return 64;
#elif defined(__AVX2__)
  return 32;
#elif defined(__SSE4_2__)
  return 16;
#else
  return 0;
#endif
}
"""
"""The widest registers that a compiler may use."""


def pretend(monkeypatch: pytest.MonkeyPatch, features: str, machine: str = "x86_64") -> None:
    monkeypatch.setattr(cpu, "features", lambda: tuple(sorted(features.split())))
    monkeypatch.setattr(platform, "machine", lambda: machine)


@pytest.mark.parametrize(
    ("features", "machine", "name"),
    [
        (BASE, "x86_64", "x86-64"),
        (V2, "AMD64", "x86-64-v2"),
        (f"{V2} avx", "x86_64", "x86-64-v2"),  # AVX alone is not yet the next class
        (V3, "x86_64", "x86-64-v3"),
        (f"{V3} avx512f", "x86_64", "x86-64-v3"),
        (V4, "x86_64", "x86-64-v4"),
        ("asimd", "aarch64", "aarch64"),
        ("", "arm64", "aarch64"),  # macOS tells no features
        ("", "riscv64", "riscv64"),
    ],
)
def test_a_processor_belongs_to_the_highest_class_whose_instructions_it_has(
    features: str, machine: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HEDDLE_MARCH", raising=False)
    pretend(monkeypatch, features, machine)
    assert machine_class.in_force().name == name
    assert machine_class.march() == "native"
    machine_class.require_executable()


@pytest.mark.parametrize("asked", ["x86-64-v3", "v3"])
def test_a_class_that_is_asked_for_is_in_force(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, V4)
    monkeypatch.setenv("HEDDLE_MARCH", asked)
    assert machine_class.in_force().name == machine_class.march() == "x86-64-v3"
    machine_class.require_executable()


@pytest.mark.parametrize(
    ("march", "vector_bytes", "registers", "gathers"),
    [("v2", 16, 16, False), ("v3", 32, 16, False), ("v4", 64, 32, True), ("native", 64, 32, True)],
)
def test_the_rules_choose_as_on_a_machine_of_the_class(
    march: str, vector_bytes: int, registers: int, gathers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, V4)
    monkeypatch.setattr(cpu, "gathers_fast", lambda: True)
    monkeypatch.setenv("HEDDLE_MARCH", march)
    # Records of parallel regions are named by the compiler, and zig builds parts of its C library for each class.
    monkeypatch.setattr(parallel_region, "recall_region", lambda threads: parallel_region.USUAL_SECONDS)
    monkeypatch.setattr(loaded_wake, "recall_wake", lambda threads: loaded_wake.USUAL_SECONDS)
    monkeypatch.setattr(parallel_region, "spreads", dict)
    monkeypatch.setattr(loaded_wake, "spreads", dict)
    machine = this_machine(2)  # else the threads of kernels are asked, whose library each class would build
    assert (machine.vector_bytes, machine.registers, machine.gathers) == (vector_bytes, registers, gathers)
    assert machine.machine_class == machine_class.in_force().name


def test_another_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE_MARCH", "avx2")
    diagnostic = refusal(machine_class.in_force)
    assert diagnostic.code == "runtime/unknown-machine-class"
    assert diagnostic.message == (
        "There is no machine class 'avx2'. The classes are native, x86-64-v2, x86-64-v3, x86-64-v4 (v2, v3, v4 for "
        "short)."
    )
    assert (diagnostic.expected, diagnostic.found) == ("native, x86-64-v2, x86-64-v3, x86-64-v4", "avx2")
    assert diagnostic.hint == "Set HEDDLE_MARCH to one of them, or leave it out to compile for this processor."


@pytest.mark.parametrize(("features", "machine", "own"), [(V3, "x86_64", "x86-64-v3"), ("asimd", "arm64", "aarch64")])
def test_what_the_processor_cannot_run_is_refused(
    features: str, machine: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, features, machine)
    monkeypatch.setattr(cpu, "model", lambda: "Small Processor")
    monkeypatch.setenv("HEDDLE_MARCH", "x86-64-v4")
    diagnostic = refusal(lambda: library.load(Path("never.so"), "kernel"))
    assert diagnostic.code == "runtime/machine-class-beyond"
    assert diagnostic.message == (
        "Kernels are compiled for x86-64-v4, whose instructions this processor (Small Processor) lacks."
    )
    assert (diagnostic.expected, diagnostic.found) == ("a processor of the class x86-64-v4", own)
    assert diagnostic.hint == "Set HEDDLE_MARCH to native."


def test_a_processor_that_does_not_tell_what_it_has_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "")
    monkeypatch.setenv("HEDDLE_MARCH", "x86-64-v3")
    machine_class.require_executable()


@pytest.mark.skipif(not has_gcc() or platform.machine() != "x86_64", reason="needs gcc for x86-64")
def test_the_compiler_is_told_the_class_and_the_cache_keeps_the_classes_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path))
    keys, own = set(), machine_class.detect()
    for one in machine_class.CLASSES:
        if one.march is None:
            continue
        monkeypatch.setenv("HEDDLE_MARCH", one.march)
        found = toolchain.discover()
        keys.add(cache.key_of(WIDTH, "1", found))
        path = cache.shared_library(WIDTH, "1")
        if own.vector_bytes >= one.vector_bytes:
            assert ctypes.CDLL(str(path)).width() == one.vector_bytes
    monkeypatch.setenv("HEDDLE_MARCH", "native")
    keys.add(cache.key_of(WIDTH, "1", toolchain.discover()))
    assert len(keys) == 4


def test_zig_spells_classes_its_own_way() -> None:
    assert toolchain._march_flag("zig cc", "x86-64-v3") == "-march=x86_64_v3"
    assert toolchain._march_flag("zig cc", "native") == toolchain._march_flag("gcc", "native") == "-march=native"
    assert toolchain._march_flag("clang", "x86-64-v3") == "-march=x86-64-v3"


def test_the_text_is_the_same_for_every_class(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = "split(k, k0, k1, 32)\nreorder(i, k0, j, k1)\nparallelize(k1, CPUVector, NoRaces)"
    texts = set()
    for march in ("native", "v2", "v3", "v4"):
        monkeypatch.setenv("HEDDLE_MARCH", march)
        source = hd.lower("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, schedule).source
        assert source is not None
        texts.add(source.text)
    assert len(texts) == 1


@pytest.mark.parametrize("command", ["serve", "run"])
def test_a_command_that_would_compile_says_so_at_once(command: str) -> None:
    arguments = ["run", "-"] if command == "run" else [command, "--port", "0"]
    done = subprocess.run(
        [sys.executable, "-m", "heddle_server.cli", *arguments],
        cwd=Path(__file__).resolve().parents[4], env={"HEDDLE_MARCH": "v5", "PYTHONPATH": search_path()}, input="{}",
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    started = "heddle: starting (Ctrl+C stops it)\n" if command == "serve" else ""
    assert done.stderr == started + (
        "heddle: There is no machine class 'v5'. The classes are native, x86-64-v2, x86-64-v3, x86-64-v4 (v2, v3, v4 "
        "for "
        "short).\n  hint: Set HEDDLE_MARCH to one of them, or leave it out to compile for this processor.\n"
    )
