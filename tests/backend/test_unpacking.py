"""Compressed uploads: unpacked in pieces, under a limit, and known by what they hold."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from backend.problem import ProblemError
from backend.services.uploads import Arrived, UploadStore, kind_of
from backend.settings import Settings
from tests.backend.test_datasets import MTX


async def arrived(store: UploadStore, content: bytes) -> Arrived:
    async def chunks() -> AsyncIterator[bytes]:
        yield content

    return await store.receive(chunks())


@pytest.fixture
def store(tmp_path: Path) -> UploadStore:
    made = UploadStore(Settings(data_directory=tmp_path, unpacked_bytes=100_000))
    made.prepare()
    return made


def left(tmp_path: Path) -> int:
    return len(list((tmp_path / "uploads" / "incoming").iterdir()))


async def test_a_packed_file_is_known_by_what_it_holds(store: UploadStore, tmp_path: Path) -> None:
    plain = store.unpack(await arrived(store, gzip.compress(MTX)))
    assert plain.sha256 == hashlib.sha256(MTX).hexdigest()
    assert plain.path.read_bytes() == MTX
    assert plain.size == len(MTX)
    assert left(tmp_path) == 1


async def test_a_bomb_is_refused_at_the_limit(store: UploadStore, tmp_path: Path) -> None:
    bomb = await arrived(store, gzip.compress(bytes(50_000_000)))
    assert bomb.size < 100_000
    with pytest.raises(ProblemError, match="unpacks to more than 100,000 bytes"):
        store.unpack(bomb)
    assert left(tmp_path) == 1


@pytest.mark.parametrize(
    "content",
    # Named: the packed bytes tell the time, and processes that share the suite must find the same tests.
    [
        pytest.param(MTX, id="not packed"),
        pytest.param(gzip.compress(MTX * 50)[:-9], id="cut off"),
        pytest.param(b"\x1f\x8b\x08\x00" + bytes(40), id="a head alone"),
    ],
)
async def test_a_damaged_file_is_named(store: UploadStore, tmp_path: Path, content: bytes) -> None:
    packed = await arrived(store, content)
    with pytest.raises(ProblemError, match="it is not a whole gzip file"):
        store.unpack(packed)
    assert left(tmp_path) == 1


@pytest.mark.parametrize("name", ["a.mtx.gz", "A.TNS", "b.smtx", "b.smtx.GZ"])
def test_kinds(name: str) -> None:
    assert kind_of(name) in ("mtx", "tns", "smtx")


@pytest.mark.parametrize("name", ["a.gz", ".mtx.gz", "a.mtx.gz.gz", "a.tar.gz", "mtx", "a.mtx.zip"])
def test_other_kinds_are_named(name: str) -> None:
    with pytest.raises(ProblemError, match=r"Expected a name that ends in \.mtx"):
        kind_of(name)
