"""Patterns of neural networks: attention masks in blocks, and pruned weights (docs/sources.toml X33, X34)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from heddle.counts import repeat
from heddle.measuring.inputs.synthetic.generator import (
    LARGEST_NNZ,
    SEED,
    Columns,
    Generator,
    Parameter,
    Shape,
    bad_parameter,
    chosen_cells,
)
from heddle.measuring.inputs.synthetic.structured_generators import filled_blocks

Parameters = Mapping[str, float]


def band_mask(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Longformer's sliding window in blocks: block (I, J) is full where |I − J| blocks are at most the window."""
    size = int(parameters["block"])
    down, across = _blocks(shape, size)
    reach = int(parameters["window"]) // size
    _check_size(down * min(2 * reach + 1, max(across, 1)), size, "a smaller window")
    place = repeat(np.arange(down), 2 * reach + 1)
    other = place + np.tile(np.arange(-reach, reach + 1), down)
    inside = (other >= 0) & (other < across)
    return filled_blocks(shape, size, place[inside], other[inside])


def butterfly(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """A flat butterfly of blocks (Chen et al. 2022): block (I, J) is full where I = J, or where I and J differ in one
    bit, of a stride of at most ``stride`` blocks."""
    size = int(parameters["block"])
    down, across = _blocks(shape, size)
    strides = [0, *(2**bit for bit in range(31) if 2**bit <= int(parameters["stride"]))]
    _check_size(down * len(strides), size, "fewer rows")
    place = repeat(np.arange(down), len(strides))
    other = place ^ np.tile(np.array(strides, dtype=np.int64), down)
    inside = other < across
    return filled_blocks(shape, size, place[inside], other[inside])


def pruned_blocks(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Full blocks at random cells of the grid of blocks; a share of its rows keeps none."""
    size = int(parameters["size"])
    down, across = _blocks(shape, size)
    block_rows = np.sort(rng.permutation(down)[: down - round(parameters["empty"] * down)])
    wanted = min(round(parameters["density"] * down * across), block_rows.size * across)
    _check_size(wanted, size, "a lower density")
    chosen = chosen_cells(rng, block_rows.size * across, wanted)
    return filled_blocks(shape, size, block_rows[chosen // max(across, 1)], chosen % max(across, 1))


def draw_pruned(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Single weights that were kept, anywhere."""
    cells = prod(shape)
    wanted = round(parameters["density"] * cells)
    _check_size(wanted, 1, "a lower density")
    return np.unravel_index(chosen_cells(rng, cells, wanted), shape)


def _blocks(shape: Shape, size: int) -> tuple[int, int]:
    return -(-shape[0] // size), -(-shape[1] // size)


def _check_size(blocks: int, size: int, expected: str) -> None:
    if blocks * size * size > LARGEST_NNZ:
        actual = f"{blocks:,} blocks of {size} × {size}" if size > 1 else f"{blocks:,} entries"
        raise bad_parameter(f"This pattern has {actual}, more than {LARGEST_NNZ:,} entries", expected, actual)


BLOCK = Parameter("block", "Rows and columns of a block", "integer", 32, 1, 1_000)
DENSITY = Parameter("density", "Share that is kept", "number", 0.125, 0, 1)
MASKS = (
    Generator(
        "band-mask",
        "Band of blocks",
        "An attention mask: every position sees a window on both sides of it, in whole blocks.",
        2,
        (Parameter("window", "Positions on each side", "integer", 256, 0, 1_000_000), BLOCK, SEED),
        band_mask,
    ),
    Generator(
        "butterfly",
        "Butterfly of blocks",
        "An attention mask: each block sees itself and the blocks whose number differs in one binary digit.",
        2,
        (Parameter("stride", "Longest stride, in blocks", "integer", 1024, 0, 2**30), BLOCK, SEED),
        butterfly,
    ),
    Generator(
        "pruned-blocks",
        "Pruned in blocks",
        "Weights of which whole blocks were kept, at random places; some rows of blocks may be empty.",
        2,
        (
            Parameter("size", "Rows and columns of a block", "integer", 16, 1, 1_000),
            DENSITY,
            Parameter("empty", "Share of empty block rows", "number", 0, 0, 1),
            SEED,
        ),
        pruned_blocks,
    ),
    Generator(
        "pruned",
        "Pruned",
        "Weights of which single ones were kept, at random places.",
        None,
        (DENSITY, SEED),
        draw_pruned,
    ),
)
