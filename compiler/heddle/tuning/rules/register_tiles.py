"""A sparse operand times dense ones that share a dense column variable: SpMM, TTM, MTTKRP.

A tile of the columns is held in vector registers across the whole reduction and stored once. Where the sparse operand
has several reduced levels, the sum over the inner ones is a separate partial product, multiplied once for each fibre.
Levels that hold coordinates side by side are one loop over their positions.
"""

from __future__ import annotations

from collections.abc import Sequence

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.graph.slots import slotted_loops
from heddle.names import Names
from heddle.notation.nodes import Access
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.prefetching import asked_ahead
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import on_threads

MOST_COLUMNS = 256
"""The most columns for whose number a specialised kernel pays."""

LEAST_AHEAD = 4.0
"""Size of a dense operand, in caches of a core, from which its rows are prefetched: smaller ones a core fetches as fast
without (SpMM with 32 uniform columns: 16 MB as fast with it as without, 64 MB 1.26 times)."""

LEAST_AHEAD_SIDE_BY_SIDE = 1.0
"""The same where the coordinates of several dimensions lie side by side, so that the loop waits for rows of several
factors (MTTKRP of a tensor with factors of 3 and 8 MB: 1.5 times as fast)."""

TILE_BYTES = 256
"""The widest tile of a row, 32 columns of float64, where half of the registers hold it: 4 vectors of AVX-512, 8 of AVX2
(SpMM with 32 columns: 1.15 to 1.2 times as fast as two passes with 4 of AVX2)."""

NARROW, LONG, VERY_LONG, HEAVY = 2, 20.0, 100.0, 0.1
"""Vectors of a tile up to which, and entries of a row from which, several accumulators pay: with one vector 1.1 to 1.5
times as fast with 24 to 27 entries in a row and on R-MAT, 1.9 with 316, and 2.4 to 2.9 with four; with two vectors 1.0
to 1.1 and 1.7; 0.9 to 0.97 times with 5 to 8 entries. The last is the share of the entries from which one row decides
(SpMM in cache, AVX2 and AVX-512)."""

WIDEST_BYTES = 512
"""The same where a tensor has several reduced levels, whose loops cost more than the arithmetic, and no factor is
larger than the cache of a core: MTTKRP of rank 64 is 1.1 to 1.4 times as fast with one pass for all columns as with
one for each half. With larger factors, whose lines the first pass loads for the second, it is 0.8 times as fast; SpMM
0.9 to 1.04 times."""


def register_tiles(program: Program) -> Proposal | None:
    """Needs the result's dimensions that the sparse operand has to be its outer levels, and the columns contiguous."""
    factors = program.factors
    if factors is None or len(program.sparse) != 1 or not program.is_dense(program.target):
        return None
    (driver,) = program.sparse
    column = program.column(driver)
    walk = _walk(program, driver, column) if column is not None else None
    if column is None or walk is None:
        return None
    if _mostly_zeros(program, driver, column):
        return None
    outer, reduced = walk
    names = program.names(also=program.order)
    groups = _groups(program, driver, reduced)
    parts = _parts(factors, groups)
    if not parts:  # the sum over a row of the driver is multiplied by nothing else
        return None
    width = _width(program, column, parts, several=len(reduced) > 1)
    if width is None:
        return None
    cut, tile, lane = column_tiles(program, column, width, names)
    commands = [*cut, f"reorder({', '.join((*outer, *tile, *reduced, lane))})", *_side_by_side(driver, groups, names)]
    sums, lanes, column_name = _sums(parts, column, lane, names)
    commands += sums
    beside = _propose_beside(program, driver, groups, width)
    commands += beside.schedule
    commands += [f"parallelize({name}, CPUVector, NoRaces)" for name in reversed(lanes)]
    vectors = f"{width} columns of {column} stay in registers across the sum over {', '.join(reduced)}"
    reasons = [f"{vectors}, and are stored once.", *beside.reasons]
    if cut[0].startswith("bound"):
        reasons.append(f"{column} has {program.sizes[column]} columns: with a constant no tile has to be tested.")
    inner = ", ".join(groups[-1])
    if len(parts) > 1:
        reasons.append(f"The sum over {inner} is a product of its own, multiplied once for each fibre.")
    if len(groups[-1]) > 1:
        reasons.append(f"{driver.tensor} stores {inner} side by side: one loop over positions, not one for each fibre.")
    ahead = _ahead(program, driver, parts[-1], column, column_name, len(groups[-1]))
    threads = on_threads(program, driver, names, cost=1 / program.lanes, row=outer[0])
    return Proposal(tuple(commands), tuple(reasons)).then(ahead).then(threads)


