"""Generators: structure, seeds, bounds, and the text of every refusal."""

import numpy as np
import pytest

from heddle.diagnostics import CompileError
from heddle.measuring.inputs.synthetic.generator import Generator
from heddle.measuring.inputs.synthetic.generators import GENERATORS, generate
from heddle.runtime.tensors.coordinates import Entries
from heddle_server.services.catalogue import generator_views


def made(given: dict[str, object], shape: tuple[int, ...], dtype: str = "float64") -> Entries:
    entries = generate("A", given, shape, dtype)
    assert isinstance(entries, Entries)
    for column, size in zip(entries.columns, shape, strict=True):
        assert column.size == entries.values.size
        assert ((column >= 0) & (column < size)).all()
    cells = np.ravel_multi_index(entries.columns, shape)
    assert np.unique(cells).size == cells.size
    return entries


@pytest.mark.parametrize("shape", [(1000,), (40, 50), (10, 20, 30)])
@pytest.mark.parametrize("nnz", [0, 1, 300, 900])
def test_uniform_makes_exactly_so_many(shape: tuple[int, ...], nnz: int) -> None:
    assert made({"generator": "uniform", "nnz": nnz}, shape).values.size == nnz


def test_uniform_fills_everything_when_asked_for_more_or_for_nothing() -> None:
    for given in ({"generator": "uniform", "nnz": 100}, {"generator": "uniform"}, {"generator": "dense"}):
        array = generate("A", given, (4, 5), "float64")
        assert isinstance(array, np.ndarray)
        assert array.shape == (4, 5)
        assert ((array > 0) & (array <= 1)).all()


def test_uniform_beyond_64_bits_of_cells() -> None:
    entries = generate("A", {"generator": "uniform", "nnz": 50}, (2**31 - 1,) * 3, "float64")
    assert isinstance(entries, Entries)
    assert entries.values.size == 50


def test_rmat_is_skewed() -> None:
    entries = made({"generator": "rmat", "nnz": 8000}, (1000, 700))
    assert entries.values.size == 8000
    degrees = np.sort(np.bincount(entries.columns[0], minlength=1000))
    assert degrees[-100:].sum() > 4 * degrees[:500].sum()


def test_rows_by_zipfs_law_come_up_by_rank() -> None:
    given = {"generator": "indices", "rows": 500, "exponent": 1.0}
    found = generate("I", given, (200, 100), "int32")
    assert isinstance(found, np.ndarray)
    assert (found.dtype, found.shape) == (np.dtype("int32"), (200, 100))
    assert 0 <= found.min() <= found.max() < 500
    counts = np.sort(np.bincount(found.ravel(), minlength=500))[::-1]
    total = (1 / np.arange(1, 501)).sum()
    assert counts[0] == pytest.approx(20_000 / total, rel=0.1)
    assert counts[1] == pytest.approx(20_000 / total / 2, rel=0.15)
    alike = generate("I", {**given, "exponent": 0}, (200, 100), "int32")
    assert isinstance(alike, np.ndarray)
    assert np.bincount(alike.ravel(), minlength=500).max() < 90
    assert np.array_equal(generate("I", {**given, "rows": 1}, (3,), "int32"), np.zeros(3))


def test_banded_fills_the_band() -> None:
    entries = made({"generator": "banded", "bandwidth": 1}, (4, 4))
    assert entries.values.size == 10
    assert (np.abs(entries.columns[0] - entries.columns[1]) <= 1).all()
    assert made({"generator": "banded", "bandwidth": 1}, (6, 2)).values.size == 5


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.name)
def test_the_seed_decides(generator: Generator) -> None:
    shape = (30, 40, 20)[: generator.order or 2]

    def values(seed: int) -> bytes:
        found = generate("A", {"generator": generator.name, "seed": seed}, shape, "float64")
        return (found if isinstance(found, np.ndarray) else found.values).tobytes()

    assert values(1) == values(1)
    assert values(1) != values(2)


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64", "complex128", "bool"])
def test_values_have_the_type_and_are_no_zeros(dtype: str) -> None:
    values = made({"generator": "uniform", "nnz": 500}, (100, 100), dtype).values
    assert values.dtype == dtype
    assert (values != 0).all()


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.name)
def test_empty_shapes(generator: Generator) -> None:
    for shape in ((0, 5, 5), (5, 0, 5)):
        shape = shape[: generator.order or 2]
        found = generate("A", {"generator": generator.name}, shape, "float64")
        assert found.shape == shape
        assert (found if isinstance(found, np.ndarray) else found.values).size == 0


@pytest.mark.parametrize(
    ("given", "shape", "text"),
    [
        (
            {"generator": "magic"},
            (3, 3),
            "The input of A is the generator magic, which does not exist. The generators are uniform, dense, rmat,",
        ),
        ({"generator": "rmat"}, (3,), "A has order 1, but rmat makes tensors of order 2."),
        ({"generator": "rmat", "a": 0.9, "b": 0.2}, (3, 3), "rmat needs a + b + c ≤ 1, found 1.29."),
        (
            {"generator": "uniform", "width": 1},
            (3,),
            "The generator uniform has no parameter width; it has shape,",
        ),
        ({"generator": "uniform", "nnz": -1}, (3,), "nnz of A must be a whole number from 0 to 30,000,000, found -1."),
        (
            {"generator": "uniform", "seed": 1.5},
            (3,),
            "seed of A must be a whole number from 0 to 2,147,483,647,",
        ),
        ({"generator": "banded", "bandwidth": 9999}, (9999, 9999), "This band has 9,999 rows of 19,999 diagonals"),
        ({"generator": "dense"}, (10**6, 10**6), "A would have 1,000,000,000,000 values."),
    ],
)
def test_refused_parameters(given: dict[str, object], shape: tuple[int, ...], text: str) -> None:
    with pytest.raises(CompileError) as caught:
        generate("A", given, shape, "float64")
    assert str(caught.value).startswith(text)


def test_views_offer_only_what_is_accepted() -> None:
    for view in generator_views():
        parameters = {parameter["name"]: parameter["default"] for parameter in view["parameters"]}
        shape = (64,) * (view["order"] or 2)
        assert generate("A", {"generator": view["name"], **parameters}, shape, "float64").shape == shape
