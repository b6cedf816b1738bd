"""GenTen's MTTKRP forms give what NumPy gives, for every order, mode and tile (docs/sources.toml G5 to G10)."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.runtime.devices.opencl_devices import CHOICE, OpenClDevice, devices
from heddle.tuning.rules.gpu.mttkrp import Form, Tile, mttkrp, tile
from tests.differential.check import check
from tests.differential.gpu.cuda_text import check_text, needs_nvrtc

TABLE = {
    1: (1, 1),
    2: (2, 2),
    3: (2, 4),
    4: (4, 4),
    5: (4, 8),
    7: (4, 8),
    8: (8, 8),
    9: (8, 16),
    16: (8, 16),
    17: (8, 24),
    24: (8, 24),
    25: (8, 32),
    47: (8, 32),
    48: (16, 48),
    49: (16, 64),
    95: (16, 64),
    96: (32, 96),
    97: (32, 128),
    500: (32, 128),
}
SIZES = {3: {"i": 5, "k": 4, "l": 6}, 4: {"i": 4, "k": 3, "l": 2, "m": 3}, 5: {"i": 3, "k": 2, "l": 2, "m": 2, "n": 3}}
CASES = [(order, form, mode) for order in SIZES for form in Form for mode in (0, 1, order - 1)]


@pytest.mark.parametrize("rank", TABLE)
def test_tiles_are_those_of_the_table(rank: int) -> None:
    assert tile(rank) == Tile(*TABLE[rank])


@pytest.mark.combinations(4, "order", "form", "mode")
@pytest.mark.parametrize(("order", "form", "mode"), CASES)
def test_the_result_is_right(order: int, form: Form, mode: int) -> None:
    """Members of 3 nonzeros, 8 threads a block, and 5 columns, which the tile of 8 does not divide."""
    made = mttkrp(order, form, 5, mode, entries=3, threads=8)
    check(
        made.expression, made.formats, "\n".join(made.schedule), targets=("interpreter",), sizes=SIZES[order] | {"j": 5}
    )


@pytest.mark.combinations(4, "rank", "columns")
@pytest.mark.parametrize("rank", [1, 2, 3, 9, 17])
@pytest.mark.parametrize("columns", [1, 7])
def test_any_number_of_columns_is_computed(rank: int, columns: int) -> None:
    for form in Form:
        made = mttkrp(3, form, rank, entries=2, threads=16)
        sizes = SIZES[3] | {"j": columns}
        check(made.expression, made.formats, "\n".join(made.schedule), targets=("interpreter",), sizes=sizes)


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.skipif(not devices(), reason="there is no OpenCL device: no wheel of a runtime for this machine")
@pytest.mark.parametrize("device", devices(), ids=lambda device: device.platform)
@pytest.mark.parametrize("form", Form)
def test_opencl(form: Form, device: OpenClDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiles and members that GenTen chooses, with several blocks of nonzeros and two blocks of columns."""
    monkeypatch.setenv(CHOICE, device.platform)
    made = mttkrp(3, form, 33, mode=1)
    sizes = {"i": 31, "k": 17, "l": 29, "j": 35}
    check(made.expression, made.formats, "\n".join(made.schedule), targets=("opencl",), sizes=sizes)


@pytest.mark.combinations(4, "order", "form")
@needs_nvrtc
@pytest.mark.parametrize("order", SIZES)
@pytest.mark.parametrize("form", Form)
def test_cuda_compiles_for_two_architectures(order: int, form: Form) -> None:
    made = mttkrp(order, form, 64)
    check_text(hd.lower(made.expression, made.formats, made.schedule, "cuda"))
