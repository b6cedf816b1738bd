"""Documents of algorithms, tensors and starts that do not fit: what is wrong is named with its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.document.canonical import to_document
from heddle.algorithms.document.reader import parse_algorithm
from heddle.diagnostics import Diagnostic
from tests.errors.decompositions.algorithms import TENSOR, document, run
from tests.errors.expect import refusal


def read(**parameters: object) -> Diagnostic:
    return refusal(lambda: parse_algorithm(document(**parameters)))


def path(diagnostic: Diagnostic) -> str | None:
    return diagnostic.location.path if diagnostic.location is not None else None


@pytest.mark.parametrize(
    ("rank", "found"), [(0, "the number 0"), (-1, "the number -1"), (2.5, "the number 2.5"), (4097, "the number 4097")]
)
def test_ranks(rank: object, found: str) -> None:
    diagnostic = read(rank=rank)
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/rank", "/parameters/rank")
    assert diagnostic.message == f"rank must be a whole number from 1 to 4096, found {found}"


def test_a_rank_is_needed() -> None:
    diagnostic = refusal(lambda: parse_algorithm({"algorithm": "cp-als"}))
    assert diagnostic.message == "rank must be a whole number from 1 to 4096, found nothing"


@pytest.mark.parametrize(
    ("parameters", "code", "place", "message"),
    [
        (
            {"tolerance": -1},
            "algorithm/tolerance",
            "tolerance",
            "tolerance must be a number that is 0 or more, found the number -1",
        ),
        (
            {"tolerance": float("nan")},
            "algorithm/tolerance",
            "tolerance",
            "tolerance must be a number that is 0 or more, found the number nan",
        ),
        (
            {"ridge": -0.5},
            "algorithm/ridge",
            "ridge",
            "ridge must be a number that is 0 or more, found the number -0.5",
        ),
        (
            {"seconds": "x"},
            "algorithm/seconds",
            "seconds",
            "seconds must be a number that is 0 or more, found the text `x`",
        ),
        (
            {"sweeps": 0},
            "algorithm/sweeps",
            "sweeps",
            "sweeps must be a whole number from 1 to 10000, found the number 0",
        ),
        (
            {"update": []},
            "algorithm/nothing-to-update",
            "update",
            "update names no mode, so nothing would change. Name at least one, or leave update out for all.",
        ),
        (
            {"iterations": 5},
            "algorithm/unknown-key",
            "iterations",
            "parameters has no entry `iterations`; did you mean sweeps?",
        ),
        (
            {"solver": "qr"},
            "plan/choice",
            "solver",
            "parameters.solver must be one of cholesky, minimum-norm, found the text `qr`",
        ),
        (
            {"reproducible": 1},
            "plan/type",
            "reproducible",
            "parameters.reproducible must be true or false, found the number 1",
        ),
        (
            {"start": {"kind": "zeros"}},
            "plan/choice",
            "start/kind",
            "parameters.start.kind must be one of uniform, normal, nvecs, given, found the text `zeros`",
        ),
        (
            {"start": {"kind": "given", "hash": "x"}},
            "algorithm/start",
            "start/hash",
            "a start that is given is named by its hash: sha256: and 64 hexadecimal digits, found the text `x`",
        ),
        (
            {"start": {"kind": "normal", "hash": "x"}},
            "algorithm/start",
            "start/hash",
            "a start that is drawn (normal) has no hash",
        ),
    ],
)
def test_parameters(parameters: dict[str, object], code: str, place: str, message: str) -> None:
    diagnostic = read(**parameters)
    assert (diagnostic.code, path(diagnostic)) == (code, f"/parameters/{place}")
    assert diagnostic.message == message


def test_unknown_algorithms() -> None:
    diagnostic = refusal(lambda: parse_algorithm({"algorithm": "cp-alz", "parameters": {"rank": 2}}))
    assert diagnostic.code == "algorithm/unknown"
    assert diagnostic.message == "there is no algorithm the text `cp-alz`. Known are cp-als, cp-apr, cp-opt."
    assert diagnostic.candidates[0] == "cp-als"
    assert refusal(lambda: parse_algorithm({"parameters": {"rank": 2}})).message == (
        "there is no algorithm without a name. Known are cp-als, cp-apr, cp-opt."
    )


def test_versions() -> None:
    diagnostic = refusal(lambda: parse_algorithm({"version": 7, **document()}))
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/version",
        "this Heddle reads algorithms of version 1, found the number 7",
    )


def test_targets() -> None:
    diagnostic = refusal(lambda: parse_algorithm({**document(), "target": "cuda"}))
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/target", "/target")
    assert diagnostic.message == "decompositions run their kernels as c, on CPUs, found cuda"
    assert diagnostic.hint == "Leave target out. A role opens as a plan of its own, whose target may be another."
    diagnostic = refusal(lambda: parse_algorithm({**document(), "target": "fpga"}))
    assert diagnostic.message == "target must be one of c, found the text `fpga`"


def test_single_precision() -> None:
    diagnostic = refusal(lambda: parse_algorithm({**document(tolerance=1e-9), "dtype": "float32"}))
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/dtype", "/dtype")
    assert diagnostic.message == (
        "decompositions compute in float64, found float32, for which fits near 1 that differ by less than 7e-04 "
        "are the same; the tolerance is 1e-09"
    )
    assert refusal(lambda: parse_algorithm({**document(), "dtype": "int8"})).message == (
        "dtype must be one of float64, found the text `int8`"
    )


def test_roles_have_no_expression() -> None:
    kernels = {"mttkrp.1": {"expression": "y(i) = x(i)", "schedule": []}}
    diagnostic = refusal(lambda: parse_algorithm({**document(), "kernels": kernels}))
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/role-expression", "/kernels/mttkrp.1/expression")
    assert diagnostic.message == (
        "mttkrp.1 has an expression, but what a role computes follows from the algorithm and the order of the tensor"
    )


def test_unknown_roles() -> None:
    diagnostic = run(kernels={"mttkrp.3": {}})
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/unknown-role", "/kernels/mttkrp.3")
    assert diagnostic.message == (
        "there is no kernel mttkrp.3 for a tensor of order 3. Known are mttkrp.0, mttkrp.1, mttkrp.2, tensor-norm."
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"order": [0, 1]}, "order must have each of 0, 1, 2 once, found 0, 1. Modes count from 0."),
        ({"order": [0, 1, 1]}, "order must have each of 0, 1, 2 once, found 0, 1, 1. Modes count from 0."),
        ({"update": [3]}, "update must have some of 0, 1, 2, each at most once, found 3. Modes count from 0."),
    ],
)
def test_modes(parameters: dict[str, object], message: str) -> None:
    diagnostic = run(**parameters)
    assert (diagnostic.code, diagnostic.message) == ("algorithm/modes", message)


def test_a_vector_has_no_decomposition() -> None:
    diagnostic = run(np.ones(5))
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/order",
        "X has 1 dimension; a decomposition needs a tensor of 2 to 9.",
    )


def test_values_that_are_not_finite() -> None:
    tensor = TENSOR.copy()
    tensor[1, 2, 3], tensor[0, 0, 1] = np.nan, np.inf
    diagnostic = run(tensor)
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/not-finite",
        "X has 2 values that are not finite: X(0, 0, 1) = inf; X(1, 2, 3) = nan. Every factor would be NaN after the "
        "first sweep.",
    )


def test_complex_values() -> None:
    diagnostic = run(TENSOR * 1j)
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/complex",
        "X holds complex values; decompositions are of real tensors.",
    )


@pytest.mark.parametrize(
    ("tensor", "what"),
    [
        (np.zeros((2, 3, 4)), "stores no entry"),
        ((([0], [1], [2]), [0.0], (2, 3, 4)), "has zeros alone"),
    ],
)
def test_tensors_without_a_norm(tensor: object, what: str) -> None:
    diagnostic = run(tensor)
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/zero-tensor",
        f"X {what}: its norm is 0, so no fit is defined and there is nothing to decompose.",
    )


def test_factors_that_no_machine_holds() -> None:
    columns = ([0], [0], [0])
    diagnostic = run((columns, [1.0], (10**9, 10**9, 10)), 4000)
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/too-large", "/parameters/rank")
    assert diagnostic.message.startswith(
        "The factors of rank 4000 and their products take 128,000,000,640,000 bytes, more than this machine has."
    )


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([(2, 2), (9, 2), (4, 2)], "Factor 1 of the start has the shape (9, 2); mode 1 needs (3, 2)."),
        ([(2, 3), (3, 3), (4, 3)], "Factor 0 of the start has the shape (2, 3); mode 0 needs (2, 2)."),
        ([(2, 2), (3, 2)], "The start has 2 factors; X has 3 modes."),
    ],
)
def test_starts_of_another_shape(shapes: list[tuple[int, int]], message: str) -> None:
    diagnostic = run(start=[np.ones(shape) for shape in shapes])
    assert (diagnostic.code, diagnostic.message) == ("algorithm/start", message)


def test_starts_that_are_not_finite() -> None:
    diagnostic = run(start=[np.full((2, 2), np.nan), np.ones((3, 2)), np.ones((4, 2))])
    assert diagnostic.message == "Factor 0 of the start must hold real, finite numbers."


def test_starts_that_are_not_there() -> None:
    named = f"sha256:{'0' * 64}"
    given = document(start={"kind": "given", "hash": named})
    factors = [np.ones((size, 2)) for size in (2, 3, 4)]
    assert refusal(lambda: hd.run(given, TENSOR)).message == (
        f"The document starts from the factors {named}, which are not given."
    )
    assert refusal(lambda: hd.run(given, TENSOR, factors)).message.startswith(
        f"The document starts from the factors {named}; those given are sha256:"
    )
    assert refusal(lambda: hd.run(document(), TENSOR, factors)).message == (
        "The document draws its start (uniform), but factors are given as well."
    )


def test_pinned_schedules_that_do_not_compile() -> None:
    kernels = {"mttkrp.1": {"tensors": {"X": {"format": "csf"}}, "schedule": ["split(j, j0, j1, 4)", "reorder(x, j0)"]}}
    diagnostic = run(kernels=kernels)
    assert path(diagnostic) == "/kernels/mttkrp.1/schedule/1"
    assert diagnostic.code == "schedule/unknown-variable"


def test_pinned_formats_of_another_order() -> None:
    diagnostic = run(kernels={"mttkrp.0": {"tensors": {"X": {"format": "csr"}}}})
    assert (diagnostic.code, path(diagnostic)) == ("format/order-mismatch", "/kernels/mttkrp.0/tensors/X/format")


def test_schedules_whose_result_depends_on_threads() -> None:
    schedule = ["fuse(i, j, f)", "fuse(f, k, g)", "pos(g, p, X)", "parallelize(p, CPUThread, Atomics)"]
    diagnostic = run(kernels={"mttkrp.2": {"tensors": {"X": {"format": "coo"}}, "schedule": schedule}})
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/depends-on-threads", "/kernels/mttkrp.2/schedule/3")
    assert diagnostic.message == (
        "mttkrp.2 must give the same bits for any number of threads, but after `parallelize(p, CPUThread, Atomics)` "
        "the CPUThreads of p add into V by atomic updates, in whichever order they come."
    )
    assert diagnostic.hint == "Use Temporary, or threads that take whole rows; or set reproducible to false."


@pytest.mark.parametrize(
    ("role", "kernel", "place", "message"),
    [
        (
            "mttkrp.0",
            {"method": "row"},
            "mttkrp.0/method",
            "the method of mttkrp.0 must be one of single, atomic, tiled, duplicated, permuted, rows, sorted, fibres, "
            "found the text `row`",
        ),
        (
            "mttkrp.0",
            {"method": "rows", "schedule": ["split(i, i0, i1, 4)"]},
            "mttkrp.0/method",
            "mttkrp.0 has a method and schedule, but the method rows says what these are",
        ),
        (
            "tensor-norm",
            {"method": "rows"},
            "tensor-norm/method",
            "tensor-norm has no method: methods are ways to compute an MTTKRP of the tensor, as mttkrp.0",
        ),
    ],
)
def test_methods(role: str, kernel: dict[str, Any], place: str, message: str) -> None:
    diagnostic = refusal(lambda: parse_algorithm({**document(), "kernels": {role: kernel}}))
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/method", f"/kernels/{place}")
    assert diagnostic.message == message


def test_methods_that_share_values_where_these_change() -> None:
    diagnostic = refusal(lambda: hd.cp_apr(TENSOR, 2, kernels={"mttkrp.1": {"method": "rows"}}))
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/method", "/kernels/mttkrp.1/method")
    assert diagnostic.message == (
        "mttkrp.1 cannot be computed by rows: cp-apr puts other values in the place of those of X for each mode, and "
        "in coo-perm:1,0,2 all modes share them."
    )


def test_methods_whose_result_depends_on_threads() -> None:
    diagnostic = run(kernels={"mttkrp.1": {"method": "permuted"}})
    assert diagnostic.code == "algorithm/depends-on-threads"
    assert diagnostic.message.startswith("mttkrp.1 must give the same bits for any number of threads")


def test_parameters_of_another_algorithm() -> None:
    given = {"algorithm": "cp-apr", "parameters": {"rank": 2, "ridge": 1}}
    diagnostic = refusal(lambda: parse_algorithm(given))
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/parameter", "/parameters/ridge")
    assert diagnostic.message == "cp-apr has no parameter ridge; it is one of cp-als"
    assert read(inner=3).message == "cp-als has no parameter inner; it is one of cp-apr"
    given = {"algorithm": "cp-apr", "parameters": {"rank": 2, "inner": 0}}
    assert refusal(lambda: parse_algorithm(given)).message == (
        "inner must be a whole number from 1 to 1000, found the number 0"
    )


def test_counts_below_zero() -> None:
    tensor = TENSOR.copy()
    tensor[1, 0, 2] = -3
    diagnostic = refusal(lambda: hd.cp_apr(tensor, 2))
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/negative-counts",
        "X has 1 value below 0, the first X(1, 0, 2) = -3.0: cp-apr is for counts. Use cp-als.",
    )


def test_starts_below_zero_for_counts() -> None:
    diagnostic = refusal(lambda: hd.cp_apr(TENSOR, 2, start="normal"))
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/start",
        "Factor 0 of the start has negative numbers; cp-apr needs a start without, as uniform.",
    )


def test_ratios_in_another_format_than_products_read() -> None:
    kernels = {
        "mttkrp.1": {"tensors": {"X": {"format": "csf:1,0,2"}}},
        "ratio.1": {"tensors": {"X": {"format": "csf"}, "W": {"format": "csf"}}},
    }
    diagnostic = refusal(lambda: hd.cp_apr(TENSOR, 2, kernels=kernels))
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/ratio-format", "/kernels/mttkrp.1/tensors/X/format")
    assert diagnostic.message == (
        "mttkrp.1 reads X as csf:1,0,2, but what it reads is the result of the ratio, which is stored as csf."
    )


def test_programs_to_compare_with() -> None:
    diagnostic = refusal(lambda: parse_algorithm(document() | {"run": {"baselines": ["pyttb", "gentan"]}}))
    assert (diagnostic.code, path(diagnostic)) == ("plan/choice", "/run/baselines/1")
    assert diagnostic.candidates == ("genten",)
    diagnostic = refusal(
        lambda: parse_algorithm(document() | {"algorithm": "cp-opt", "run": {"baselines": ["genten", "pyttb"]}})
    )
    assert (diagnostic.code, path(diagnostic)) == ("algorithm/baselines", "/run/baselines")
    assert diagnostic.message == "genten and pyttb are compared with cp-als alone, found cp-opt"
    read_back = parse_algorithm(document() | {"run": {"threads": 2, "baselines": ["pyttb", "pyttb"]}})
    assert to_document(read_back)["run"] == {"baselines": ["pyttb"], "threads": 2}
