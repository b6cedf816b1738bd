"""Temporaries that store some coordinates alone: with those of an operand, or assembled as results are."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import Severity
from heddle.formats.printer import format_text
from heddle.loop_ir.nodes import Allocate
from heddle.loop_ir.walk import statements
from heddle.notation.evaluation import evaluate
from heddle.runtime.devices.opencl_devices import devices
from tests.differential.check import check

ATTENTION = (
    "e(i,j) = P(i,j) * Q(i,k) * K(j,k); z(i,j) = P(i,j) * abs(e(i,j)); s(i) = z(i,j); y(i,k) = z(i,j) * V(j,k) * s(i)"
)
PATTERNS = [  # the temporary's arrays are those of an operand
    ("e(i,j) = P(i,j) * A(i,j); y(i) = e(i,j)", {"P": "csr"}),
    ("e(i,j) = P(i,j) * A(i,j); y(i) = e(i,j)", {"P": "csc"}),
    ("e(i,j) = P(i,j) * 2; f(i,j) = e(i,j) * 3; y(i,j) = f(i,j) * f(i,j)", {"P": "coo", "y": "coo"}),
    ("e(i,j) = P(i,j) * 2; y(i) = e(i,j) * x(j)", {"P": "dcsr"}),
    ("e(i,j) = P(i,j) * 2; y(i) = e(i,j) * x(j)", {"P": "bcsr(2,2)"}),
    ("e(i,j,k) = P(i,j,k) * x(k); y(i) = e(i,j,k)", {"P": "csf"}),
    ("e(i) = P(i) * x(i); y = e(i) * x(i)", {"P": "sparse"}),
    ("e(j,i) = P(i,j) * x(i); y(i) = e(j,i)", {"P": "csr"}),
    (ATTENTION, {"P": "csr"}),
]
ASSEMBLED = [
    ("e(i,j) = P(i,j) * A(i,j); y(i) = e(i,j)", {"P": "csr", "A": "csr"}),
    ("e(i,j) = P(i,j) + A(i,j); y(i,j) = e(i,j) + P(i,j)", {"P": "csr", "A": "csr", "y": "csr"}),
    ("e(i,j) = P(i,j) + A(i,j); y(i,j) = e(i,j) * x(j)", {"P": "dcsr", "A": "dcsr", "e": "coo", "y": "csr"}),
    ("e(i,k) = P(i,j) * A(j,k); y(i) = e(i,k) * x(k)", {"P": "csr", "A": "csr", "e": "csr"}),
    (
        "e(i,k) = P(i,j) * A(j,k); y(i,k) = e(i,k) * B(i,k)",
        {"P": "csr", "A": "csr", "B": "csr", "e": "csr", "y": "csr"},
    ),
    ("e(j,i) = P(i,j); y(i) = e(i,j) * x(j)", {"P": "csr", "e": "csr"}),
    ("e(j,i) = P(i,j); y(i) = e(i,j) * x(j)", {"P": "csr", "e": "dcsr"}),
    ("t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)", {"A": "dcsr", "t": "sparse"}),
    (
        "m(i) = max(j, P(i,j)); e(i,j) = P(i,j) * m(i); f(i,j) = e(i,j) + A(i,j); y(i) = f(i,j) + m(i)",
        {"P": "csr", "A": "csr"},
    ),
    ("t = P(i,j); e(i,j) = P(i,j) * t; y(i,j) = e(i,j) * t", {"P": "csr", "e": "coo", "y": "dcsr"}),
]


@pytest.mark.parametrize(("expression", "formats"), PATTERNS)
def test_a_temporary_has_the_coordinates_of_an_operand(expression: str, formats: dict[str, str]) -> None:
    result = hd.lower(expression, formats)
    assert not result.diagnostics
    assert result.signature is not None
    assert result.signature.stored_temporaries[:1] == ("e",)
    assert "e2_crd" not in result.source.text  # type: ignore[union-attr]
    assert "e1_crd" not in result.source.text  # type: ignore[union-attr]
    check(expression, formats)


@pytest.mark.combinations(2)
@pytest.mark.parametrize(("expression", "formats"), ASSEMBLED)
def test_a_temporary_is_assembled_as_a_result_is(expression: str, formats: dict[str, str]) -> None:
    check(expression, formats)


@pytest.mark.parametrize(
    ("schedule", "formats"),
    [
        ("parallelize(i, CPUThread, NoRaces); parallelize(i2, CPUThread, NoRaces)", {"P": "csr"}),
        ("split(i, i0, i1, 4); split(i2, i3, i4, 2)", {"P": "csr", "A": "csr"}),
        ("pos(j, jp, P); split(jp, j0, j1, 2)", {"P": "csr"}),
        ("fuse(i2, j2, f); pos(f, fp, e); split(fp, f0, f1, 4); parallelize(f0, CPUThread, Atomics)", {"P": "csr"}),
    ],
)
def test_commands_schedule_the_loops_of_a_stored_temporary(schedule: str, formats: dict[str, str]) -> None:
    expression = "e(i,j) = P(i,j) * A(i,j); y(i) = e(i,j)"
    result = hd.lower(expression, formats, schedule)
    assert result.signature is not None
    assert result.signature.stored_temporaries == ("e",)
    check(expression, formats, schedule)


@pytest.mark.parametrize(
    "first", ["P(i,j) = S(i,j) * abs(sum(k, Q(i,k) * K(j,k)))", "P(i,j) = S(i,j) * Q(i,k) * K(j,k)"]
)
def test_a_workspace_stays_with_the_stored_temporary_it_is_for(first: str) -> None:
    """`together` moved it in front of all statements, where the temporary's section was not seen: a KeyError."""
    schedule = "precompute(Q(i,k) * K(j,k), {i, j}, {iw, jw}, W); together(i2, i3)"
    check(f"{first}; s(i) = P(i,j); O(i,f) = P(i,j) * V(j,f) * s(i)", {"S": "csr"}, schedule)


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.skipif(not devices(), reason="there is no OpenCL device: no wheel of a runtime for this machine")
@pytest.mark.parametrize(("expression", "formats"), [PATTERNS[0], PATTERNS[-1], ASSEMBLED[0], ASSEMBLED[3]])
def test_a_device_stores_temporaries_too(expression: str, formats: dict[str, str]) -> None:
    assert hd.lower(expression, formats, target="cuda").source is not None
    check(expression, formats, targets=("opencl",))


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32", "complex64", "bool"])
def test_stored_temporaries_of_every_dtype(dtype: str) -> None:
    expression, random = (
        "e(i,j) = P(i,j) * A(i,j); f(i,j) = e(i,j) + P(i,j); y(i,j) = f(i,j) * A(i,j)",
        np.random.default_rng(1),
    )
    arrays = {name: (random.integers(0, 3, (6, 5)) * random.integers(0, 2, (6, 5))).astype(dtype) for name in "PA"}
    for target in ("interpreter", "c"):
        kernel = hd.compile(
            expression, {"P": "csr", "A": "csr", "y": "csr"}, target=target, dtypes=dict.fromkeys("PA", dtype)
        )
        assert kernel.signature.stored_temporaries == ("e", "f")
        assert kernel.result.assignment is not None
        np.testing.assert_array_equal(kernel(**arrays).to_numpy(), evaluate(kernel.result.assignment, arrays))


