"""A sparse operand times dense vectors, summed into its outer dimensions: SpMV, TTV (benchmarks/archive/kernels.md).

Each result has its own accumulator in a register. Vector lanes gather where the processor does it fast; elsewhere short
rows are scalar code, and long ones vectors whose elements are loaded one by one.
"""

from __future__ import annotations

from heddle.index_width import needs_wide
from heddle.loop_ir.dtypes import FLOATS, INTEGERS
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.prefetching import asked_ahead
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import on_threads

LONG = 20.0
"""Entries of a fibre from which several accumulators pay: 1.1 times faster at 24, 1.3 at 42, 1.7 at 100; slower
where fibres are short (SpMV in cache, one thread). Lanes that gather are 1.2 to 1.6 times as fast again."""

HEAVY = 0.1
"""Share of the entries from which one row decides how its sum is best made (a full row under five diagonals: 1.3 times
faster in four sums)."""

SUMS = 4

FEWEST_FORESEEN = 4.0
"""Entries of a row from which several sums pay where most rows are as long as the one before, so that the end of each
is foreseen: 1.2 times faster with 4 entries, 1.5 with 5, 1.8 with 20; slower with 2 (SpMV in cache, one thread)."""

MASKED_BYTES = 64
"""Vectors from which on instructions mask them. Below, sums in vectors are 1.5 times as fast as one sum with 27 entries
in a row and 2.3 times with 48, four scalar sums 1.1 and 1.6 times (AVX2); 1.2 and 1.4 with SSE (AMD Zen 5)."""

FEWEST_GATHERED = 2.0
"""Entries of a row from which lanes pay where rows are not foreseen: 1.3 to 2.2 times faster at 4 to 16 entries, for
the loop ends after one or two steps whatever the row (SpMV in cache, one thread)."""

UNFORESEEN = 0.08
"""Share of rows with another length than the row before, from which scalar loops lose more by wrong guesses of where a
row ends than lanes lose by what they leave empty."""


def row_sums(program: Program) -> Proposal | None:
    driver, target_indices = program.driver, set(program.target.indices)
    if (
        driver is None
        or program.list_other_variables(driver)
        or not target_indices
        or program.list_stored_variables(driver)[0] not in target_indices
    ):
        return None
    known = program.statistics.get(driver.tensor)
    if known is not None and program.has_rows(driver) and known.longest * program.machine.threads > known.nonzeros:
        shared = _shared_row(program)
        if shared is not None:
            return shared
    return in_registers(program, driver)


def in_registers(program: Program, driver: Access) -> Proposal:
    """The sum of each row in a register, or in the lanes of one, and rows on threads."""
    summed = _propose_gather(program, driver) or _in_vectors(program, driver) or _scalar(program, driver)
    return summed.then(on_threads(program, driver, program.names()))


def _propose_gather(program: Program, driver: Access) -> Proposal | None:
    """Eight entries of a row at once, where the processor gathers fast, and rows are long or their lengths vary."""
    known, inner = program.statistics.get(driver.tensor), program.list_stored_variables(driver)[-1]
    if known is None or not program.machine.gathers or not _takes_lanes(program, driver):
        return None
    if known.fibre_length >= LONG:
        which = f"A sum over {inner} has {known.fibre_length:.0f} entries on average"
    elif known.fibre_length >= FEWEST_GATHERED and known.changes >= UNFORESEEN:
        which = f"{known.changes:.0%} of the rows of {driver.tensor} are longer or shorter than the one before"
    else:
        return None
    reason = f"{which}: vector lanes gather eight entries at once; each result is summed in a register and stored once."
    return Proposal((f"parallelize({inner}, CPUVector, ParallelReduction)",), (reason,))


def _takes_lanes(program: Program, driver: Access) -> bool:
    """Whether entries of a row can be the lanes of vectors: with values of one type, and coordinates of 32 bits."""
    known, result = program.statistics.get(driver.tensor), program.signature.result
    alike = result.dtype in FLOATS and all(
        tensor.dtype == result.dtype for tensor in program.signature.tensors.values()
    )
    walked = (
        program.kinds(driver)[-1] == "compressed"
        and program.list_stored_variables(driver)[-1] not in program.target.indices
    )
    return known is not None and alike and walked and not needs_wide((*known.shape, known.nonzeros))


