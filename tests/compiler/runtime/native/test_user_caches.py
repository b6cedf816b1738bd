"""An installation keeps its kernels in the user's folder of caches, and a checkout in its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle.diagnostics import CompileError
from heddle.runtime.native import cache_folder
from heddle.runtime.native.cache_folder import cache_root, user_caches

HOME = Path("/home/ada")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/ada/.cache"),
        ("linux", {"XDG_CACHE_HOME": "/scratch/ada"}, "/scratch/ada"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/ada/.cache"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/ada/.cache"),
        ("darwin", {}, "/home/ada/Library/Caches"),
        ("win32", {"LOCALAPPDATA": "/c/Users/ada/AppData/Local"}, "/c/Users/ada/AppData/Local"),
        ("win32", {}, "/home/ada/AppData/Local"),
    ],
)
def test_the_folder_of_each_system(platform: str, environment: dict[str, str], folder: str) -> None:
    assert user_caches(platform, environment, lambda: HOME) == Path(folder)


def test_a_user_without_a_home_is_told_what_to_set() -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    with pytest.raises(CompileError, match="There is no folder in which compiled kernels could be kept") as caught:
        user_caches("linux", {}, homeless)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/cache-folder"
    assert diagnostic.hint == "Set HEDDLE_CACHE to a folder that this user can write to."


def test_only_a_checkout_keeps_kernels_beside_the_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HEDDLE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert cache_root() == cache_folder.REPOSITORY / "kernels_cache" / "objects"
    monkeypatch.setattr(cache_folder, "REPOSITORY", tmp_path / "site-packages")
    assert cache_root() == tmp_path / "caches" / "heddle"
    monkeypatch.setenv("HEDDLE_CACHE", "/elsewhere")
    assert cache_root() == Path("/elsewhere")
