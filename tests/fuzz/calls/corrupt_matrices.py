"""SciPy matrices whose arrays are changed at random, and what Heddle makes of them: the right number, or a refusal.

``python -m tests.fuzz.calls.corrupt_matrices SEED COUNT`` runs in a process of its own, which a wrong read or
write ends. What is right is computed from the arrays by loops, not by SciPy, whose compiled conversions believe them.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import heddle as hd

SHAPES = (0, 1, 2, 3, 4, 6)
COMPRESSED = ("csr", "csc", "bsr")
FORMATS = ("csr", "csc", "bsr", "coo", "dia", "lil", "dok")
ARRAYS = {"csr": ("indptr", "indices", "data"), "coo": ("coords", "data"), "dia": ("offsets", "data"), "lil": ("rows",)}
PACKED = ("csr", "csc", "coo", "hyb(1,2)", "sell(2)", "bcsr(2,2)", "dia")
OTHER_TYPES = ("int64", "uint32", "uint64", "int16", "float64", ">i4", ">i8", ">f8", "object")


def main(seed: int, count: int) -> None:
    warnings.simplefilter("ignore")  # SciPy's, of index arrays that are none
    rng = np.random.default_rng(seed)
    multiply = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    add = hd.compile("C(i,j) = A(i,j) + B(i,j)", formats=dict.fromkeys("ABC", "csr"))
    outcomes: Counter[str] = Counter()
    for number in range(count):
        matrix = changed(rng)
        expected = meaning(matrix)
        ones, empty = np.ones(matrix.shape[1]), sp.csr_array(matrix.shape, dtype=np.float64)
        takes: dict[str, Callable[[], Any]] = {
            "multiply": partial(multiply, A=matrix, x=ones),
            "add": partial(add, A=matrix, B=empty),
            **{format: partial(hd.pack, matrix, format) for format in PACKED},
        }
        for name, take in takes.items():
            case = f"case {number} of seed {seed}, {name} of a {matrix.format} of shape {matrix.shape}"
            found, refusal = outcome(take)
            outcomes["taken" if refusal is None else "refused"] += 1
            if refusal is not None:
                assert expected is None or "that conversion would lose digits" in refusal, f"{case}: {refusal}"
            elif expected is not None:
                right = expected @ ones if name == "multiply" else expected
                np.testing.assert_array_equal(found, right, err_msg=case)
            else:
                assert matrix.format not in COMPRESSED, f"{case} is taken: {found}"
    assert min(outcomes["refused"], outcomes["taken"]) > count, outcomes
    print(dict(outcomes))


def outcome(take: Callable[[], Any]) -> tuple[Any, str | None]:
    """The array, or why there is none."""
    try:
        return take().to_numpy(), None
    except hd.OperandError as refusal:
        return None, str(refusal)


def changed(rng: np.random.Generator) -> Any:
    """A small matrix of small integers in a format of SciPy, one or two of whose arrays are not what they were."""
    rows, columns = (int(size) for size in rng.choice(SHAPES, 2))
    format = str(rng.choice(FORMATS))
    dense = rng.integers(-3, 4, (rows, columns)) * (rng.random((rows, columns)) < 0.6)
    dense = dense.astype(rng.choice(["float64", "float64", "int32", "float32"]))
    if format == "bsr":
        heights, widths = ([size for size in (1, 2, 3) if total % size == 0] for total in (rows, columns))
        matrix: Any = sp.bsr_array(dense, blocksize=(int(rng.choice(heights)), int(rng.choice(widths))))
    else:
        matrix = sp.coo_array(dense).asformat(format)
    for _ in range(rng.integers(1, 3)):
        change(matrix, rng)
    return matrix


def change(matrix: Any, rng: np.random.Generator) -> None:
    match matrix.format:
        case "dok":
            matrix._dict[tuple(int(place) for place in rng.choice([-1, 0, 10**8], 2))] = 1
        case "lil" if matrix.rows.size:
            row = int(rng.integers(matrix.rows.size))
            own = list(matrix.rows[row])
            matrix.rows[row] = [own[::-1], own[1:], [*own, 10**8], [-5, *own[1:]]][rng.integers(4)]
        case "coo":
            columns = list(matrix.coords)
            columns[rng.integers(2)] = change_array(columns[rng.integers(2)], rng)
            matrix.coords = tuple(columns)
        case format:
            name = str(rng.choice(ARRAYS.get(format, ARRAYS["csr"])))
            array = change_array(getattr(matrix, name), rng)
            if name != "data" or array.dtype.kind != "O":  # SciPy itself refuses the latter
                setattr(matrix, name, array)


def change_array(array: Any, rng: np.random.Generator) -> Any:
    array = np.array(array)
    flat = array.reshape(-1)
    match rng.integers(11):
        case 0 if flat.size:
            flat[rng.integers(flat.size)] = rng.choice([-1, 0, 1, 2, 5, 100])
        case 1 if flat.size and array.dtype.itemsize >= 4:
            flat[rng.integers(flat.size)] = 10**9
        case 2:
            flat[:] = rng.permutation(flat)
        case 3:
            return array[:-1]
        case 4:
            return np.concatenate([array, array[:1]])
        case 5:
            return array.astype(str(rng.choice(OTHER_TYPES)))
        case 6:
            return array[::-1]
        case 7:
            return np.repeat(array, 2, axis=0)[::2]
        case 8:
            array.flags.writeable = False
        case 9:
            return array[:0]
        case _:
            return array.reshape(1, -1)
    return array


def meaning(matrix: Any) -> np.ndarray | None:
    """What compressed arrays say; None where they are broken, and for other formats, which SciPy checks."""
    if matrix.format not in COMPRESSED:
        return None
    pos, crd, data = matrix.indptr, matrix.indices, matrix.data
    if data.ndim != (3 if matrix.format == "bsr" else 1) or pos.ndim != 1 or crd.ndim != 1:
        return None
    if any(array.dtype.kind not in "iu" and array.size for array in (pos, crd)):
        return None
    height, width = data.shape[1:] if data.ndim == 3 else (1, 1)
    if 0 in (height, width) or matrix.shape[0] % height or matrix.shape[1] % width or len(crd) != len(data):
        return None
    sizes = (matrix.shape[0] // height, matrix.shape[1] // width)
    rows, below = sizes if matrix.format != "csc" else sizes[::-1]
    positions, coordinates = [int(one) for one in pos], [int(one) for one in crd]
    if len(positions) != rows + 1 or positions[0] != 0 or sorted(positions) != positions:
        return None
    if positions[-1] > len(coordinates) or not all(0 <= one < below for one in coordinates[: positions[-1]]):
        return None
    dense = np.zeros(matrix.shape)
    for row, entry in entries_of(positions):
        place = (row, coordinates[entry]) if matrix.format != "csc" else (coordinates[entry], row)
        block = tuple(slice(at * size, (at + 1) * size) for at, size in zip(place, (height, width), strict=True))
        dense[block] += data[entry]
    return dense


def entries_of(positions: list[int]) -> Iterator[tuple[int, int]]:
    """Row and number of each entry."""
    for row in range(len(positions) - 1):
        for entry in range(positions[row], positions[row + 1]):
            yield row, entry


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
