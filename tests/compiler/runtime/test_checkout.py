"""What the program is called in hints: ./heddle in a checkout, heddle where it is installed."""

from __future__ import annotations

from pathlib import Path

from heddle.runtime import checkout


def test_a_checkout_has_a_program_of_its_own(tmp_path: Path) -> None:
    assert checkout.is_checkout(checkout.REPOSITORY)
    assert checkout.PROGRAM == "./heddle"
    (tmp_path / "heddle").mkdir()  # the package, beside which kernels may be kept by chance
    (tmp_path / "kernels_cache").mkdir()
    assert not checkout.is_checkout(tmp_path)
