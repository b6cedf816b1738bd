"""The cache of runs after a run: nothing of a stranger stays, and all of it together stays within its bound."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from heddle.runtime.native.cache_room import list_entries
from heddle_server.engine.children import run_cache
from heddle_server.engine.children.run_cache import tidy_run_cache

NOW = 1_800_000_000.0
OURS = (
    f"kernels/a/{'a' * 40}.{'0' * 32}.so",
    "kernels/tally",
    "seal-0.key",
    f"toolchains/{'b' * 24}.json",
    f"machine/stream-{'c' * 16}.json",
    "opencl-vendors/intel.icd",
    "zig/o/1/libc.a",
    "cupy/kernel.cubin",
)
TALLY = "kernels/tally"
NOTES, NOTE_BYTES = 32, 64 << 10
"""As many as are kept, and as large."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path))
    monkeypatch.setenv("HEDDLE_CACHE_BYTES", str(2_000_000))
    folder = tmp_path / "runs"
    for name in OURS:
        put(folder, name)
    return folder


def put(folder: Path, name: str, size: int = 10, used: float = NOW) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    os.utime(path, (used, used))
    return path


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file()}


def test_what_a_stranger_left_goes(cache: Path) -> None:
    for name in ("fill-0", "kernels/a/fill.so", "kernels/notes.txt", "machine/fill.json", "deep/er/x", ".tmp-old"):
        put(cache, name, used=NOW - 1000)
    put(cache, "toolchains/.tmp-ahead", used=NOW + 1000)
    put(cache, f"machine/region-{'d' * 16}.json", size=3 << 20)
    (cache / "toolchains" / f"{'e' * 24}.json").symlink_to("/etc/passwd")
    put(cache, "kernels/a/.tmp-now", used=NOW - 1)
    tidy_run_cache(NOW)
    assert names(cache) == {*OURS, "kernels/a/.tmp-now"}


def test_names_that_are_ours_hold_no_more_than_ours_do(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """100 MB of them stayed: notes of a megabyte each, a tally without an end, as many as a stranger liked."""
    monkeypatch.setenv("HEDDLE_CACHE_BYTES", str(64 << 20))
    for number in range(3 * NOTES):
        put(cache, f"toolchains/{number:024x}.json", size=NOTE_BYTES, used=NOW - 1)
        put(cache, f"machine/fill-{number:016x}.json", size=NOTE_BYTES + 1)
    put(cache, TALLY, size=10 << 20)
    put(cache, "opencl/tally", size=100 << 20, used=NOW - 1)
    tidy_run_cache(NOW)
    assert "kernels/tally" in names(cache)
    assert len([name for name in names(cache) if name.endswith((".json", ".key", ".icd"))]) == NOTES
    assert sum(entry.size for entry in list_entries(cache)) < (NOTES + 1) * NOTE_BYTES
    assert (cache / TALLY).stat().st_size <= NOTE_BYTES


def test_what_is_dated_ahead_is_the_first_to_go(cache: Path) -> None:
    for number in range(8):
        put(cache, f"kernels/b/{number:040x}.{'0' * 32}.so", size=400_000, used=NOW + 10_000)
    kernel = put(cache, f"kernels/b/{'a' * 40}.{'0' * 32}.so", size=400_000, used=NOW - 1000)
    for number in range(NOTES):
        put(cache, f"toolchains/{number:024x}.json", used=NOW + 10_000)
    tidy_run_cache(NOW)
    assert kernel.exists()
    assert set(OURS) <= names(cache)


def test_what_is_no_file_goes_and_so_do_folders_of_strangers(cache: Path) -> None:
    """A pipe by the name of a kernel kept the next run waiting; nobody looked into folders without modes."""
    os.mkfifo(cache / "kernels" / "a" / f"{'f' * 40}.{'0' * 32}.so")
    (cache / "kernels" / "a" / f"{'e' * 40}.{'0' * 32}.so").mkdir()
    put(cache, "opencl/shut/fill").parent.chmod(0)
    (cache / "pocl").mkdir()
    with contextlib.chdir(cache / "pocl"):
        for _ in range(60):
            os.mkdir("d" * 120)
            os.chdir("d" * 120)
        Path("fill").touch()
    tidy_run_cache(NOW)
    assert names(cache) == set(OURS)
    assert not (cache / "opencl" / "shut").exists()


def test_files_without_bytes_are_bounded_by_their_number(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run after one that left 20,000 took seconds to look at them."""
    monkeypatch.setattr(run_cache, "MOST_IN_TREES", 10)
    for number in range(30):
        put(cache, f"cupy/{number}", size=0, used=NOW - 100 + number)
    tidy_run_cache(NOW)
    assert len([name for name in names(cache) if name.startswith(("cupy", "zig"))]) == 10
    assert set(OURS) <= names(cache)


def test_empty_folders_go_once_nobody_can_be_filling_them(cache: Path) -> None:
    for name, age in (("zig/old", 1000), ("zig/new", 1), ("zig/ahead", -1000)):
        (cache / name).mkdir()
        os.utime(cache / name, (NOW - age, NOW - age))
    tidy_run_cache(NOW)
    assert {path.name for path in (cache / "zig").iterdir()} == {"o", "new"}


def test_kernels_of_runs_stay_within_the_bound_of_the_cache(cache: Path) -> None:
    """Those unused longest go first, and what takes seconds to make again goes last."""
    for number in range(8):
        put(cache, f"kernels/b/{number:040x}.{'0' * 32}.so", size=400_000, used=NOW - number)
    put(cache, "zig/o/2/libc.a", size=400_000, used=NOW - 10_000)
    tidy_run_cache(NOW)
    kernels = {f"kernels/b/{number:040x}.{'0' * 32}.so" for number in range(2)}
    assert names(cache) == {*OURS, *kernels, "zig/o/2/libc.a"}


def test_no_cache_is_tidy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path / "none"))
    tidy_run_cache(NOW)
    assert not (tmp_path / "none").exists()
