"""Tensors for decompositions: exactly of low rank, and with few busy slices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.runtime.native.blas_threads import loaded_controls, use_threads
from heddle.runtime.tensors.coordinates import Entries

SHAPE = (30, 40, 50)


def made(given: dict[str, object], shape: tuple[int, ...] = SHAPE) -> Entries:
    entries = generate("X", given, shape, "float64")
    assert isinstance(entries, Entries)
    return entries


def test_a_kruskal_tensor_is_exactly_of_low_rank() -> None:
    entries = made({"generator": "kruskal", "rank": 3, "support": 9, "seed": 2})
    assert 9**3 < entries.values.size <= 3 * 9**3
    found = hd.cp_als(entries, 3, sweeps=300, tolerance=1e-11, start="normal", seed=1)
    assert found.fit >= 1 - 1e-6
    other = made({"generator": "kruskal", "rank": 3, "support": 9, "seed": 2})
    assert other.values.tobytes() == entries.values.tobytes()


def test_a_noisy_tensor_has_the_same_bits_for_any_number_of_threads() -> None:
    """Norms by a library of linear algebra have others with each number of threads, from some ten thousand entries."""

    def noisy(threads: int) -> bytes:
        with set_threads(threads):
            return made({"generator": "kruskal", "rank": 3, "support": 30, "noise": 0.1, "seed": 7}).values.tobytes()

    assert noisy(1) == noisy(2) == noisy(3)


@contextmanager
def set_threads(threads: int) -> Iterator[None]:
    before = [(set_number, number()) for number, set_number in loaded_controls()]
    use_threads(threads)
    try:
        yield
    finally:
        for set_number, number in before:
            set_number(number)


def test_noise_is_relative_to_the_norm() -> None:
    clean = made({"generator": "kruskal", "rank": 2, "support": 8, "noise": 0})
    noisy = made({"generator": "kruskal", "rank": 2, "support": 8, "noise": 0.1})
    assert all((a == b).all() for a, b in zip(clean.columns, noisy.columns, strict=True))
    ratio = np.linalg.norm(noisy.values - clean.values) / np.linalg.norm(clean.values)
    assert ratio == pytest.approx(0.1)


def test_zipf_has_few_busy_slices() -> None:
    flat = made({"generator": "zipf", "nnz": 6000, "exponent": 0})
    steep = made({"generator": "zipf", "nnz": 6000, "exponent": 1.2})
    assert flat.values.size == steep.values.size == 6000
    for mode in range(3):
        even, skewed = (np.bincount(one.columns[mode]).max() / 6000 for one in (flat, steep))
        assert skewed > 3 * even
    cells = np.ravel_multi_index(steep.columns, SHAPE)
    assert np.unique(cells).size == 6000


@pytest.mark.parametrize("name", ["kruskal", "zipf"])
@pytest.mark.parametrize("shape", [(0, 5), (1, 1), (1, 2, 1)])
def test_tiny_shapes(name: str, shape: tuple[int, ...]) -> None:
    assert made({"generator": name}, shape).values.size <= 2


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            {"generator": "kruskal", "rank": 256, "support": 1000},
            "256 components of 1000 indices in each of 3 modes have up to 256,000,000,000 entries, more than "
            "30,000,000.",
        ),
        ({"generator": "zipf"}, "The tensor has more than 2^62 cells."),
    ],
)
def test_what_is_too_large_is_refused(given: dict[str, object], text: str) -> None:
    with pytest.raises(CompileError) as caught:
        generate("X", given, (10_000_000_000,) * 3, "float64")
    assert text in str(caught.value)