def _walk(program: Program, driver: Access, column: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The loops over the levels of ``driver`` that the result has, and those that are summed over. Of rows in slots
    each is iterated from slot to slot."""
    stored, target_loops = program.list_stored_variables(driver), program.target.indices[:-1]
    if not program.is_blocked(driver):
        outer, reduced = stored[: len(target_loops)], stored[len(target_loops) :]
        return (outer, reduced) if outer and set(outer) == set(target_loops) and reduced else None
    loop_order = [variable for variable in program.order if variable != column]
    loops = slotted_loops(program.signature.tensors[driver.tensor].format, loop_order)
    if loops is None or target_loops != stored[:1]:
        return None
    outer = (loops.block, loops.inside)
    return outer, tuple(variable for variable in loop_order if variable not in outer)


def _mostly_zeros(program: Program, driver: Access, column: str) -> bool:
    """Whether most rows of a result that no cache holds are zeros: these are written past the caches where they are all
    set before the sums, and those of a row in several lines of a cache (SpMM with 100 thousand entries in 800
    thousand rows: 1.4 times as fast with 128 columns, 1.1 with 32, 0.5 with 8)."""
    known, size, cache = program.statistics.get(driver.tensor), program.sizes.get(column), program.machine.cache_bytes
    if known is None or size is None or cache is None or len(program.list_stored_variables(driver)) != 2:
        return False
    row = size * program.element_bytes
    return row >= TILE_BYTES and known.empty > known.rows / 2 and known.rows * row > cache


def _propose_beside(program: Program, driver: Access, groups: tuple[tuple[str, ...], ...], width: int) -> Proposal:
    """Tiles of so few vectors that each addition would wait for the one before take several accumulators, where
    rows are long or one is."""
    known, (*outer, inner) = program.statistics.get(driver.tensor), groups
    vectors = width // program.lanes
    if known is None or outer or len(inner) > 1 or vectors > NARROW or program.is_blocked(driver):
        return Proposal((), ())
    if known.fibre_length < LONG and not (known.longest > LONG and known.longest > HEAVY * known.nonzeros):
        return Proposal((), ())
    count = 4 if vectors == 1 and known.fibre_length >= VERY_LONG else 2
    reason = (
        f"Rows are long, a tile has {vectors} vectors: {count} of each side by side, so no addition waits for another."
    )
    return Proposal((f"unroll({inner[0]}, {count})",), (reason,))


def column_tiles(program: Program, column: str, width: int, names: Names) -> tuple[list[str], tuple[str, ...], str]:
    """The commands that cut the columns, the loop over tiles where there are several, and the loop over lanes. A known
    number of columns that tiles divide becomes a constant (SpMM with 32: 1.2 times faster on a 5-point stencil)."""
    size = program.sizes.get(column)
    constant = size is not None and size % width == 0 and size <= MOST_COLUMNS
    if constant and size == width:
        lane = names.fresh(f"{column}1")
        return [f"bound({column}, {lane}, {size}, MaxExact)"], (), lane
    whole, cut = column, list[str]()
    if constant:
        whole = names.fresh(f"{column}b")
        cut.append(f"bound({column}, {whole}, {size}, MaxExact)")
    tile, lane = names.fresh(f"{column}0"), names.fresh(f"{column}1")
    return [*cut, f"split({whole}, {tile}, {lane}, {width})"], (tile,), lane


def _ahead(
    program: Program, driver: Access, part: tuple[Access, ...], column: str, column_name: str, beside: int
) -> Proposal:
    """The rows of the innermost factors, ``beside`` dimensions of whose coordinates lie side by side. Not where most
    rows of the result are empty: to store them is the work, and it waits for what is prefetched (SpMM with 100 thousand
    entries in 800 thousand rows: 0.85 times as fast). Not in fibres, which end before a prefetched row has arrived."""
    known = program.statistics.get(driver.tensor)
    nested = len(set(driver.indices) - set(program.target.indices)) > beside
    if known is None or known.mean < 1 or nested:
        return Proposal((), ())
    most = program.machine.core_caches(LEAST_AHEAD if beside == 1 else LEAST_AHEAD_SIDE_BY_SIDE)
    asked = Proposal((), ())
    for located in part:
        if located != driver:
            asked = asked.then(asked_ahead(program, driver, located, _spell(located, column, column_name), most))
    return asked


def _groups(program: Program, driver: Access, reduced: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The reduced variables, those whose coordinates lie side by side together: of a level that repeats coordinates and
    the singletons below it, one position is one entry."""
    levels = dict(
        zip(program.list_stored_variables(driver), program.signature.tensors[driver.tensor].format.levels, strict=False)
    )
    groups: list[tuple[str, ...]] = []
    for variable in reduced:
        level = levels.get(variable)
        kind = None if level is None else LEVEL_KINDS[level.kind]
        if groups and kind is not None and kind.lists_coordinates and kind.branchless:
            groups[-1] = (*groups[-1], variable)
        else:
            groups.append((variable,))
    return tuple(groups)


def _side_by_side(driver: Access, groups: tuple[tuple[str, ...], ...], names: Names) -> list[str]:
    """One loop over the positions of each group of several variables."""
    commands: list[str] = []
    for first, *others in groups:
        whole = first
        for variable in others:
            fused = names.fresh(f"{first}f")
            commands.append(f"fuse({whole}, {variable}, {fused})")
            whole = fused
        if others:
            commands.append(f"pos({whole}, {names.fresh(f'{first}p')}, {driver.tensor})")
    return commands


def _parts(factors: tuple[Access, ...], groups: tuple[tuple[str, ...], ...]) -> list[tuple[Access, ...]]:
    """For each reduced loop that adds a factor, outermost first: the factors that need it or a deeper one."""
    accesses: list[tuple[Access, ...]] = []
    for depth in range(len(groups)):
        within = {variable for group in groups[depth:] for variable in group}
        needing = tuple(access for access in factors if within & set(access.indices))
        if not accesses or len(needing) < len(accesses[-1]):
            accesses.append(needing)
    return [part for part in accesses if len(part) > 1]


def _width(program: Program, column: str, parts: list[tuple[Access, ...]], *, several: bool) -> int | None:
    """Columns of a tile: vectors that fit the registers, a divisor of the size where one is; None for few columns.
    Outer sums may leave the registers while the innermost one runs. ``several``: more than one level is reduced."""
    size, nested = program.sizes.get(column), min(len(parts), 2)
    fitting = tile_widths(program, nested)
    if size is None:
        return fitting[-1]
    dense = tuple(access for access in parts[0] if program.is_dense(access))
    widest = WIDEST_BYTES // program.machine.vector_bytes
    wide = several and 2 * widest * nested <= program.machine.registers and program.near_core(dense)
    exact = [program.lanes * widest, *fitting] if wide else fitting
    return first_width(size, exact, fitting)


def tile_widths(program: Program, together: int) -> list[int]:
    """Columns of a tile, the widest first, of which ``together`` fit half of the registers; one vector always does."""
    counts, machine = [1], program.machine
    while 2 * counts[-1] * machine.vector_bytes <= TILE_BYTES and 4 * counts[-1] * together <= machine.registers:
        counts.append(2 * counts[-1])
    return [program.lanes * count for count in reversed(counts)]


def first_width(size: int, exact: Sequence[int], fitting: Sequence[int]) -> int | None:
    """The first of the widths ``exact`` that divides the columns, else the first of ``fitting`` that they fill."""
    return next((width for width in exact if size % width == 0 and size), None) or next(
        (width for width in fitting if width <= size), None
    )


def _sums(parts: list[tuple[Access, ...]], column: str, lane: str, names: Names) -> tuple[list[str], list[str], str]:
    """One precompute for each part, the loops over lanes, outermost first, and what the column variable is called in
    the innermost: each renames it."""
    commands, lanes = [], [lane]
    column_name = column
    for part in parts:
        product = " * ".join(_spell(access, column, column_name) for access in part)
        copy, workspace = names.fresh(f"{lanes[-1]}w"), names.fresh("w")
        commands.append(f"precompute({product}, {lanes[-1]}, {copy}, {workspace})")
        column_name = names.fresh(f"{column_name}w")
        lanes.append(copy)
    return commands, lanes, column_name


def _spell(access: Access, column: str, column_name: str) -> str:
    indices = ",".join(column_name if index == column else index for index in access.indices)
    return f"{access.tensor}({indices})"