def test_positions_of_a_stored_temporary_may_have_64_bits() -> None:
    kernel = hd.compile("e(i,j) = P(i,j) + A(i,j); y(i) = e(i,j)", {"P": "csr", "A": "csr"})
    arrays = {name: np.diag([1.0, 2.0, 3.0]) for name in "PA"}
    wide = kernel._variants.choose(frozenset({"e"})).function
    widths = {s.array.name: s.array.dtype for s in statements(wide.body) if isinstance(s, Allocate)}
    assert widths["e2_crd"] == widths["e2_pos"] == "int64"
    np.testing.assert_array_equal(kernel(**arrays).to_numpy(), [2.0, 4.0, 6.0])


@pytest.mark.parametrize(
    ("expression", "formats", "stored"),
    [
        ("e(i,j) = P(i,j) + 1; y(i) = e(i,j)", {"P": "csr"}, "dense"),  # 1 where P stores nothing
        ("e(i,j) = max(P(i,j), 1); y(i) = e(i,j)", {"P": "csr"}, "dense"),
        ("e(i,k) = P(i,j) * A(j,k); y(i) = e(i,k)", {"P": "csr", "A": "csr"}, "dense"),  # no operand has i and k
        ("e(i,j) = P(i,j) / A(i,j); y(i) = e(i,j)", {"A": "csr"}, "dense"),
        ("e(i,j) = P(i,j) * 2; y(i) = e(i,j)", {"P": "sell(8,64)"}, "dense"),  # no kernel assembles it
        ("e(i,j) = P(i,j) * 2; y(i) = e(i,j)", {"P": "csr", "e": "dense"}, "dense"),
        ("e(i,j) = P(i,j) + A(i,j); y(i) = e(i,j)", {"P": "csr", "A": "csr"}, "csr"),
        ("e(j,i) = P(i,j) * 2; y(i) = e(j,i)", {"P": "csr"}, "csc"),
    ],
)
def test_a_format_is_inferred_from_what_decides_the_values(
    expression: str, formats: dict[str, str], stored: str
) -> None:
    result = hd.lower(expression, formats)
    assert not result.diagnostics
    assert result.signature is not None
    assert format_text(result.signature.temporaries["e"].format) == stored
    check(expression, formats)


def test_a_temporary_that_must_be_dense_says_why() -> None:
    result = hd.lower("e(i,j) = P(i,j) * 2; y(i,j) = e(j,i) * A(i,j)", {"P": "csr", "A": "csr"})
    (warning,) = result.diagnostics
    assert (warning.code, warning.severity) == ("format/dense-temporary", Severity.WARNING)
    assert warning.message == (
        "e has values only where P stores some, but is stored dense: as csr the program is refused: No loop order "
        "follows every tensor's storage order: e is stored j2→i2 and A is stored i2→j2. Convert one of them so that "
        "both are stored in the same order."
    )
    assert warning.fixes[0].title == "Store e dense"
    assert not hd.lower("e(i,j) = P(i,j) * 2; y(i) = e(i,j)", {"P": "csr"}, "inline(e)").diagnostics


def test_a_result_does_not_share_arrays_that_end_with_the_kernel() -> None:
    expression = "e(i,j) = P(i,j) * A(i,j); y(i,j) = e(i,j) * 2"
    shared = hd.compile(expression, {"P": "csr", "y": "csr"})
    copied = hd.compile(expression, {"P": "csr", "A": "csr", "y": "csr"})
    arrays = {"P": np.array([[0.0, 2.0], [3.0, 0.0]]), "A": np.array([[1.0, 5.0], [0.0, 1.0]])}
    packed = {"P": hd.pack(arrays["P"], "csr"), "A": arrays["A"]}
    for kernel in (shared, copied):
        np.testing.assert_array_equal(kernel(**packed).to_numpy(), arrays["P"] * arrays["A"] * 2)
    assert shared(**packed).stored == 2
    assert copied(**packed).stored == 1
