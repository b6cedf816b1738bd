"""The cache of runs after a run: nothing of a stranger stays, and all of it together stays within its bound."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
)


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
