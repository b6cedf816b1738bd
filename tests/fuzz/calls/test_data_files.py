"""A file of data that a stranger sends is read, or refused with a diagnostic; nothing else is ever raised."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heddle.diagnostics import CompileError
from heddle.runtime.data_files.matrix_market import read_mtx
from heddle.runtime.data_files.smtx import read_smtx
from heddle.runtime.data_files.tns import read_tns
from heddle.runtime.tensors.coordinates import Entries

READERS: dict[str, Callable[[Path], Entries]] = {"mtx": read_mtx, "tns": read_tns, "smtx": read_smtx}

WORDS = "%%MatrixMarket matrix coordinate array real integer pattern complex symmetric skew-symmetric hermitian general"
STRANGE = "1e400 -0 nan inf 1_0 0x1 ٣ +1 . 1.5 -1e-320 999999999999999999999999 9223372036854775808"
numbers = st.one_of(st.integers(-3, 12).map(str), st.sampled_from(STRANGE.split()))
pieces = st.one_of(numbers, st.sampled_from([*WORDS.split(), "%", "#", ",", "\x00", "é"]))
lines = st.lists(pieces, max_size=5).map(" ".join)
BANNER = "%%MatrixMarket matrix "
KINDS = (
    "coordinate real general, coordinate pattern symmetric, array complex hermitian, coordinate integer skew-symmetric"
)
banners = st.sampled_from(["", *(BANNER + kind for kind in KINDS.split(", "))])
texts = st.builds(
    lambda banner, rest, end: end.join([banner, *rest]).encode(),
    banners,
    st.lists(lines, max_size=8),
    st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\v"]),
)
tables = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=4), max_size=6).map(
    lambda rows: "\n".join(" ".join(map(str, row)) for row in rows).encode()
)


@pytest.mark.parametrize("kind", READERS)
@given(content=st.one_of(texts, tables, st.binary(max_size=200)))
def test_files(kind: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{kind}"
        path.write_bytes(content)
        try:
            entries = READERS[kind](path)
        except CompileError:
            return
    assert len(entries.columns) == len(entries.shape)
    for column, size in zip(entries.columns, entries.shape, strict=True):
        assert len(column) == len(entries.values)
        assert ((column >= 0) & (column < size)).all()
