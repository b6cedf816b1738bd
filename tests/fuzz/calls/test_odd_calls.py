"""Odd calls end in an answer or in an exception of Heddle's, drawn with a seed."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import heddle as hd
from tests.fuzz.calls.odd_calls import odd_calls


@pytest.mark.parametrize("seed", range(1, 21))
@pytest.mark.combinations(20)
def test_no_exception_but_ours(seed: int, tmp_path: Path) -> None:
    for text, call in odd_calls(seed, 300, tmp_path):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call()
        except hd.InternalError as error:
            pytest.fail(f"{text}: {error}")
        except hd.HeddleError:
            continue
        except Exception as error:
            raise AssertionError(f"{text} raises {type(error).__name__}") from error
