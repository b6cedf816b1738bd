"""Generated graphs, masks and pruned weights: how many entries, where, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.diagnostics import CompileError
from heddle.measuring.inputs.synthetic.generators import generate
from tests.backend.worker.generators.test_generators import made
from tests.backend.worker.generators.test_structured_generators import dense


def lengths_of(given: dict[str, object], shape: tuple[int, int]) -> np.ndarray:
    return np.bincount(made(given, shape).columns[0], minlength=shape[0])


def test_a_power_law_has_its_mean_its_longest_row_and_its_exponent() -> None:
    given = {"generator": "degrees-power", "alpha": 2.0, "least": 1, "most": 500, "mean": 6}
    lengths = lengths_of(given, (20_000, 20_000))
    assert lengths.mean() == pytest.approx(6, abs=0.01)
    assert 250 < lengths.max() <= 500
    # Of a density that falls as length^-2, a tenth as many rows are longer than ten times a length.
    assert (lengths > 10).sum() / (lengths > 100).sum() == pytest.approx(12, rel=0.35)


def test_lognormal_degrees_have_their_deviation() -> None:
    given = {"generator": "degrees-lognormal", "sigma": 0.5, "most": 5000, "mean": 60}
    lengths = lengths_of(given, (2000, 9000))
    assert lengths.mean() == pytest.approx(60, abs=0.01)
    assert np.log(lengths).std() == pytest.approx(0.5, rel=0.1)
    assert lengths_of({**given, "most": 70}, (2000, 9000)).max() == 70


@pytest.mark.parametrize("mixing", [0, 0.25, 1])
def test_a_row_s_entries_lie_in_its_community_but_for_the_share_that_mixes(mixing: float) -> None:
    shape = (400, 1000)
    given = {"generator": "degrees-power", "mean": 20, "most": 60, "communities": 4, "mixing": mixing}
    row, column = made(given, shape).columns
    inside = row // 100 == column // 250
    assert inside.mean() == pytest.approx(1 - 0.75 * mixing, abs=0.03)
    assert row.size == 400 * 20


def test_without_mixing_no_row_is_longer_than_its_community() -> None:
    given = {"generator": "degrees-lognormal", "mean": 30, "most": 100, "communities": 5, "mixing": 0}
    assert lengths_of(given, (50, 100)).max() == 20
    assert lengths_of({**given, "mixing": 0.1}, (50, 100)).max() > 20


def test_relations_have_shares_by_zipf_s_law() -> None:
    entries = made({"generator": "relations", "nnz": 11_000, "zipf": 1}, (4, 100, 200))
    edges = np.bincount(entries.columns[0])
    assert edges.tolist() == [5280, 2640, 1760, 1320]
    assert made({"generator": "relations", "nnz": 90}, (2, 3, 4)).values.size == 12 + 12
    assert (made({"generator": "relations", "nnz": 90, "weighted": 0}, (2, 3, 4)).values == 1).all()
    assert np.unique(made({"generator": "relations", "nnz": 90}, (2, 3, 4)).values).size == 24


def test_the_band_of_blocks() -> None:
    matrix = dense({"generator": "band-mask", "window": 5, "block": 4}, (14, 14))
    place = np.arange(14) // 4
    assert (matrix == (np.abs(place[:, None] - place) <= 1)).all()
    assert dense({"generator": "band-mask", "window": 3, "block": 4}, (8, 8)).sum() == 32


def test_the_butterfly_s_blocks_differ_in_one_digit() -> None:
    matrix = dense({"generator": "butterfly", "block": 2, "stride": 2}, (16, 16))
    place = np.arange(16) // 2
    apart = place[:, None] ^ place
    assert (matrix == np.isin(apart, (0, 1, 2))).all()
    assert dense({"generator": "butterfly", "block": 2}, (16, 16)).sum() == 16 * 2 * 4


def test_pruned_weights_keep_their_share() -> None:
    blocks = dense({"generator": "pruned-blocks", "size": 4, "density": 0.25, "empty": 0.5}, (40, 80))
    kept = blocks.reshape(10, 4, 20, 4).sum(axis=(1, 3))
    assert set(kept.ravel()) == {0, 16}
    assert (kept == 16).sum() == 50
    assert (kept.sum(axis=1) == 0).sum() >= 5
    assert dense({"generator": "pruned", "density": 0.03}, (50, 60)).sum() == 90
    assert dense({"generator": "pruned", "density": 1}, (5, 6)).sum() == 30
    assert made({"generator": "pruned", "density": 0.1}, (5, 6, 7)).values.size == 21


@pytest.mark.parametrize(
    ("given", "shape", "text"),
    [
        ({"generator": "degrees-power", "least": 9, "most": 5}, (3, 3), "degrees-power needs least ≤ most, found 9"),
        ({"generator": "degrees-power", "mean": 90}, (10**6, 10), "This graph has 1,000,000 rows of 90 entries, more"),
        ({"generator": "relations"}, (3, 3), "A has order 2, but relations makes tensors of order 3."),
        ({"generator": "band-mask"}, (10**6, 10**6), "This pattern has 531,250 blocks of 32 × 32, more than"),
        ({"generator": "pruned"}, (10**5, 10**5), "This pattern has 1,250,000,000 entries, more than 30,000,000"),
        ({"generator": "pruned-blocks"}, (10**5, 10**5), "This pattern has 4,882,812 blocks of 16 × 16, more than"),
        ({"generator": "butterfly"}, (10**6, 10**6), "This pattern has 375,000 blocks of 32 × 32, more than"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], shape: tuple[int, ...], text: str) -> None:
    with pytest.raises(CompileError) as caught:
        generate("A", given, shape, "float64")
    assert str(caught.value).startswith(text)
