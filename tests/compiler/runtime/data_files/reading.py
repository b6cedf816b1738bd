"""Files of a few lines, as the readers take them."""

from pathlib import Path

import pytest

from heddle.diagnostics import CompileError
from heddle.runtime.data_files.data_file import ReadLimits
from heddle.runtime.data_files.matrix_market import read_mtx
from heddle.runtime.data_files.tns import read_tns
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries

ROOT = Path(__file__).resolve().parents[4]
BANNER = "%%MatrixMarket matrix coordinate real general\n"


def mtx(tmp_path: Path, text: str | bytes, limits: ReadLimits | None = None) -> Entries:
    path = tmp_path / "m.mtx"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_mtx(path, limits)


def tns(tmp_path: Path, text: str, **options: object) -> Entries:
    path = tmp_path / "t.tns"
    path.write_text(text)
    return read_tns(path, **options)


def dense(entries: Entries) -> list[list[float]]:
    return pack(entries, "dense,dense").to_numpy().tolist()


def refusal(action: object, *arguments: object) -> tuple[str, str]:
    with pytest.raises(CompileError) as caught:
        action(*arguments)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.expected or diagnostic.code == "input/truncated"
    assert diagnostic.hint
    return diagnostic.code.removeprefix("input/"), diagnostic.message
