"""The compiled-kernel cache: keys, repair, size bound; and the compilers that fill it."""

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from heddle.diagnostics import CompileError, InternalError
from heddle.runtime.native import cache, cache_folder, toolchain, zig_wheel

TEXT = "int answer(void) { return 42; }\n"


@pytest.fixture(autouse=True)
def folder(own_cache: Path) -> Path:
    return own_cache


def answer(library: Path) -> int:
    return int(ctypes.CDLL(str(library)).answer())


def _build(number: int) -> str:
    return str(cache.shared_library(TEXT, "1"))


def test_the_cache_lies_in_the_root_of_the_repository() -> None:
    """It once lay inside the compiler, after the file that finds it had moved a folder down."""
    assert (cache_folder.REPOSITORY / "heddle").is_file()
    assert not (cache_folder.REPOSITORY / "compiler" / "kernels_cache").exists()


def test_second_request_is_served_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    first = cache.shared_library(TEXT, "1")
    assert answer(first) == 42
    monkeypatch.setattr(toolchain, "build", lambda *_: pytest.fail("built again"))
    assert cache.shared_library(TEXT, "1") == first


def test_the_key_names_everything_that_decides_the_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = toolchain.discover()
    key = cache.key_of(TEXT, "1", compiler)
    others = {
        cache.key_of(TEXT + " ", "1", compiler),
        cache.key_of(TEXT, "2", compiler),
        cache.key_of(TEXT, "1", replace(compiler, version="0")),
        cache.key_of(TEXT, "1", replace(compiler, flags=("-O1",))),
    }
    monkeypatch.setattr(cache.cpu, "fingerprint", lambda: "another processor")
    others.add(cache.key_of(TEXT, "1", compiler))
    monkeypatch.setattr(cache, "CACHE_VERSION", -1)
    others.add(cache.key_of(TEXT, "1", compiler))
    assert len(others | {key}) == 7


def test_a_damaged_entry_is_rebuilt() -> None:
    path = cache.shared_library(TEXT, "1")
    path.write_bytes(path.read_bytes()[:-100])
    repaired = cache.shared_library(TEXT, "1")
    assert answer(repaired) == 42
    # A compiler need not give the same bytes twice, so the repaired file may have its own name.
    repaired.unlink()  # It is mapped into this process: never shorten it in place.
    repaired.write_bytes(b"")
    assert answer(cache.shared_library(TEXT, "1")) == 42


def test_an_entry_that_somebody_made_without_the_secret_is_not_loaded(folder: Path) -> None:
    """Its name once held a plain hash of its content, which everybody can compute."""
    key = cache.key_of(TEXT, "1", toolchain.discover())
    planted = toolchain.build(toolchain.discover(), "int answer(void) { return 666; }\n")
    made = cache.store(key, planted)
    (folder / f"seal-{os.geteuid()}.key").unlink()
    cache._secret.cache_clear()
    assert cache.lookup(key) is None
    assert not made.exists()
    for digest in (hashlib.sha256(planted).hexdigest()[:16], hashlib.sha256(planted).hexdigest()[:32]):
        made.with_name(f"{key}.{digest}.so").write_bytes(planted)
    assert cache.lookup(key) is None
    assert answer(cache.shared_library(TEXT, "1")) == 42


def test_an_entry_under_the_name_of_another_kernel_is_not_loaded() -> None:
    other = cache.shared_library("int answer(void) { return 1; }\n", "1")
    key = cache.key_of(TEXT, "1", toolchain.discover())
    seal = other.name.split(".")[1]
    renamed = other.parent.parent / key[0] / f"{key}.{seal}.so"
    renamed.parent.mkdir(exist_ok=True)
    renamed.write_bytes(other.read_bytes())
    assert answer(cache.shared_library(TEXT, "1")) == 42


def test_a_folder_in_place_of_an_entry_gives_way() -> None:
    path = cache.shared_library(TEXT, "1")
    path.unlink()
    (path / "x").mkdir(parents=True)
    rebuilt = cache.shared_library(TEXT, "1")
    assert rebuilt.is_file()
    assert answer(rebuilt) == 42