def _in_vectors(program: Program, driver: Access) -> Proposal | None:
    """Eight entries of a long row at once on processors that do not mask vectors: their elements are loaded one by one,
    multiplied and added up together, and what fills no vector follows alone."""
    known, inner = program.statistics.get(driver.tensor), program.list_stored_variables(driver)[-1]
    if known is None or program.machine.vector_bytes >= MASKED_BYTES or not _takes_lanes(program, driver):
        return None
    if known.fibre_length < LONG:
        return None
    which = f"A sum over {inner} has {known.fibre_length:.0f} entries on average"
    reason = f"{which}: eight entries at once in vectors, whose sums are added up after the row."
    return Proposal((f"parallelize({inner}, CPUVector, ParallelReduction)",), (reason,))


def _scalar(program: Program, driver: Access) -> Proposal:
    reason = (
        "Each result is summed in a register and stored once; scalar code, since this processor emulates "
        "gathers, which is slower."
    )
    for way in (_side_by_side, _ahead, _foreseen):
        more = way(program, driver)
        if more.schedule:
            return Proposal((), (reason,)).then(more)
    return Proposal((), (reason,))


def _ahead(program: Program, driver: Access) -> Proposal:
    """The elements of a vector that no cache holds (SpMV with 2 million entries in 160 million rows and columns: 2.5
    times as fast; of one that a cache holds: 1.1 to 1.7 times slower)."""
    inner = program.list_stored_variables(driver)[-1]
    vectors = [access for access in program.factors or () if access.indices == (inner,) and access != driver]
    if not vectors:
        return Proposal((), ())
    return asked_ahead(program, driver, vectors[0], to_text(vectors[0]), program.machine.cache_bytes)


def _side_by_side(program: Program, driver: Access) -> Proposal:
    """Long fibres in several sums, so no addition waits for the one before."""
    known, inner = program.statistics.get(driver.tensor), program.list_stored_variables(driver)[-1]
    if known is None or not _adds_in_turn(program, driver):
        return Proposal((), ())
    if known.fibre_length >= LONG:
        which = f"A sum over {inner} has {known.fibre_length:.0f} entries on average"
    elif (
        len(program.list_stored_variables(driver)) == 2
        and known.longest > LONG
        and known.longest > HEAVY * known.nonzeros
    ):
        which = f"One sum over {inner} has {known.longest:,} entries, {known.longest / known.nonzeros:.0%} of all"
    else:
        return Proposal((), ())
    return _in_several_sums(inner, which)


def _foreseen(program: Program, driver: Access) -> Proposal:
    """Short rows of one length in several sums: their loops end where the processor expects it."""
    known, (*_, inner) = program.statistics.get(driver.tensor), program.list_stored_variables(driver)
    if known is None or not _adds_in_turn(program, driver) or not program.has_rows(driver):
        return Proposal((), ())
    if known.fibre_length < FEWEST_FORESEEN or known.changes >= UNFORESEEN:
        return Proposal((), ())
    alike = f"{1 - known.changes:.0%} of the rows of {driver.tensor} are as long as the one before"
    return _in_several_sums(inner, alike)


def _adds_in_turn(program: Program, driver: Access) -> bool:
    """Whether the loop over entries adds up numbers whose sum depends on their order, which no compiler changes."""
    inner = program.list_stored_variables(driver)[-1]
    exact = program.signature.result.dtype in (*INTEGERS, "bool")  # gcc reorders these on its own
    walked = program.kinds(driver)[-1] in ("compressed", "singleton") and inner not in program.target.indices
    return walked and not exact


def _in_several_sums(inner: str, which: str) -> Proposal:
    reason = f"{which}: {SUMS} sums side by side, so no addition waits for the one before."
    return Proposal((f"unroll({inner}, {SUMS})",), (reason,))


def _shared_row(program: Program) -> Proposal | None:
    """One row is more than a thread's share: nonzeros are cut inside rows, and only what is shared is atomic."""
    (driver,) = program.sparse
    known, threads = program.statistics[driver.tensor], program.machine.threads
    work = program.work(driver)
    order = program.list_stored_variables(driver)
    if threads < 2 or len(order) != 2 or work is None or work < 10 * known.rows or not program.is_dense(program.target):
        return None
    names = program.names()
    fused = names.fresh("f")
    position, outer, inner = (names.fresh(fused + end) for end in ("pos", "pos0", "pos1"))
    size = max(1024, known.nonzeros // (8 * threads))
    commands = (
        f"fuse({order[0]}, {order[1]}, {fused})",
        f"pos({fused}, {position}, {driver.tensor})",
        f"split({position}, {outer}, {inner}, {size})",
        f"parallelize({outer}, CPUThread, Atomics)",
    )
    share = known.longest / known.nonzeros
    reason = f"One row of {driver.tensor} holds {share:.0%} of the nonzeros: tiles of {size:,} are cut inside rows."
    return Proposal(commands, (reason,))
