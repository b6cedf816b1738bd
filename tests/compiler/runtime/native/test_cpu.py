"""What is said of processors whose text is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heddle.runtime.native import cpu

INTEL = {"vendor_id": "GenuineIntel", "flags": "fpu avx512dq avx512vl"}


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    cpu.gathers_fast.cache_clear()
    yield
    cpu.gathers_fast.cache_clear()


@pytest.mark.parametrize(
    ("info", "mitigation", "fast"),
    [
        (INTEL, "Not affected\n", True),
        (INTEL, "Mitigation: Microcode\n", False),
        (INTEL, None, False),
        ({**INTEL, "flags": "fpu avx2"}, "Not affected\n", False),
        ({**INTEL, "vendor_id": "AuthenticAMD"}, "Not affected\n", False),
    ],
)
def test_gathers_are_fast_where_nothing_slows_them_down(
    info: dict[str, str], mitigation: str | None, fast: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "gather_data_sampling"
    if mitigation is not None:
        told.write_text(mitigation)
    monkeypatch.setattr(cpu, "_cpuinfo", lambda: info)
    monkeypatch.setattr(cpu, "_MITIGATION", told)
    assert cpu.gathers_fast() is fast