def test_a_folder_among_the_entries_keeps_no_kernel_from_being_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kernel beyond the limit ended in an error: the oldest entry was no file that could be removed."""
    monkeypatch.setenv("HEDDLE_CACHE_BYTES", "1000")
    in_the_way = folder / "kernels" / "0" / "old.so"
    in_the_way.mkdir(parents=True)
    (in_the_way / "x").write_bytes(b"x")
    os.utime(in_the_way, (1000, 1000))
    assert cache.store(f"{1:040x}", b"1" * 2000).exists()
    assert not in_the_way.exists()


def test_many_processes_build_the_same_kernel(folder: Path) -> None:
    with ProcessPoolExecutor(3) as pool:
        paths = set(pool.map(_build, range(6)))
    assert all(answer(Path(path)) == 42 for path in paths)
    assert not list(folder.rglob(".tmp-*"))


def test_longest_unused_kernels_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE_CACHE_BYTES", "3500")
    paths = [cache.store(f"{number:040x}", bytes([number]) * 1000) for number in range(3)]
    for age, path in enumerate(paths):
        os.utime(path, (1000 + age, 1000 + age))
    assert cache.lookup(f"{0:040x}") == paths[0]  # Used again: no longer the oldest.
    new = cache.store(f"{3:040x}", b"3" * 1000)
    assert [path.exists() for path in paths] == [True, False, False]
    assert new.exists()


def test_a_new_kernel_looks_at_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each new kernel asked for the size of all others: 89 ms beside 16,000."""
    looks: list[Path] = []

    def evict(keep: Path, evict: Callable[[Path], int] = cache._evict) -> int:
        looks.append(keep)
        return evict(keep)

    monkeypatch.setattr(cache, "_evict", evict)
    first = cache.store(f"{0:040x}", b"0" * 5000)
    for number in range(1, 30):
        cache.store(f"{number:040x}", b"1" * 5000)
    assert looks == [first]
    assert (folder / "kernels" / "tally").stat().st_size == 30 * 5

    monkeypatch.setenv("HEDDLE_CACHE_BYTES", "100000")
    last = cache.store(f"{30:040x}", b"2" * 5000)
    assert looks == [first, last]
    left = sum(path.stat().st_size for path in folder.glob("kernels/?/*.so"))
    assert left <= 80_000
    assert left <= (folder / "kernels" / "tally").stat().st_size * 1024


def test_what_the_cache_takes_is_counted_whoever_keeps_it_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run's own kernels, and what drivers keep, were in nobody's count; what was measured is small, and stays."""
    monkeypatch.setenv("HEDDLE_CACHE_BYTES", "20000")
    others = [folder / name for name in ("runs/kernels/0/old.so", "opencl/built.bin", "machine/stream.json")]
    for path in others:
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(9000))
        os.utime(path, (1000, 1000))
    new = cache.store(f"{0:040x}", b"0" * 5000)
    assert [path.exists() for path in others] == [False, False, True]
    assert new.exists()


def test_a_tally_that_cannot_be_written_to_is_made_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE_CACHE_BYTES", "3000")
    (folder / "kernels" / "tally").mkdir(parents=True)
    paths = [cache.store(f"{number:040x}", bytes([number]) * 1000) for number in range(5)]
    assert 2 <= sum(path.exists() for path in paths) <= 3


def test_generated_code_that_does_not_compile_is_a_defect() -> None:
    with pytest.raises(InternalError) as caught:
        cache.shared_library("int answer(void) { return nothing; }", "1")
    assert "The generated C does not compile with" in str(caught.value)
    assert "nothing" in str(caught.value)
    assert "please report it" in str(caught.value)


def test_a_compiler_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = toolchain.discover()
    monkeypatch.setattr(toolchain, "_TIMEOUT_SECONDS", 0.0001)
    with pytest.raises(CompileError, match="did not finish this kernel within 0 s") as caught:
        toolchain.build(compiler, TEXT)
    assert caught.value.diagnostics[0].code == "runtime/compile-timeout"


def test_no_compiler_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "_candidates", lambda: [("/does/not/exist",)])
    with pytest.raises(CompileError, match="No C compiler works on this machine") as caught:
        toolchain._discover.__wrapped__("native")
    assert caught.value.diagnostics[0].hint == (
        'Install one with: pip install heddle-sparse[cc]. target="interpreter" needs none.'
    )


def test_the_environment_chooses_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"{sys.executable} -m ziglang cc")
    assert toolchain._candidates()[0][1:] == ("-m", "ziglang", "cc")


@pytest.mark.parametrize("installed", [True, False])
def test_the_wheel_is_the_last_choice_where_it_is_installed(monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(zig_wheel, "program", lambda: Path("/wheels/ziglang/zig") if installed else None)
    wheel = ("/wheels/ziglang/zig", "cc")
    assert (toolchain._candidates()[-1:] == [wheel]) is installed
    assert (wheel in toolchain._candidates()) is installed


def test_probing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    first = toolchain._discover.__wrapped__("native")
    monkeypatch.setattr(toolchain, "probe", lambda *_: pytest.fail("probed again"))
    assert toolchain._discover.__wrapped__("native") == first


@pytest.mark.parametrize("flags", ["_COMMON_FLAGS", "_GCC_FLAGS"])
def test_a_compiler_is_probed_anew_when_its_flags_change(flags: str, monkeypatch: pytest.MonkeyPatch) -> None:
    command = (sys.executable,)
    before = toolchain._memory_file(command, "native")
    monkeypatch.setattr(toolchain, flags, ("-O1",))
    assert toolchain._memory_file(command, "native") != before


@pytest.mark.slow
def test_the_wheel_compiles_where_nothing_else_is_installed() -> None:
    program = zig_wheel.program()
    if program is None:
        pytest.skip("ziglang is not installed")
    zig = toolchain.probe((str(program), "cc"))
    assert answer(cache.shared_library(TEXT, "1", zig)) == 42
    if toolchain.intel_openmp() is None:
        assert zig.describe().endswith("without OpenMP: kernels run on one thread")
    else:
        assert zig.describe().endswith("with OpenMP (libiomp5)")
