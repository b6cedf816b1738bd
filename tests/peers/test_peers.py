"""Programs of eight public test suites: each is right beside NumPy, or refused with the reason that its table lists.

The tables hold what those suites test as facts: expressions, formats and shapes. ``./heddle test`` runs each program in
one of its formats or more, ``./heddle test full`` in all of them.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.peers import (
    comprehension_library,
    finch_tensor,
    lagraph,
    mlir_convolutions,
    mlir_sparsifier,
    opt_einsum,
    pydata_sparse,
    pyttb,
    tensor_comprehensions,
    tensora,
)
from tests.peers.outcome import check
from tests.peers.program import Case, Program, expand

PEERS: dict[str, tuple[Program, ...]] = {
    "finch-tensor": finch_tensor.PROGRAMS,
    "lagraph": lagraph.PROGRAMS,
    "mlir": mlir_sparsifier.PROGRAMS + mlir_convolutions.PROGRAMS,
    "opt_einsum": opt_einsum.PROGRAMS,
    "pydata-sparse": pydata_sparse.PROGRAMS,
    "pyttb": pyttb.PROGRAMS,
    "tensor-comprehensions": tensor_comprehensions.PROGRAMS + comprehension_library.PROGRAMS,
    "tensora": tensora.PROGRAMS,
}
CASES = tuple(case for peer, programs in PEERS.items() for case in expand(peer, programs))
COMPUTED = tuple(case for case in CASES if case.program.refusal is None)
"""Those that also run as compiled C."""


def label(value: object) -> str:
    return value.label if isinstance(value, Case) else str(value)


@pytest.mark.combinations(6, "peer")
@pytest.mark.parametrize(("peer", "case"), [(case.peer, case) for case in CASES], ids=label)
def test_right_or_refused(peer: str, case: Case) -> None:
    check(case, "interpreter")


@pytest.mark.combinations(30, "peer")
@pytest.mark.parametrize(("peer", "case"), [(case.peer, case) for case in COMPUTED], ids=label)
def test_compiled_c_is_right(peer: str, case: Case) -> None:
    check(case, "c")


def test_there_are_programs_of_eight_peers() -> None:
    """A table that is cut, or a label that stands for two programs, would test less than it says."""
    programs = Counter({peer: len(table) for peer, table in PEERS.items()})
    assert len(PEERS) >= 8
    assert min(programs.values()) >= 40
    assert programs.total() >= 700
    assert len({(case.peer, case.label) for case in CASES}) == len(CASES) >= 2000
    listed = [case.program.refusal for case in CASES if case.program.refusal is not None]
    assert len(listed) >= 100
    assert all(code and reason for code, reason in listed)
