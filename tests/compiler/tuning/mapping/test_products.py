"""Products among the statements of a program: tiles in registers for those that are large enough."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.plan import Plan, TensorSpec
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import Suggestion, suggest
from tests.compiler.comprehensions.programs import CASES

pytestmark = pytest.mark.takes_turns(4)

MACHINE = Machine(2, 32, 16, 32 << 20, True, 1 << 20)
ATTENTION = (
    "def attention(float(B,K) Q, float(N,K) X, float(N,D) V) -> (O) { S(b,n) +=! Q(b,k) * X(n,k)  m(b) max=! S(b,n)  "
    "s(b) +=! exp(S(b,n) - m(b))  P(b,n) = exp(S(b,n) - m(b)) / s(b)  O(b,d) +=! P(b,n) * V(n,d) }"
)


def suggested(text: str, machine: Machine = MACHINE, **shapes: tuple[int, ...]) -> Suggestion:
    plan = Plan(text, {name: TensorSpec(shape=shape) for name, shape in shapes.items()}, language="comprehension")
    return suggest(plan, {}, machine)


def test_each_layer_of_a_network_is_in_tiles() -> None:
    """They were dot products, at half the speed: the rule for tiles saw kernels of one statement alone."""
    shapes = {"I": (128, 128), "W2": (128, 128), "W3": (64, 128), "W4": (32, 64), "B2": (128,), "B3": (64,)}
    found = suggested(CASES["mlp3"].text, **shapes, B4=(32,))
    assert found.rule == "statements"
    assert found.schedule[:6] == tuple(f"inline({name})" for name in ("O2_1", "O2_2", "O3_1", "O3_2", "O4_1", "O4_2"))
    assert "precompute(I(b3,n) * W2(o3,n), {b3, o3}, {b3w, o3w}, S)" in found.schedule
    assert [one for one in found.schedule if "CPUThread" in one] == [
        f"parallelize({loop}0, CPUThread, NoRaces)" for loop in ("o3w", "p3w", "q3w")
    ]
    assert found.reasons[0] == "6 rows times 16 columns of S stay in registers across the sum over n."


def test_small_products_stay_in_their_rows() -> None:
    shapes = {"I": (4, 8), "W2": (8, 8), "W3": (4, 8), "W4": (3, 4), "B2": (8,), "B3": (4,), "B4": (3,)}
    found = suggested(CASES["mlp3"].text, **shapes)
    assert found.schedule[0] == "together(b, b2)"
    assert not any(command.startswith("split") for command in found.schedule)


@pytest.mark.parametrize(("rows", "columns", "summed"), [(0, 5, 3), (4, 0, 3), (4, 5, 0), (0, 0, 0)])
def test_an_empty_product_is_computed(rows: int, columns: int, summed: int) -> None:
    """A tile of no rows, or of no columns, was a division by zero in the call."""
    options = {"schedule": "auto"}
    right = np.zeros((summed, columns))
    kernel = hd.compile("C(i,j) = D(i,j) + A(i,k) * B(k,j)", options=options)
    result = kernel(A=np.zeros((rows, summed)), B=right, D=np.ones((rows, columns))).to_numpy()
    np.testing.assert_array_equal(result, np.ones((rows, columns)))
    text = "def f(float(M,K) A, float(K,N) B) -> (C) { C(i,j) +=! A(i,k) * B(k,j) }"
    kernel = hd.compile(text, language="comprehension", options=options)
    result = kernel(A=np.zeros((rows, summed), "f"), B=right.astype("f")).to_numpy()
    np.testing.assert_array_equal(result, np.zeros((rows, columns), "f"))


@pytest.mark.combinations(2)
@pytest.mark.parametrize("machine", [MACHINE, Machine(1, 32, 16, 32 << 20, True, 1 << 20)])
def test_attention_is_two_products_and_rows_between_them(machine: Machine) -> None:
    shapes = {"Q": (40, 16), "X": (48, 16), "V": (48, 32)}
    found = suggested(ATTENTION, machine, **shapes)
    assert {"split(n, n0, n1, 16)", "split(d, d0, d1, 16)", "together(b2, b3)", "together(b2, b4)"} <= {*found.schedule}
    assert "inline(P)" not in found.schedule  # exponentials would be taken again for each column
    assert any(command.startswith("precompute(exp(") for command in found.schedule)
    kernel = hd.compile(ATTENTION, language="comprehension", schedule="; ".join(found.schedule))
    random = np.random.default_rng(3)
    given = {name: random.standard_normal(shape).astype("float32") for name, shape in shapes.items()}
    scores = np.exp(given["Q"] @ given["X"].T)
    expected = scores / scores.sum(1, keepdims=True) @ given["V"]
    np.testing.assert_allclose(kernel(**given).to_numpy(), expected, rtol=1e-4, atol=1e-4)


def test_a_pruned_layer_is_no_dense_product() -> None:
    text = "def two(float(B,N) I, float(O,N) W) -> (R) { T(b,o) +=! I(b,n) * W(o,n)  R(b,o) = fmaxf(T(b,o), 0) }"
    tensors = {"I": TensorSpec(shape=(128, 128)), "W": TensorSpec("csr", shape=(128, 128))}
    found = suggest(Plan(text, tensors, language="comprehension"), {}, MACHINE)
    assert not any(command.startswith("split") for command in found.schedule)


GEMM = "float a, float b, float(N,M) A, float(M,K) B, float(N,K) C0, float(K) c"
EPILOGUES = {
    "a scaled matrix in front": (
        "C(i,j) = b*C0(i,j)  C(i,j) += a*A(i,k)*B(k,j)",
        lambda a, b, A, B, C0, c: b * C0 + a * (A @ B),
    ),
    "a copy, scaled in place": (
        "C(i,j) = C0(i,j)  C(i,j) = b*C(i,j)  C(i,j) += A(i,k)*a*B(k,j)",
        lambda a, b, A, B, C0, c: b * C0 + a * (A @ B),
    ),
    "a bias in front, a threshold behind": (
        "C(i,j) = c(j)  C(i,j) += A(i,k)*B(k,j)  C(i,j) = fmax(C(i,j), 0)",
        lambda a, b, A, B, C0, c: np.maximum(A @ B + c, 0),
    ),
    "a scale and a matrix behind": (
        "C(i,j) +=! A(i,k)*B(k,j)  C(i,j) = a*C(i,j) + b*C0(i,j)",
        lambda a, b, A, B, C0, c: b * C0 + a * (A @ B),
    ),
    "subtracted, the other operand scaled": (
        "C(i,j) = C0(i,j)  C(i,j) += -A(i,k)*(B(k,j)/a)",
        lambda a, b, A, B, C0, c: C0 - A @ B / a,
    ),
}


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", EPILOGUES)
def test_a_product_with_elementwise_statements_around_it_is_in_tiles(name: str) -> None:
    """Figure 1 of tensor comprehensions, ``C = b*C; C += a*A*B``, was a dot product down the columns of B."""
    body, compute = EPILOGUES[name]
    random = np.random.default_rng(7)
    shapes = {"a": (), "b": (), "A": (50, 40), "B": (40, 72), "C0": (50, 72), "c": (72,)}
    values = {operand: random.standard_normal(shape).astype("float32") for operand, shape in shapes.items()}
    values["a"] = np.float32(1.5)
    values["C0"][3, 5], values["A"][7, 1], values["B"][1, 9] = np.nan, np.inf, 0  # inf * 0 is nan, too
    text = f"def gemm({GEMM}) -> (C) {{ {body} }}"
    suggestion = suggested(text, **shapes)
    assert any(reason.endswith("stay in registers across the sum over k.") for reason in suggestion.reasons)
    kernel = hd.compile(text, language="comprehension", schedule=suggestion.schedule)
    with np.errstate(invalid="ignore"):
        expected = compute(**values)
    np.testing.assert_allclose(kernel(**values).to_numpy(), expected, rtol=1e-4, atol=1e-4)


def test_an_operand_that_numbers_scale_is_scaled_once() -> None:
    text = f"def gemm({GEMM}) -> (C) {{ {EPILOGUES['a scaled matrix in front'][0]} }}"
    schedule = suggested(text, a=(), b=(), A=(64, 64), B=(64, 64), C0=(64, 64), c=(64,)).schedule
    assert "precompute(a * A(i2w,k), {i2w, k}, {i2ws, ks}, Q)" in schedule


def test_a_sum_inside_an_expression_of_index_notation_is_in_tiles() -> None:
    sizes = {"A": (64, 64), "B": (64, 64), "D": (64, 64)}
    tensors = {name: TensorSpec("dense,dense", shape=shape) for name, shape in sizes.items()}
    tensors["C"] = TensorSpec("dense,dense")
    suggestion = suggest(Plan("C(i,j) = b * D(i,j) + a * A(i,k) * B(k,j)", tensors), {}, MACHINE)
    assert "precompute(a * A(i,k) * B(k,j), {i, j}, {iw, jw}, S)" in suggestion.schedule


def test_sums_at_stored_coordinates_are_not_computed_at_all_others() -> None:
    """An array over all pairs took 170 times as long, and memory for each of them."""
    sizes = {"S": (512, 512), "Q": (512, 16), "K": (512, 16), "V": (512, 16)}
    tensors = {name: TensorSpec("csr" if name == "S" else "dense", shape=shape) for name, shape in sizes.items()}
    text = "P(i,j) = S(i,j) * exp(sum(k, Q(i,k) * K(j,k))); s(i) = P(i,j); O(i,f) = P(i,j) * V(j,f) / s(i)"
    suggestion = suggest(Plan(text, tensors), {}, MACHINE)
    assert suggestion.schedule
    assert not any("{i, j}" in command for command in suggestion.schedule)


SCALES = {
    "behind": ("C(i,j) +=! A(i,k)*B(k,j)*a", lambda a, b, A, B, C0, c: (A @ B) * a),
    "around": ("C(i,j) +=! -(a*(A(i,k)*B(k,j)))/b", lambda a, b, A, B, C0, c: -(A @ B) * a / b),
    "of rows and columns": (
        "C(i,j) +=! C0(i,0)*(A(i,k)*B(k,j))*c(j)",
        lambda a, b, A, B, C0, c: C0[:, :1] * (A @ B) * c,
    ),
    "behind a statement": (
        "C(i,j) = b*C0(i,j)  C(i,j) += A(i,k)*B(k,j)*a",
        lambda a, b, A, B, C0, c: b * C0 + (A @ B) * a,
    ),
    "between statements": (
        "C(i,j) = c(j)  C(i,j) += a*(A(i,k)*B(k,j))  C(i,j) = fmax(C(i,j), 0)",
        lambda a, b, A, B, C0, c: np.maximum(a * (A @ B) + c, 0),
    ),
}


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", SCALES)
def test_a_scale_of_the_product_scales_the_sum(name: str) -> None:
    """Each product was scaled: twice the arithmetic, and without tiles behind another statement."""
    body, compute = SCALES[name]
    random = np.random.default_rng(5)
    shapes = {"a": (), "b": (), "A": (50, 40), "B": (40, 72), "C0": (50, 72), "c": (72,)}
    values = {operand: random.standard_normal(shape).astype("float32") for operand, shape in shapes.items()}
    values["A"][7, 1], values["B"][1, 9], values["c"][3] = np.inf, 0, np.nan
    text = f"def gemm({GEMM}) -> (C) {{ {body} }}"
    suggestion = suggested(text, **shapes)
    tile = next(command for command in suggestion.schedule if command.endswith(", w)"))
    assert tile.startswith("precompute(A(")
    assert tile.count("*") == 1
    assert any(
        reason.endswith("scales each sum once, not each product: last digits may differ.")
        for reason in suggestion.reasons
    )
    kernel = hd.compile(text, language="comprehension", schedule=suggestion.schedule)
    with np.errstate(invalid="ignore"):
        expected = compute(**values)
    np.testing.assert_allclose(kernel(**values).to_numpy(), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("result", ["int32", "int64", "float64"])
def test_integers_are_scaled_once_summed(result: str) -> None:
    """Products of int32 wrap around, before they are scaled and behind; those of a wider result are formed as wide."""
    text, formats = "C(i,j) = A(i,k) * B(k,j) * a", {"C": "dense,dense"}
    dtypes = {"A": "int32", "B": "int32", "a": "float64" if result == "float64" else "int32", "C": result}
    tensors = {name: TensorSpec(formats.get(name), shape=(64, 64), dtype=dtypes[name]) for name in "AB"}
    tensors |= {"a": TensorSpec(shape=(), dtype=dtypes["a"]), "C": TensorSpec(formats["C"], dtype=result)}
    suggestion = suggest(Plan(text, tensors), {}, MACHINE)
    assert any(reason.startswith("What scales") for reason in suggestion.reasons)
    kernel = hd.compile(text, formats=formats, dtypes=dtypes, schedule=suggestion.schedule)
    random = np.random.default_rng(9)
    left, right = (random.integers(-3000, 3000, (64, 64)).astype("int32") for _ in "AB")
    scale = np.array(1001, dtypes["a"])
    wide = np.multiply(left[:, :, None], right[None], dtype=result)
    expected = np.sum(wide * scale.astype(result), axis=1, dtype=result)
    np.testing.assert_array_equal(kernel(A=left, B=right, a=scale).to_numpy(), expected)


CONVOLUTIONS = {
    "plain": ("O(n,m,h,w) +=! I(n,c,h+kh,w+kw) * W(m,c,kh,kw)", 1, 1),
    "strided": ("O(n,m,h,w) +=! I(n,c,2*h+kh,2*w+kw) * W(m,c,kh,kw)", 2, 1),
    "dilated": ("O(n,m,h,w) +=! I(n,c,h+2*kh,w+2*kw) * W(m,c,kh,kw)", 1, 2),
    "with a bias": ("O(n,m,h,w) = b(m)  O(n,m,h,w) += I(n,c,h+kh,w+kw) * W(m,c,kh,kw)", 1, 1),
}


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_a_convolution_is_a_product_of_windows_that_are_copied(name: str) -> None:
    """Strided and dilated windows ran without any command, ten times as long as a copy and a matrix product."""
    body, stride, dilation = CONVOLUTIONS[name]
    random = np.random.default_rng(11)
    images = random.standard_normal((2, 5, 27, 43)).astype("float32")
    weights = random.standard_normal((11, 5, 3, 3)).astype("float32")
    images[1, 2, 20, 42], weights[3, 1, 1, 1] = np.inf, np.nan  # beside the lanes beyond the last column
    values = {"I": images, "W": weights}
    bias = random.standard_normal(11).astype("float32") if name == "with a bias" else np.zeros(11, "float32")
    parameters = ", float(M) b" if name == "with a bias" else ""
    values |= {"b": bias} if parameters else {}
    text = f"def conv(float(N,C,H,V) I, float(M,C,KH,KW) W{parameters}) -> (O) {{ {body} }}"
    suggestion = suggested(text, **{operand: value.shape for operand, value in values.items()})
    assert suggestion.reasons[0].endswith("stay in registers across the sum over c, kh, kw.")
    kernel = hd.compile(text, language="comprehension", schedule=suggestion.schedule)
    span = 2 * dilation + 1
    windows = np.lib.stride_tricks.sliding_window_view(images, (span, span), (2, 3))
    windows = windows[:, :, ::stride, ::stride, ::dilation, ::dilation]
    with np.errstate(invalid="ignore"):
        expected = np.einsum("nchwij,mcij->nmhw", windows, weights) + bias[:, None, None]
    np.testing.assert_allclose(kernel(**values).to_numpy(), expected, rtol=1e-3, atol=1e-3)
    assert "_lanes[" in kernel.source  # the last tile is computed whole, and what leaves it tests its lane


def test_rows_that_are_looked_up_are_no_product_of_windows() -> None:
    text = "def f(float(E,K) T, int(N) J, float(K,M) B) -> (O) { O(n,m) +=! T(J(n),k) * B(k,m) }"
    assert suggested(text, T=(64, 64), J=(64,), B=(64, 64)).rule != "dense-product"


def test_lanes_read_every_other_element() -> None:
    """A maximum of windows of two ran without any command."""
    text = "def pool(float(N,H,V) I) -> (O) { O(n,h,w) max=! I(n,2*h+kh,2*w+kw) where kh in 0:2, kw in 0:2 }"
    images = np.random.default_rng(5).standard_normal((3, 20, 45)).astype("float32")
    images[1, 4, 7] = np.inf
    suggestion = suggested(text, Machine(1, 32, 16, 32 << 20, True, 1 << 20), I=images.shape)
    assert suggestion.schedule == ("reorder(n, h, kh, kw, w)", "parallelize(w, CPUVector, NoRaces)")
    kernel = hd.compile(text, language="comprehension", schedule=suggestion.schedule)
    expected = np.maximum.reduce([images[:, a::2, b : b + 43 : 2][:, :10, :22] for a in (0, 1) for b in (0, 1)])
    np.testing.assert_array_equal(kernel(I=images).to_numpy(), expected)
    step_of_three = text.replace("2*w", "3*w")
    assert not any("CPUVector" in command for command in suggested(step_of_three, I=images.shape).schedule)
