"""Generators of tensors from a seed: the same parameters always give the same tensor, with bounded memory."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log2, prod

import numpy as np

from heddle.counts import repeat
from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.measuring.inputs.synthetic.generator import (
    LARGEST_NNZ,
    NNZ,
    SEED,
    Array,
    Columns,
    Generator,
    Parameter,
    Shape,
    bad_parameter,
    chosen_cells,
    distinct,
)
from heddle.measuring.inputs.synthetic.graph_generators import GRAPHS
from heddle.measuring.inputs.synthetic.mask_generators import MASKS
from heddle.measuring.inputs.synthetic.row_indices import ROW_INDICES
from heddle.measuring.inputs.synthetic.structured_generators import STRUCTURED
from heddle.measuring.inputs.synthetic.tensor_generators import TENSORS
from heddle.runtime.tensors.coordinates import Entries


def _uniform(rng: np.random.Generator, shape: Shape, parameters: Mapping[str, float]) -> Columns | None:
    """Cells drawn uniformly; without ``nnz``, all of them."""
    if "nnz" not in parameters:
        return None
    cells, wanted = prod(shape), int(parameters["nnz"])
    if wanted >= cells:
        return None
    if cells >= 2**62:
        return tuple(rng.integers(0, size, wanted) for size in shape)
    return np.unravel_index(chosen_cells(rng, cells, wanted), shape)


def _dense(rng: np.random.Generator, shape: Shape, parameters: Mapping[str, float]) -> Columns | None:
    return None


def _rmat(rng: np.random.Generator, shape: Shape, parameters: Mapping[str, float]) -> Columns | None:
    """Chakrabarti, Zhan and Faloutsos 2004: each entry falls into one quadrant of the matrix, and again inside it."""
    rows, columns = shape
    if prod(shape) == 0:
        return None
    levels = max(1, ceil(log2(max(rows, columns))))
    a, b, c = (parameters[name] for name in "abc")
    if a + b + c > 1:
        raise bad_parameter(
            f"rmat needs a + b + c ≤ 1, found {a + b + c:g}", "a + b + c of at most 1", f"{a + b + c:g}"
        )

    def draw(count: int) -> Array:
        row, column = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for _ in range(levels):
            place = rng.random(count)
            lower, right = place >= a + b, ((place >= a) & (place < a + b)) | (place >= a + b + c)
            row, column = 2 * row + lower, 2 * column + right
        inside = (row < rows) & (column < columns)
        cells: Array = row[inside] * columns + column[inside]
        return cells

    chosen = distinct(rng, draw, min(int(parameters["nnz"]), prod(shape)))
    return np.unravel_index(chosen, shape)


def _draw_band(rng: np.random.Generator, shape: Shape, parameters: Mapping[str, float]) -> Columns | None:
    """All cells whose column is at most ``bandwidth`` away from their row."""
    rows, columns = shape
    width = int(parameters["bandwidth"])
    if rows * (2 * width + 1) > LARGEST_NNZ:
        actual = f"{rows:,} rows of {2 * width + 1:,} diagonals"
        raise bad_parameter(
            f"This band has {actual}, which is more than {LARGEST_NNZ:,} entries", "a narrower band", actual
        )
    row = repeat(np.arange(rows), 2 * width + 1)
    column = row + np.tile(np.arange(-width, width + 1), rows)
    inside = (column >= 0) & (column < columns)
    return row[inside], column[inside]


GENERATORS = (
    Generator(
        "uniform",
        "Uniform",
        "Nonzeros anywhere with equal probability; never more than the tensor has cells.",
        None,
        (NNZ, SEED),
        _uniform,
    ),
    Generator("dense", "Dense", "Every cell holds a random value.", None, (SEED,), lambda rng, shape, parameters: None),
    Generator(
        "rmat",
        "R-MAT",
        "A graph of few busy and many quiet vertices (power law), as in the Graph500 benchmark.",
        2,
        (
            NNZ,
            SEED,
            Parameter("a", "Share of the top left", "number", 0.57, 0, 1),
            Parameter("b", "Share of the top right", "number", 0.19, 0, 1),
            Parameter("c", "Share of the bottom left", "number", 0.19, 0, 1),
        ),
        _rmat,
    ),
    Generator(
        "banded",
        "Banded",
        "A full band around the diagonal, as from finite differences.",
        2,
        (Parameter("bandwidth", "Diagonals on each side", "integer", 2, 0, 10_000), SEED),
        _draw_band,
    ),
    *STRUCTURED,
    *GRAPHS,
    *MASKS,
    *TENSORS,
    *ROW_INDICES,
)


def generate(tensor: str, source: Mapping[str, object], shape: Shape, dtype: str) -> Entries | Array:
    """The tensor that ``source`` (a generator's input of a Plan) describes; a dense array when every cell is filled.

    Raises
    ------
    CompileError
        ``input/unknown-generator``, ``input/bad-parameter``, ``input/too-large``.
    """
    generator = _find(tensor, str(source["generator"]))
    if generator.order is not None and generator.order != len(shape):
        raise bad_parameter(
            f"{tensor} has order {len(shape)}, but {generator.name} makes tensors of order {generator.order}",
            f"a tensor of order {generator.order}",
            f"order {len(shape)}",
            tensor,
        )
    parameters = _parameters(tensor, generator, source)
    rng = np.random.default_rng(int(parameters["seed"]))
    columns = generator.make(rng, shape, parameters)
    if columns is None:
        if prod(shape) > 8 * LARGEST_NNZ:
            actual = f"{prod(shape):,} values"
            raise bad_parameter(f"{tensor} would have {actual}", f"at most {8 * LARGEST_NNZ:,} values", actual, tensor)
        if generator.filled is not None:
            return generator.filled(rng, shape, parameters).astype(dtype).reshape(shape)
        return random_values(rng, prod(shape), dtype).reshape(shape)
    values = generator.values(rng, shape, parameters, columns) if generator.values is not None else None
    if values is not None:
        return Entries(shape, columns, values.astype(dtype))
    return Entries(shape, columns, random_values(rng, columns[0].size if columns else 1, dtype))


def random_values(rng: np.random.Generator, count: int, dtype: str) -> Array:
    """Values without zeros: (0, 1] for real types, both parts of complex ones, 1 to 9 for integers."""
    kind = np.dtype(dtype).kind
    if kind in "iu":
        return rng.integers(1, 10, count).astype(dtype)
    if kind == "b":
        return np.ones(count, dtype=bool)
    values: Array = 1.0 - rng.random(count)
    if kind == "c":
        values = values + 1j * (1.0 - rng.random(count))
    return values.astype(dtype)


def _find(tensor: str, name: str) -> Generator:
    for generator in GENERATORS:
        if generator.name == name:
            return generator
    names = tuple(generator.name for generator in GENERATORS)
    raise CompileError(
        Diagnostic(
            code="input/unknown-generator",
            message=f"The input of {tensor} is the generator {name}, which does not exist. The generators are "
            f"{', '.join(names)}.",
            location=Location(Part.INPUT, tensor=tensor),
            expected=" or ".join(names),
            actual=name,
            candidates=nearest(name, names),
        )
    )


def _parameters(tensor: str, generator: Generator, source: Mapping[str, object]) -> dict[str, float]:
    """Values of the generator's parameters; those not given have their defaults, but ``nnz`` of uniform stays out."""
    known = {parameter.name: parameter for parameter in generator.parameters}
    values: dict[str, float] = {
        name: parameter.default for name, parameter in known.items() if generator.name != "uniform" or name != "nnz"
    }
    for name, value in source.items():
        if name in ("generator", "shape"):
            continue
        parameter = known.get(name)
        if parameter is None:
            names = ", ".join(("shape", *known))
            raise bad_parameter(
                f"The generator {generator.name} has no parameter {name}; it has {names}", names, name, tensor
            )
        flag = parameter.kind == "boolean"
        number = value if isinstance(value, int | float) and (flag or not isinstance(value, bool)) else None
        whole = parameter.kind != "number"
        if number is None or not parameter.minimum <= number <= parameter.maximum or (whole and number != int(number)):
            kind = "a whole number" if whole else "a number"
            expected = "true or false" if flag else f"{kind} from {parameter.minimum:,.0f} to {parameter.maximum:,.0f}"
            raise bad_parameter(f"{name} of {tensor} must be {expected}, found {value}", expected, str(value), tensor)
        values[name] = number
    return values
