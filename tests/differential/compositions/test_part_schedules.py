"""Schedules over the parts of an operand: selectors, one loop for all parts, and loops one after the other."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.runtime.devices import opencl_devices
from heddle.runtime.packing.pack import pack_operands
from tests.differential.check import check
from tests.differential.gpu.cuda_text import HAS_NVRTC, check_text

SPMM = "C(i,k) = A(i,j) * B(j,k)"
SPMV = "y(i) = A(i,j) * x(j)"
SCALED = "C(i,k) = alpha * A(i,j) * B(j,k) + D(i,k)"
WHOLE_ROWS = "concat(t, A[*])\nparallelize(t, CPUThread, NoRaces)"
TILES = "A[*]: split(i, i0, i1, 2)\nshare(i0, A[*])\nparallelize(i0, CPUThread, NoRaces)"
RANGES = "share(i_part, A[*])\nparallelize(i_part, CPUThread, NoRaces)"
ENTRIES = "A[*]: fuse(i, j, f)\nA[*]: pos(f, p, A)\nA[*]: split(p, b, y, 2 * (parts - part))\nconcat(t, A[*])\n"
SCHEDULES = (
    ("hyb(1,1)", TILES),
    ("pieces(2) where length <= 6 + dcsr", TILES),
    ("csr where length <= 2 + pieces(3) where row > 4 + csr", "share(i, A[0, 2])\nparallelize(i, CPUThread, NoRaces)"),
    ("csr where slot < 2 + csr", "A[*]: divide(i, i0, i1, 3)\nshare(i0, A[*])\nparallelize(i0, CPUThread, NoRaces)"),
    ("hyb(2,1,3)", RANGES),
    ("hyb(1,1,2,whole)", RANGES),
    ("bcsr(2,2) where tile(2,2) >= 3 + bcsr(2,2)", RANGES.replace("part", "block")),
    ("hyb(1,1,2,whole)", WHOLE_ROWS),
    ("hyb(1,1,whole)", WHOLE_ROWS),
    ("hyb(1,1,whole)", "concat(t, A[*])\nsplit(t, t0, t1, 3)\nparallelize(t0, CPUThread, NoRaces)"),
    ("dcsr where length > 3 + pieces(3)", WHOLE_ROWS),
    ("hyb(3,1)", "concat(t, A[*])\nparallelize(t, CPUThread, Atomics)"),
    ("hyb(3,1)", "concat(t, A[ell1, ell2])\nparallelize(t, CPUThread, Temporary)"),
    ("csr where row < 3 + csc", "concat(t, A[*])\nparallelize(t, CPUThread, Atomics)"),
    ("bcsr(2,2) where tile(2,2) >= 3 + csr", "concat(t, A[*])\nparallelize(t, CPUThread, Atomics)"),
    ("dia where depth >= 30 + csr", "concat(t, A[0..1])\nparallelize(t, CPUThread, Atomics)"),
    ("hyb(1,2)", "A[*]: pos(i, p, A)\nA[*]: split(p, b, y, 2 * (widest / width))\nconcat(t, A[*])"),
    ("hyb(3,1)", ENTRIES + "parallelize(t, CPUThread, Atomics)"),
    ("hyb(3,1)", "A[0]: pos(i, p, A)\nA[0]: split(p, b, y, max(width, 3))\nA[1]: unroll(j, width)"),
)


@pytest.mark.combinations(4, "expression")
@pytest.mark.parametrize("expression", [SPMM, SPMV, SCALED])
@pytest.mark.parametrize(("format", "schedule"), SCHEDULES)
def test_parts_together(expression: str, format: str, schedule: str) -> None:
    check(expression, {"A": format}, schedule)


@pytest.mark.parametrize("expression", ["s = A(i,j)", "y(j) = A(i,j) * x(i)", "y(i) = A(i,j) * A(i,j)"])
@pytest.mark.parametrize("strategy", ["Atomics", "Temporary"])
def test_other_results(expression: str, strategy: str) -> None:
    check(expression, {"A": "hyb(2,1)"}, f"concat(t, A[*])\nparallelize(t, CPUThread, {strategy})")
    share = f"A[*]: split(i, i0, i1, 3)\nshare(i0, A[*])\nparallelize(i0, CPUThread, {strategy})"
    check(expression, {"A": "hyb(1,1)"}, share)


def test_other_reductions_and_orders() -> None:
    rng = np.random.default_rng(3)
    matrix, x = np.where(rng.random((7, 9)) < 0.4, rng.random((7, 9)), np.inf), rng.random(9)
    for target in ("interpreter", "c"):
        fills = {"A": float("inf")}
        expression = "d(i) = min(j, A(i,j) + x(j))"
        schedule = WHOLE_ROWS.replace("t,", "g,")  # t is what the minimum of a row is computed in
        kernel = hd.compile(expression, {"A": "hyb(1,1,whole)"}, schedule, target=target, fills=fills)
        np.testing.assert_array_equal(kernel(A=matrix, x=x).to_numpy(), (matrix + x).min(1))
    check("C(i,j) = T(i,j,k) * x(k)", {"T": "csf where length >= 2 + coo"}, "concat(t, T[*])")


TILED = """A[*]: bound(k, k1, 5, MaxExact)
A[1..3]: unroll(j_in, width)
share(i_part, A[*])
parallelize(i_part, CPUThread, NoRaces)"""


def _graph(rows: int = 90, columns: int = 70) -> tuple[np.ndarray, np.ndarray]:
    """A matrix with rows of all lengths, empty ones too, and operands that are never met: inf and NaN."""
    rng = np.random.default_rng(7)
    dense = (rng.random((rows, columns)) < rng.random((rows, 1)) ** 3) * rng.standard_normal((rows, columns))
    dense[:, -1] = dense[3] = 0
    others = rng.standard_normal((columns, 5))
    others[-1] = [np.inf, np.nan, -np.inf, 1, np.nan]
    return dense, others


@pytest.mark.parametrize(
    ("format", "schedule"), [("hyb(1,5,whole)", WHOLE_ROWS), ("hyb(1,3)", TILES), ("hyb(4,3,8)", TILED)]
)
def test_equal_bits_for_any_number_of_threads(format: str, schedule: str) -> None:
    matrix, others = _graph()
    kernel = hd.compile(SPMM, {"A": format}, schedule)
    assert kernel.source is not None
    assert "#pragma omp parallel for" in kernel.source
    assert "atomic" not in kernel.source
    call = kernel.bind(**pack_operands({"A": matrix, "B": others}, kernel.signature))
    call.run()
    found = [call.output.to_numpy().copy()]
    for threads in (1, 2, 5):
        with hd.threads(threads):
            call.run()
        found.append(call.output.to_numpy().copy())
    np.testing.assert_allclose(found[0], matrix @ np.where(np.isfinite(others), others, 0), atol=1e-12)
    assert {one.tobytes() for one in found} == {found[0].tobytes()}


def test_parts_are_one_parallel_loop() -> None:
    source = hd.compile(SPMM, {"A": "hyb(1,2,whole)"}, WHOLE_ROWS).source or ""
    assert source.count("#pragma omp parallel for") == 2  # the zeros, and all parts
    assert source.count("else if") == 2


SPMM_ON_GPU = """A[*]: pos(i, p, A)
A[*]: split(p, b, y, 8 * (widest / width))
A[*]: split(k, k0, k1, 64)
A[*]: split(k1, k2, k3, 2)
A[*]: reorder(b, k0, y, k2, k3, j)
A[*]: parallelize(y, GPUWarp, Atomics)
A[*]: parallelize(k2, GPUThread, NoRaces)
concat(grid, A[*])
parallelize(grid, GPUBlock, IgnoreRaces)"""


def test_one_launch_for_all_parts() -> None:
    matrix, others = _graph()
    for target in ("opencl", "cuda"):
        result = hd.lower(SPMM, {"A": "hyb(2,3)"}, SPMM_ON_GPU, target=target)
        assert result.ok
        assert len(result.launches) == 1
    found = hd.compile(SPMM, {"A": "hyb(2,3)"}, SPMM_ON_GPU, target="interpreter")(A=matrix, B=others).to_numpy()
    np.testing.assert_allclose(found, matrix @ np.where(np.isfinite(others), others, 0), atol=1e-12)


@pytest.mark.parametrize("second", ["Atomics", "ParallelReduction"])
def test_threads_of_a_block_meet_between_parts_that_share_its_rows(second: str) -> None:
    """The first thread adds what it summed alone; in the next part each warp adds into the same rows."""
    schedule = (
        "share(i_part, A[*])\nparallelize(i_part, GPUBlock, IgnoreRaces)\n"
        f"parallelize(j_ell2_part, GPUWarp, {second})\nparallelize(j_ell2_in, GPUThread, Atomics)"
    )
    formats = {"A": "hyb(3,1,2)"}
    matrix, others = _graph()
    expression, x = "y(i) = A(i,j) * x(j)", np.nan_to_num(others[:, 0], posinf=0, neginf=0)
    found = hd.compile(expression, formats, schedule, target="interpreter")(A=matrix, x=x).to_numpy()
    np.testing.assert_allclose(found, matrix @ x, atol=1e-12)
    for target, barrier in (("cuda", "__syncthreads()"), ("opencl", "barrier(CLK")):
        result = hd.lower(expression, formats, schedule, target=target)
        assert result.source is not None
        source = result.source.text
        assert barrier in source[source.index("i_ell1_part = ") : source.index("j_ell2_part = ")]


def test_a_workspace_over_what_differs_from_range_to_range_is_refused() -> None:
    schedule = ["A[*]: divide(i_in, v, w, 3)", "A[0]: precompute(A(i,j), {w, j}, {a, b})"]
    (diagnostic,) = hd.lower("s = A(i,j)", {"A": "hyb(1,1,2,whole)"}, schedule).diagnostics
    assert diagnostic.code == "schedule/precompute-parts"
    assert "a workspace over them has no size. Keep i_ell1_part outside." in diagnostic.message


def test_all_parts_on_an_opencl_device(monkeypatch: pytest.MonkeyPatch) -> None:
    device = next((one for one in opencl_devices.devices() if one.sub_groups), None)
    if device is None:
        pytest.skip("no OpenCL device with sub-groups")
    monkeypatch.setenv(opencl_devices.CHOICE, device.platform)
    matrix, others = _graph()
    kernel = hd.compile(SPMM, {"A": "hyb(2,1)"}, SPMM_ON_GPU, target="opencl")
    call = kernel.bind(**pack_operands({"A": matrix, "B": others}, kernel.signature))
    call.run()
    call.run()
    expected = matrix @ np.where(np.isfinite(others), others, 0)
    np.testing.assert_allclose(call.output.to_numpy(), expected, atol=1e-12)


@pytest.mark.combinations(2)
@pytest.mark.skipif(not HAS_NVRTC, reason="NVRTC is not installed")
@pytest.mark.parametrize(("format", "schedule"), [("hyb(2,3)", SPMM_ON_GPU), ("hyb(1,2,whole)", "")])
def test_all_parts_as_cuda(format: str, schedule: str) -> None:
    check_text(hd.lower(SPMM, {"A": format}, schedule, target="cuda"))
