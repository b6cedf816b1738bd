"""Copies of data at a worker: whole or not at all, named by their hash, and bounded."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from heddle_server.engine.cluster.data_copies import DataCopies


def name_of(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()}.mtx"


def arrive(copies: DataCopies, content: bytes) -> Path:
    name, half = name_of(content), len(content) // 2
    assert copies.find(name) is None
    copies.write(name, 0, content[:half])
    copies.write(name, half, content[half:])
    return copies.complete(name)


def test_a_copy_is_there_when_it_is_whole(tmp_path: Path) -> None:
    copies = DataCopies(tmp_path, 1000)
    path = arrive(copies, b"abcdef")
    assert path.read_bytes() == b"abcdef"
    assert copies.find(path.name) == path


def test_a_copy_that_was_cut_off_begins_anew(tmp_path: Path) -> None:
    copies = DataCopies(tmp_path, 1000)
    copies.write(name_of(b"abcdef"), 0, b"abcdefgh")
    assert arrive(copies, b"abcdef").read_bytes() == b"abcdef"


def test_a_damaged_copy_is_not_kept(tmp_path: Path) -> None:
    copies = DataCopies(tmp_path, 1000)
    copies.write(name_of(b"good"), 0, b"evil")
    with pytest.raises(ValueError, match="arrived damaged"):
        copies.complete(name_of(b"good"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../x.mtx", "x.mtx", "a" * 64, "a" * 64 + ".mtx/../../y", ""])
def test_a_name_that_is_no_hash_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a copy"):
        DataCopies(tmp_path, 1000).write(name, 0, b"x")


def test_room_is_made_by_what_was_used_longest_ago(tmp_path: Path) -> None:
    copies = DataCopies(tmp_path, 25)
    old, used = arrive(copies, b"0123456789"), arrive(copies, b"abcdefghij")
    os.utime(old, (1, 1))
    os.utime(used, (2, 2))
    assert copies.find(old.name) == old  # Used again, so the other one is the oldest now.
    newest = arrive(copies, b"ABCDEFGHIJ")
    assert {path.name for path in tmp_path.iterdir()} == {old.name, newest.name}
