"""Compressed uploads: unpacked in pieces, under bounds on what goes in, on what comes out and on members, and known by
what they hold."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from heddle_server.engine.children import unpacking
from heddle_server.engine.children.unpacking import BYTES_OF_A_MEMBER, MEMBERS_FREELY, Bounds, Reason, Refused, unpack
from heddle_server.problem import ProblemError
from heddle_server.services.data.readings import not_unpacked
from heddle_server.services.data.uploads import UploadStore, arrive, kind_of
from heddle_server.settings import Settings
from tests.backend.datasets.test_datasets import MTX

BOUNDS = Bounds(unpacked=100_000, room=1 << 30, free_disk=0)
EMPTY_MEMBER = gzip.compress(b"", 1)


class Unpacking:
    def __init__(self, folder: Path) -> None:
        self.packed, self.plain = folder / "packed", folder / "plain"
        self.plain.touch()

    def __call__(self, content: bytes, bounds: Bounds = BOUNDS, member: str | None = None) -> bytes:
        self.packed.write_bytes(content)
        unpack(self.packed, self.plain, bounds, member)
        return self.plain.read_bytes()

    def refusal(self, content: bytes, bounds: Bounds = BOUNDS, member: str | None = None) -> str:
        """What a person reads."""
        with pytest.raises(Refused) as refused:
            self(content, bounds, member)
        told = refused.value
        return not_unpacked(len(content), {"reason": told.reason, "bound": told.bound, "what": told.what}).detail


@pytest.fixture
def unpacked(tmp_path: Path) -> Unpacking:
    return Unpacking(tmp_path)


def tar(*members: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def test_a_packed_file_is_known_by_what_it_holds(unpacked: Unpacking) -> None:
    assert unpacked(gzip.compress(MTX)) == MTX
    plain = arrive(unpacked.plain)
    assert (plain.sha256, plain.size) == (hashlib.sha256(MTX).hexdigest(), len(MTX))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"".join(gzip.compress(MTX[place : place + 9]) for place in range(0, len(MTX), 9)), id="members"),
        pytest.param(gzip.compress(MTX) + EMPTY_MEMBER + bytes(100_000), id="an empty one and zeros behind"),
        pytest.param(gzip.compress(MTX) + bytes(70_000) + EMPTY_MEMBER, id="zeros between members"),
        pytest.param(gzip.compress(MTX[:9]) + b"\0" + gzip.compress(MTX[9:]), id="a zero between members"),
    ],
)
def test_all_members_are_read(unpacked: Unpacking, content: bytes) -> None:
    assert unpacked(content) == MTX == gzip.decompress(content)


def test_a_bomb_is_refused_at_the_limit(unpacked: Unpacking) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    assert len(bomb) < 100_000
    assert unpacked.refusal(bomb) == "The file unpacks to more than 100,000 bytes, which is the limit."
    assert unpacked.plain.stat().st_size <= 100_000 + unpacking.PIECE_BYTES


def test_members_that_hold_nothing_are_counted(unpacked: Unpacking) -> None:
    """Three million of them, 60 MB, took 40 s, and nothing came out that a limit could have counted."""
    many = EMPTY_MEMBER * (MEMBERS_FREELY + 100)
    most = MEMBERS_FREELY + len(many) // BYTES_OF_A_MEMBER
    assert unpacked.refusal(many) == f"The file consists of more than {most:,} parts, each packed by itself. " \
        "Pack it in one piece."  # fmt: skip
    # As programs make them that pack in parallel.
    members = gzip.compress(MTX + zlib.compress(bytes(range(256)) * 4)) * (MEMBERS_FREELY + 100)
    assert len(unpacked(members, replace(BOUNDS, unpacked=1 << 30))) > len(MTX) * MEMBERS_FREELY


def test_members_of_a_tar_file_are_counted(unpacked: Unpacking, monkeypatch: pytest.MonkeyPatch) -> None:
    """60,000 empty ones before the wanted one took 25 s."""
    monkeypatch.setattr(unpacking, "MOST_TAR_MEMBERS", 5)
    others = [(f"m/{number}", b"") for number in range(5)]
    assert unpacked(tar(*others[:4], ("m/m.mtx", MTX)), member="m/m.mtx") == MTX
    assert "more than 5 parts" in unpacked.refusal(tar(*others, ("m/m.mtx", MTX)), member="m/m.mtx")
    assert unpacked.refusal(tar(*others), member="m/m.mtx") == "There is no m/m.mtx in the download."


def test_what_stands_before_a_member_of_a_tar_file_counts_as_unpacked(unpacked: Unpacking) -> None:
    before = tar(("m/other", bytes(200_000)), ("m/m.mtx", MTX))
    assert "unpacks to more than 100,000 bytes" in unpacked.refusal(before, member="m/m.mtx")


def test_names_of_names_in_a_tar_file_are_damage(unpacked: Unpacking) -> None:
    """Each says that the next is longer; Python reads them by calling itself."""
    plain = io.BytesIO()
    entry = tarfile.TarInfo("././@LongLink")
    entry.type = tarfile.GNUTYPE_LONGNAME
    for _ in range(5000):
        plain.write(entry.tobuf(tarfile.USTAR_FORMAT))
    bounds = replace(BOUNDS, unpacked=1 << 30)
    assert "not a complete gzip file" in unpacked.refusal(gzip.compress(plain.getvalue()), bounds, member="m/m.mtx")


def test_a_file_that_packs_too_well_is_refused_before_it_fills_the_disk(
    unpacked: Unpacking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "UNPACKED_FREELY", 10_000)
    packed = gzip.compress(bytes(90_000))
    assert len(packed) < 10_000 / unpacking.UNPACKED_RATIO
    monkeypatch.setattr(unpacking, "PIECE_BYTES", 1000)
    assert "unpacks to more than 10,000, which no data file does" in unpacked.refusal(packed)
    assert unpacked.plain.stat().st_size <= 11_000
    # Data that pack as text does are let in however large they are.
    text = b"".join(b"%d %d 0.%d\n" % (n, n * 7 % 1000, n * 7919 % 100_003) for n in range(4000))
    assert len(unpacked(gzip.compress(text))) == len(text) > 10_000


async def test_what_is_larger_than_the_room_left_is_refused_on_its_way(unpacked: Unpacking, tmp_path: Path) -> None:
    store = UploadStore(Settings(data_directory=tmp_path))
    store.prepare()

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield MTX
        pytest.fail("the rest was read")

    with pytest.raises(ProblemError, match=f"There is room for {2 * len(MTX)} bytes more"):
        await store.receive(chunks(), 2 * len(MTX))
    assert list((tmp_path / "uploads" / "incoming").iterdir()) == []
    assert store.arriving == 0
    assert "There is room for 100 bytes more" in unpacked.refusal(gzip.compress(MTX * 50), replace(BOUNDS, room=100))


def test_nothing_is_unpacked_onto_a_full_disk(unpacked: Unpacking) -> None:
    with pytest.raises(Refused) as refused:
        unpacked(gzip.compress(MTX), replace(BOUNDS, free_disk=1 << 60))
    assert refused.value.reason is Reason.DISK
    problem = not_unpacked(9, {"reason": Reason.DISK, "bound": 0, "what": ""})
    assert (problem.status, problem.title) == (507, "The disk is full")


@pytest.mark.parametrize(
    "content",
    # Named: the packed bytes tell the time, and processes that share the suite must find the same tests.
    [
        pytest.param(MTX, id="not packed"),
        pytest.param(b"", id="nothing"),
        pytest.param(gzip.compress(MTX * 50)[:-9], id="cut off"),
        pytest.param(b"\x1f\x8b\x08\x00" + bytes(40), id="a head alone"),
        pytest.param(gzip.compress(MTX) + MTX, id="something else behind it"),
        pytest.param(gzip.compress(MTX)[:-5] + b"wrong", id="another sum"),
    ],
)
def test_a_damaged_file_is_named(unpacked: Unpacking, content: bytes) -> None:
    assert "it is not a complete gzip file" in unpacked.refusal(content)


@pytest.mark.parametrize("name", ["a.mtx.gz", "A.TNS", "b.smtx", "b.smtx.GZ"])
def test_kinds(name: str) -> None:
    assert kind_of(name) in ("mtx", "tns", "smtx")


@pytest.mark.parametrize("name", ["a.gz", ".mtx.gz", "a.mtx.gz.gz", "a.tar.gz", "mtx", "a.mtx.zip"])
def test_other_kinds_are_named(name: str) -> None:
    with pytest.raises(ProblemError, match=r"Expected a name that ends in \.mtx"):
        kind_of(name)
