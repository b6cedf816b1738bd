"""Compressed uploads: unpacked in pieces, under a limit, and known by what they hold."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heddle_server.problem import ProblemError
from heddle_server.services.data import uploads
from heddle_server.services.data.uploads import Arrived, UploadStore, kind_of
from heddle_server.settings import Settings
from tests.backend.test_datasets import MTX

ROOM = 1 << 30


async def arrived(store: UploadStore, content: bytes) -> Arrived:
    async def chunks() -> AsyncIterator[bytes]:
        yield content

    return await store.receive(chunks(), ROOM)


@pytest.fixture
def store(tmp_path: Path) -> UploadStore:
    made = UploadStore(Settings(data_directory=tmp_path, unpacked_bytes=100_000))
    made.prepare()
    return made


def left(tmp_path: Path) -> int:
    return len(list((tmp_path / "uploads" / "incoming").iterdir()))


async def test_a_packed_file_is_known_by_what_it_holds(store: UploadStore, tmp_path: Path) -> None:
    plain = store.unpack(await arrived(store, gzip.compress(MTX)), ROOM)
    assert plain.sha256 == hashlib.sha256(MTX).hexdigest()
    assert plain.path.read_bytes() == MTX
    assert plain.size == len(MTX)
    assert left(tmp_path) == 1


async def test_a_bomb_is_refused_at_the_limit(store: UploadStore, tmp_path: Path) -> None:
    bomb = await arrived(store, gzip.compress(bytes(50_000_000)))
    assert bomb.size < 100_000
    with pytest.raises(ProblemError, match="unpacks to more than 100,000 bytes"):
        store.unpack(bomb, ROOM)
    assert left(tmp_path) == 1


async def test_a_file_that_packs_too_well_is_refused_before_it_fills_the_disk(
    store: UploadStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "UNPACKED_FREELY", 10_000)
    packed = await arrived(store, gzip.compress(bytes(90_000)))
    assert packed.size < 10_000 / uploads.UNPACKED_RATIO
    monkeypatch.setattr(uploads, "FLUSH_BYTES", 1000)
    with pytest.raises(ProblemError, match="unpacks to more than 10,000, which no data file does"):
        store.unpack(packed, ROOM)
    # Data that pack as text does are let in however large they are.
    text = b"".join(b"%d %d 0.%d\n" % (n, n * 7 % 1000, n * 7919 % 100_003) for n in range(4000))
    assert store.unpack(await arrived(store, gzip.compress(text)), ROOM).size == len(text) > 10_000
    assert left(tmp_path) == 2


async def test_what_is_larger_than_the_room_left_is_refused_on_its_way(store: UploadStore, tmp_path: Path) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield MTX
        pytest.fail("the rest was read")

    with pytest.raises(ProblemError, match=f"There is room for {2 * len(MTX)} bytes more"):
        await store.receive(chunks(), 2 * len(MTX))
    assert left(tmp_path) == 0
    assert store.arriving == 0
    packed = await arrived(store, gzip.compress(MTX * 50))
    with pytest.raises(ProblemError, match="There is room for 100 bytes more"):
        store.unpack(packed, 100)
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
    with pytest.raises(ProblemError, match="it is not a complete gzip file"):
        store.unpack(packed, ROOM)
    assert left(tmp_path) == 1


@pytest.mark.parametrize("name", ["a.mtx.gz", "A.TNS", "b.smtx", "b.smtx.GZ"])
def test_kinds(name: str) -> None:
    assert kind_of(name) in ("mtx", "tns", "smtx")


@pytest.mark.parametrize("name", ["a.gz", ".mtx.gz", "a.mtx.gz.gz", "a.tar.gz", "mtx", "a.mtx.zip"])
def test_other_kinds_are_named(name: str) -> None:
    with pytest.raises(ProblemError, match=r"Expected a name that ends in \.mtx"):
        kind_of(name)
