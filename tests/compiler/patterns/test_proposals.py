"""What parameters look like, by their types."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.frontends.table import front_end_of
from heddle.patterns.proposals import formats, propose
from tests.compiler.patterns.programs import CASES


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("P1", {"A": "A", "xs": "xs"}),
        ("P2", {"lengths": "A.lengths", "cols": "A.crd", "vals": "A.vals", "xs": "xs"}),
        ("P3", {"offset": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs": "xs"}),
        ("P4", {"offset": "A.pos", "rows": "A.entries", "xs": "xs"}),
        ("P6", {"offset": "A.pos", "values": "A.vals"}),
        ("P7", {"L": "L", "xs": "xs"}),
        ("P8", {"offset": "A.pos", "bcols": "A.crd", "blocks": "A.vals", "xs": "xs"}),
        ("P11", {"cols": "A.crd", "vals": "A.vals", "xs": "xs"}),
    ],
)
def test_parts_by_type(name: str, arguments: dict[str, str]) -> None:
    assert propose(front_end_of("patterns").read(CASES[name].text)) == arguments


def test_formats_by_type() -> None:
    read = front_end_of("patterns").read
    assert formats(read(CASES["P11"].text)) == {"A": "ell"}
    assert formats(read(CASES["P3"].text)) == {}
    assert formats(read(CASES["P8"].text)) == {"A": "bcsr(4,4)"}


def test_proposed_formats_can_be_run() -> None:
    """``bcsr`` alone was proposed, and refused when the program ran."""
    proposals = {
        format for case in CASES.values() for format in formats(front_end_of("patterns").read(case.text)).values()
    }
    assert proposals >= {"bcsr(4,4)", "ell"}
    for format in proposals:
        hd.pack(np.eye(8), format)


def test_two_matrices_have_two_names() -> None:
    row = "toNat({0}@(i+1) - {0}@i)"
    text = (
        "nFun(A => fun(p: [int]_{A+1} => fun(q: [int]_{A+1} => "
        f"fun(a: [i -> [float]_{{{row.format('p')}}}]_A => fun(b: [i -> [float]_{{{row.format('q')}}}]_A => "
        "zip(a :>> map(reduce(+, 0.0)), b :>> map(reduce(+, 0.0))) :>> map(+))))))"
    )
    found = propose(front_end_of("patterns").read(text))
    assert found == {"p": "B.pos", "q": "C.pos", "a": "B.vals", "b": "C.vals"}  # A is a size
