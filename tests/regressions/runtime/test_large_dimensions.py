"""Dimensions of 2^40 with few entries: stored where the format has room for that, else refused, and never allocated."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

import heddle as hd
from heddle.formats.levels.parts import _starts_between, starts_of
from heddle.formats.presets import presets_for
from heddle.runtime.memory import allocation_limit, result_buffers

LIMIT = 128 << 20
HUGE, LARGE = 2**40, 2**33
SHAPES = ((HUGE, HUGE), (HUGE, 3), (3, HUGE), (LARGE, LARGE), (LARGE, 3), (3, LARGE), (2**62, 2**62))
FORMATS = (
    *(preset.name for preset in presets_for(2)),
    "dense, chunks(4)",
    "dense, ragged",
    "dense, padded",
    "dense, bitmap",
    "dense, hashed",
    "bitmap, bitmap",
    "hashed, hashed",
    "dense, offset : 1,0",
    "dia(4)",
    "srbcrs(4,2)",
    "hyb(1,3)",
    "parts(4), parts(4), compressed(nonunique), padded(2) : 0,1,0,1",
    "parts(4,even), compressed, compressed : 0,0,1",
    "compressed, compressed, dense(4), bitmap(4) : 0,1,0,1",
    "bcsr(4,4) where tile(4,4) >= 8 + csr",
)


@pytest.fixture(autouse=True)
def small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with little memory, so that what would be allocated is refused here as it is for larger numbers."""
    monkeypatch.setattr(allocation_limit, "_physical_memory", lambda: LIMIT)


def entries(shape: tuple[int, ...]) -> tuple[object, ...]:
    return tuple(np.array([0, min(2, size - 1)]) for size in shape), np.array([1.0, 2.0]), shape


def attempt(action: Callable[[], object]) -> object:
    """The answer, or None where it is too large; either way nothing of that size was asked for."""
    tracemalloc.start()
    try:
        answer = action()
    except hd.OperandError as error:
        answer, refusal = None, error.diagnostics[0]
        if (refusal.code, refusal.expected) != ("runtime/too-large", "at most 128.0 MiB"):
            raise
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 5 * LIMIT
    return answer


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.combinations(4, "format", "shape")
def test_no_format_allocates_what_does_not_fit(format: str, shape: tuple[int, int]) -> None:
    packed = attempt(lambda: hd.pack(entries(shape), format))
    if packed is None:
        return
    hd.validate(packed)
    coordinates, values = packed.to_coo()
    stored = {(int(row), int(column)) for row, column, value in zip(*coordinates, values, strict=True) if value}
    assert stored == set(zip(*map(np.ndarray.tolist, entries(shape)[0]), strict=True))
    assert attempt(packed.to_numpy) is None
    for other in ("csr", "dcsr", "dense", "ell", "dia", "bcsr(4,4)", "sell(8)"):
        attempt(lambda other=other: hd.convert(packed, other))


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize("shape", [(HUGE, HUGE), (HUGE, 3), (LARGE, 3)])
def test_results_that_do_not_fit_are_refused(shape: tuple[int, int], target: str) -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "dcsr", "x": "sparse"}, "", target)
    with pytest.raises(hd.OperandError, match=r"but at most 128\.0 MiB are available") as caught:
        kernel(A=entries(shape), x=entries(shape[1:]))
    assert caught.value.diagnostics[0].code == "runtime/too-large"
    rows = hd.compile("B(i,j) = 2 * A(i,j)", {"A": "dcsr", "B": "csr"}, "", target)
    with pytest.raises(hd.OperandError, match=r"values of B in this format need .*, but at most 128\.0 MiB"):
        rows(A=entries(shape))
    copy = hd.compile("B(i,j) = 2 * A(i,j)", {"A": "dcsr", "B": "dcsr"}, "", target)(A=entries(shape))
    assert (copy.shape, copy.to_coo()[1].tolist()) == (shape, [2.0, 4.0])


def test_memory_that_a_kernel_asks_for_knows_the_limit() -> None:
    """C is told that there is none, as if the machine had said so; nothing relies on the machine saying it."""
    assert result_buffers._obtain(2 * LIMIT) is None


def test_few_entries_begin_parts_where_counting_says() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        count, parts = int(rng.integers(1, 30)), int(rng.integers(1, 9))
        coordinates = rng.integers(0, count, rng.integers(0, 12))
        counted = starts_of(coordinates, count, parts, even=True)
        np.testing.assert_array_equal(_starts_between(np.sort(coordinates), count, parts), counted)
