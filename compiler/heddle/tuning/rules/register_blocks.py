"""A matrix in rows of blocks times a dense one: SpMM on BCSR (benchmarks/archive/kernels.md).

A row of the dense operand that is in registers serves all rows of a block: their sums, a tile of the columns for each,
stay in registers across the whole sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from heddle.notation.nodes import Access
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.register_tiles import column_tiles, first_width, tile_widths
from heddle.tuning.rules.threads import on_threads

_KINDS = (("dense", "compressed", "dense"), ("dense", "compressed", "dense", "dense"))


def register_blocks(program: Program) -> Proposal | None:
    """Needs the rows of the matrix to be those of the result, and the columns contiguous."""
    driver = _driver(program)
    column = program.column(driver) if driver is not None else None
    if driver is None or column is None or program.target.indices != (program.list_stored_variables(driver)[0], column):
        return None
    block, *summed = (variable for variable in program.order if variable != column)
    format = program.signature.tensors[driver.tensor].format
    height = format.blocks.get(format.order[0], 1)
    row = summed.pop(1) if height > 1 else None
    together = height if height <= program.machine.registers // 2 else 1
    names = program.names(also=program.order)
    width = _width(program, column, together)
    if width is None:
        return None
    cut, tile, lane = column_tiles(program, column, width, names)
    outer = (block,) if row is None or together > 1 else (block, row)
    inner = (row,) if row is not None and together > 1 else ()
    copies = [names.fresh(f"{variable}w") for variable in (*inner, lane)]
    product = " * ".join(f"{access.tensor}({','.join(access.indices)})" for access in program.factors or ())
    commands = (
        *cut,
        f"reorder({', '.join((*outer, *tile, *summed, *inner, lane))})",
        f"precompute({product}, {_set((*inner, lane))}, {_set(copies)}, {names.fresh('w')})",
        *(f"unroll({variable}, {height})" for variable in (*copies[:-1], *inner)),
        f"parallelize({copies[-1]}, CPUVector, NoRaces)",
        f"parallelize({lane}, CPUVector, NoRaces)",
    )
    dense = next(access.tensor for access in program.factors or () if access != driver)
    reasons = [f"{width} columns of {column} stay in registers across the sum over {', '.join(summed)}."]
    if inner:
        reasons.append(f"{height} rows of {driver.tensor} share each row of {dense} while it is in registers.")
    threads = on_threads(program, driver, names, cost=1 / program.lanes, row=block)
    return Proposal(commands, tuple(reasons)).then(threads)


def _driver(program: Program) -> Access | None:
    """The one sparse operand of a product of two, a matrix in rows of blocks."""
    if program.factors is None or len(program.factors) != 2 or len(program.sparse) != 1:
        return None
    (driver,) = program.sparse
    fits = program.is_dense(program.target) and program.kinds(driver) in _KINDS and len(driver.indices) == 2
    return driver if fits and program.is_blocked(driver) else None


def _width(program: Program, column: str, together: int) -> int | None:
    """Columns of a tile, of which ``together`` rows fit half of the registers; None for few columns."""
    size = program.sizes.get(column)
    fitting = tile_widths(program, together)
    return fitting[-1] if size is None else first_width(size, fitting, fitting)


def _set(variables: Sequence[str]) -> str:
    return variables[0] if len(variables) == 1 else f"{{{', '.join(variables)}}}"
