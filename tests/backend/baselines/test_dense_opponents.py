"""Which dense programs are timed beside NumPy, with right values, and why not where they are not."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest

from heddle.measuring.baselines import numpy as baseline
from heddle.measuring.baselines import scipy, torch
from heddle.measuring.baselines.choose import baselines_for
from heddle.measuring.baselines.dense import array_libraries
from heddle.measuring.baselines.dense.array_libraries import NumpyArrays
from heddle.measuring.baselines.dense.programs import translate
from heddle.measuring.baselines.dense.torch_arrays import TorchArrays
from heddle.measuring.contender import Contender, Problem, Unavailable, operands_by_format
from heddle.measuring.inputs.make_inputs import make_inputs
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verified import references_of
from heddle.measuring.verification.verify import compare
from heddle.pipeline import lower
from heddle.plan import parse_plan
from tests.backend.baselines import torch_stand_in

Shapes = dict[str, tuple[int, ...]]

SUMS = "S(n,g) +=! I(n,g,d,h,w)  Q(n,g) +=! I(n,g,d,h,w) * I(n,g,d,h,w) "
NORMALISED = (
    "(I(n,g,d,h,w) - S(n,g) / (D*H*W)) * rsqrt(Q(n,g) / (D*H*W) - S(n,g) * S(n,g) / (float(D*H*W) * (D*H*W)) + 1e-2)"
)
NORMAL: Shapes = {"I": (2, 3, 2, 4, 5)}

PROGRAMS: dict[str, tuple[str, Shapes, tuple[str, ...]]] = {
    "mv": ("def mv(float(M,K) A, float(K) x) -> (C) { C(i) +=! A(i,k) * x(k) }", {"A": (6, 5)}, ("ab,b->a",)),
    "sgemm": (
        "def sgemm(float a, float b, float(N,M) A, float(M,K) B, float(N,K) C0) -> (C) "
        "{ C(i,j) = b*C0(i,j)  C(i,j) += a*A(i,k)*B(k,j) }",
        {"A": (6, 5), "B": (5, 7)},
        ("ab,bc->ac",),
    ),
    "fcrelu": (
        "def fcrelu(float(B,I) x, float(O,I) W, float(O) c) -> (O1) "
        "{ O1(b,n) = c(n)  O1(b,n) += x(b,i)*W(n,i)  O1(b,n) = fmax(O1(b,n), 0) }",
        {"x": (6, 5), "W": (4, 5)},
        ("ab,cb->ac",),
    ),
    "tmm": (
        "def tmm(float(M,K) A, float(N,K) B) -> (C) { C(m,n) +=! A(m,k) * B(n,k) }",
        {"A": (6, 5), "B": (4, 5)},
        ("ab,cb->ac",),
    ),
    "tbmm": (
        "def tbmm(float(B,N,M) X, float(B,K,M) Y) -> (Z) { Z(b,n,k) +=! X(b,n,m) * Y(b,k,m) }",
        {"X": (2, 6, 5), "Y": (2, 4, 5)},
        ("abc,adc->abd",),
    ),
    "conv2d": (
        "def conv2d(float(N,C,H,W) I, float(F,C,KH,KW) K) -> (O) { O(n,f,h,w) +=! I(n,c,h+kh,w+kw) * K(f,c,kh,kw) }",
        {"I": (2, 3, 7, 8), "K": (4, 3, 3, 2)},
        ("abcdef,gbde->agcf",),
    ),
    "strided, dilated, with a bias": (
        "def conv(int s, float(N,C,H) I, float(F,C,K) W, float(F) B) -> (O) "
        "{ O(n,f,h) = B(f) where n in 0:N, h in 0:5  O(n,f,h) += I(n,c,s*h+3*k) * W(f,c,k) where h in 0:5 }",
        {"I": (2, 3, 20), "W": (4, 3, 3)},
        ("abcd,ebd->aec",),
    ),
    "gconv": (
        "def gconv(float(N,G,C,H,W) I, float(G,F,C,KH,KW) K) -> (O) "
        "{ O(n,g,o,h,w) +=! I(n,g,i,h+kh,w+kw) * K(g,o,i,kh,kw) }",
        {"I": (2, 2, 3, 6, 6), "K": (2, 4, 3, 3, 3)},
        ("abcdefg,bhcef->abhdg",),
    ),
    "maxpool": (
        "def maxpool(float(B,C,H,W) I) -> (O) { O(b,c,i,j) max=! I(b,c,2*i+kw,2*j+kh) where kw in 0:2, kh in 0:2 }",
        {"I": (2, 3, 6, 8)},
        (),
    ),
    "conv1d": (
        "def conv1d(float(M) I, float(N) K) -> (O) { O(i) +=! K(x) * I(i+x) }",
        {"I": (9,), "K": (3,)},
        ("a,ba->b",),
    ),
    "channels last": (
        "def last(float(H,W,C) I, float(KH,KW,C,F) K) -> (O) { O(h,w,f) +=! I(2*h+kh,w+kw,c) * K(kh,kw,c,f) }",
        {"I": (9, 7, 3), "K": (3, 2, 3, 4)},
        ("abcde,bcef->adf",),
    ),
    "softmax in three": (
        "def softmax(float(N,D) I) -> (O) { m(n) max=! I(n,d)  s(n) +=! exp(I(n,d)-m(n))  "
        "O(n,d) = exp(I(n,d)-m(n)) / s(n) }",
        {"I": (6, 5)},
        (),
    ),
    "no softmax": (
        "def other(float(N,D) I) -> (O) { m(n) max=! I(n,d)  s(n) +=! exp(I(n,d)-m(n))  "
        "O(n,d) = exp(m(n)-I(n,d)) / s(n) }",
        {"I": (6, 5)},
        (),
    ),
    "group norm": (
        f"def norm(float(N,G,D,H,W) I) -> (O) {{ {SUMS} O(n,g,d,h,w) = {NORMALISED} }}",
        NORMAL,
        ("abcde,abcde->ab",),
    ),
    "group norm by channel": (
        "def norm(float(N,G,D,H,W) I, float(G,D) gamma, float(G,D) beta) -> (O) "
        f"{{ {SUMS} O(n,g,d,h,w) = gamma(g,d) * {NORMALISED} + beta(g,d) }}",
        NORMAL,
        ("abcde,abcde->ab",),
    ),
    "softmax": (
        "def softmax(float(N,D) I) -> (O, m, s) { m(n) max=! I(n,d)  O(n,d) = exp(I(n,d)-m(n))  "
        "s(n) +=! O(n,d)  O(n,d) = O(n,d)/s(n) }",
        {"I": (6, 5)},
        (),
    ),
    "1LUT": (
        "def lut(float(E,D) T, int32(B,L) I) -> (O) { O(b,d) +=! T(I(b,l),d) }",
        {"T": (20, 4), "I": (6, 3)},
        (),
    ),
    "mttkrp": (
        "def mttkrp(float(I,K,L) B, float(K,J) C, float(L,J) D) -> (A) { A(i,j) +=! B(i,k,l)*C(k,j)*D(l,j) }",
        {"B": (4, 5, 6), "C": (5, 3), "D": (6, 3)},
        ("abc,bd,cd->ad",),
    ),
    "a product": ("C(i,j) = A(i,k) * B(k,j)", {"A": (6, 5), "B": (5, 7)}, ("ab,bc->ac",)),
    "scaled, with a summand": ("y(i) = 2*A(i,j)*x(j) - z(i)", {"A": (6, 5)}, ("ab,b->a",)),
    "accumulated": ("y(i) += A(i,j)*x(j)", {"A": (6, 5)}, ("ab,b->a",)),
    "batched": ("C(b,i,j) = A(b,i,k) * B(b,k,j)", {"A": (2, 6, 5), "B": (2, 5, 3)}, ("abc,acd->abd",)),
    "a maximum": ("y(i) = max(j, A(i,j))", {"A": (6, 5)}, ()),
    "terms that are summed": ("y(i) = max(A(i,j), 0) + A(i,j)/x(j)", {"A": (6, 5)}, ()),
    "a transposed copy": ("C(j,i) = A(i,j)", {"A": (6, 5)}, ()),
}


def dense_problem(text: str, shapes: Shapes, **more: Any) -> tuple[Problem, Reference]:
    """The operands of a run of this program, and its reference, which is not computed by what is tested."""
    document: dict[str, Any] = {"version": 2, "expression": text, **more}
    if text.startswith("def "):
        document.update(
            language="comprehension", tensors={name: {"shape": list(shape)} for name, shape in shapes.items()}
        )
        document.update({"sizes": {"s": 2}} if "int s" in text else {})
    else:
        inputs = {name: {"generator": "dense", "seed": 1, "shape": list(shape)} for name, shape in shapes.items()}
        document["inputs"] = inputs
    plan = parse_plan(document)
    result = lower(plan)
    result.raise_errors()
    assert result.assignment is not None
    assert result.signature is not None
    inputs_ = make_inputs(plan, result.assignment, result.signature, {})
    references = references_of(plan, result.assignment, result.signature, inputs_.operands, inputs_.sizes)
    operands = operands_by_format(inputs_.operands, result.signature)
    problem = Problem(result.assignment, result.signature, operands, inputs_.sizes, 1, None)
    return problem, references[result.signature.result.name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_numpy_computes_dense_programs(name: str) -> None:
    text, shapes, einsums = PROGRAMS[name]
    problem, reference = dense_problem(text, shapes)
    prepared = baseline.prepare(problem)
    assert isinstance(prepared, Contender), prepared
    prepared.call()
    assert compare(prepared.result(), reference, problem.dtype)["ok"]
    assert prepared.result().flags.c_contiguous
    calls = translate(problem, NumpyArrays()).calls
    assert tuple(call.removesuffix(" or tensordot") for call in calls) == tuple(f'einsum("{text}")' for text in einsums)
    assert [step["name"] for step in prepared.preparation] == ["plan"]


@pytest.mark.parametrize("subscripts", ["ab,bc->ac", "abcdef,gbde->agcf", "abc,adc->abd", "ab,ab->ab", "ab,cd->abcd"])
def test_both_ways_of_contracting_give_the_same(subscripts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    letters = subscripts.partition("->")[0].split(",")
    operands = [rng.random([2 + "abcdefg".index(letter) for letter in term]) for term in letters]
    call = NumpyArrays().einsum(subscripts, [operand.shape for operand in operands])
    batched = subscripts in ("abc,adc->abd", "ab,ab->ab", "ab,cd->abcd")
    assert call.name == f'einsum("{subscripts}")' + ("" if batched else " or tensordot")
    for _ in range(2):  # each of them, whatever the clock says
        monkeypatch.setattr("heddle.measuring.baselines.dense.array_libraries._least_seconds", lambda *_: 0.0)
        if not batched:
            assert isinstance(call.function, array_libraries._Fastest)
            call.function._candidates = call.function._candidates[::-1]
            call.function._chosen = None
        np.testing.assert_allclose(call.function(*operands), np.einsum(subscripts, *operands))


def test_the_note_says_what_is_called_and_on_how_many_threads() -> None:
    prepared = baseline.prepare(dense_problem(*PROGRAMS["sgemm"][:2])[0])
    assert isinstance(prepared, Contender)
    assert prepared.note == (
        'einsum("ab,bc->ac") or tensordot, whichever was faster in the first call; the order of contractions was found '
        "before; up to 1 threads in its products."
    )
    prepared = baseline.prepare(dense_problem(*PROGRAMS["maxpool"][:2])[0])
    assert isinstance(prepared, Contender)
    assert prepared.note == "One thread: NumPy's operations by element use only one."


@pytest.mark.parametrize(
    ("text", "shapes", "more", "reason"),
    [
        (
            "y(i) = A(i,j) * x(j)",
            {"A": (6, 5)},
            {"tensors": {"A": {"format": "csr"}}},
            "A is sparse, and NumPy's arrays are dense.",
        ),
        (
            "def f(float(N) x) -> (y) { y(i) = x(i) > 0 ? x(i) : 0 }",
            {"x": (6,)},
            {},
            "NumPy is not compared here yet for conditions and values of indices.",
        ),
        (
            "y(i) max= A(i,j)",
            {"A": (6, 5)},
            {},
            "NumPy is not compared here yet for max= in index notation.",
        ),
    ],
)
def test_numpy_says_why_it_takes_no_part(text: str, shapes: Shapes, more: dict[str, Any], reason: str) -> None:
    problem, _ = dense_problem(text, shapes, **more)
    assert baseline.prepare(problem) == Unavailable("numpy", "NumPy", reason)


def test_arrays_that_do_not_fit_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heddle.measuring.baselines.dense.programs.MOST_ELEMENTS", 100)
    prepared = baseline.prepare(dense_problem(*PROGRAMS["conv2d"][:2])[0])
    reason = "NumPy is not compared here yet for intermediate arrays of 1,260 elements."
    assert prepared == Unavailable("numpy", "NumPy", reason)


def test_dense_programs_have_numpy_beside_them_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = dense_problem("y(i) = A(i,j) * x(j)", {"A": (6, 5)})[0]
    plan = parse_plan({"version": 2, "expression": "y(i) = A(i,j) * x(j)"})
    monkeypatch.setattr("heddle.measuring.baselines.choose.find_spec", lambda name: None)
    assert baselines_for(plan, dense) == ["numpy", "mkl"]
    monkeypatch.setattr("heddle.measuring.baselines.choose.find_spec", lambda name: object())
    assert baselines_for(plan, dense) == ["numpy", "torch", "mkl"]
    chosen = parse_plan({"version": 2, "expression": "y(i) = A(i,j) * x(j)", "run": {"baselines": ["scipy"]}})
    assert baselines_for(chosen, dense) == ["scipy"]
    sparse = dense_problem("y(i) = A(i,j) * x(j)", {"A": (6, 5)}, tensors={"A": {"format": "csr"}})[0]
    assert baselines_for(plan, sparse) == ["scipy", "mkl"]
    # Nothing that runs on the processor beside a kernel for a GPU, unless somebody asks for it.
    for target, names in (("opencl", []), ("cuda", ["cusparse"])):
        mapped = parse_plan({"version": 2, "expression": "y(i) = A(i,j) * x(j)", "target": target})
        assert baselines_for(mapped, sparse) == names
    asked = parse_plan({"version": 2, "expression": "y(i) = x(i)", "run": {"baselines": ["mkl", "scipy"]}})
    assert baselines_for(asked, sparse) == ["mkl", "scipy"]
    # A convolution is a call of scipy.signal; a product of matrices in the same language is NumPy's.
    assert baselines_for(plan, dense_problem(*PROGRAMS["conv2d"][:2])[0]) == ["numpy", "scipy", "torch", "mkl"]
    assert baselines_for(plan, dense_problem(*PROGRAMS["tmm"][:2])[0]) == ["numpy", "torch", "mkl"]


TORCH = {
    "mv": 'einsum("ab,b->a")',
    "sgemm": 'einsum("ab,bc->ac")',
    "fcrelu": 'einsum("ab,cb->ac")',
    "tbmm": "bmm",
    "batched": "bmm",
    "conv2d": "conv2d",
    "strided, dilated, with a bias": "conv1d",
    "gconv": "conv2d",
    "conv1d": "conv1d",
    "channels last": "conv2d",
    "group norm": "group_norm",
    "group norm by channel": "group_norm",
    "softmax in three": "softmax",
    "no softmax": "operations by element",
    "maxpool": "operations by element",
    "softmax": "softmax",
    "1LUT": "embedding_bag",
}


@pytest.mark.parametrize("name", TORCH)
def test_torch_has_its_own_functions_for_dense_programs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where PyTorch is not in the environment, a stand-in shows which functions are called, and that the results
    fit."""
    if find_spec("torch") is None:
        monkeypatch.setitem(sys.modules, "torch", cast("ModuleType", torch_stand_in))
    problem, reference = dense_problem(*PROGRAMS[name][:2])
    prepared = torch.prepare(problem)
    assert isinstance(prepared, Contender), prepared
    prepared.call()
    assert compare(prepared.result(), reference, problem.dtype)["ok"]
    version = sys.modules["torch"].__version__
    assert prepared.note == f"{TORCH[name]} of torch {version}, 1 threads; results allocated by each call."
    assert prepared.threads == problem.threads


CONVOLUTIONS = ("conv1d", "conv2d", "gconv", "channels last", "strided, dilated, with a bias")


@pytest.mark.parametrize("method", ["direct", "fft"])
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_scipy_convolves_by_either_method(name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scipy.signal.choose_conv_method", lambda *_: method)
    problem, reference = dense_problem(*PROGRAMS[name][:2])
    prepared = scipy.prepare(problem)
    assert isinstance(prepared, Contender), prepared
    prepared.call()
    assert compare(prepared.result(), reference, problem.dtype)["ok"]
    assert prepared.note == "scipy.signal.correlate of each image and filter, on one thread."


def test_scipy_takes_no_part_where_a_convolution_would_take_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, _ = dense_problem(*PROGRAMS["conv2d"][:2])
    monkeypatch.setattr("heddle.measuring.baselines.dense.signal_arrays.MOST_PRODUCTS", 100)
    reason = "SciPy is not compared here yet for a convolution of 8,064 products."
    assert scipy.prepare(problem) == Unavailable("scipy", "SciPy", reason)
    assert baselines_for(parse_plan({"version": 2, "expression": "y(i) = x(i)"}), problem)[:2] == ["numpy", "mkl"]


def test_subscripts_that_run_backwards_are_no_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", cast("ModuleType", torch_stand_in))
    text = "def back(float(N) I, float(K) W) -> (O) { O(i) +=! I(i+4-k) * W(k) where k in 0:5, i in 0:6 }"
    prepared = torch.prepare(dense_problem(text, {"I": (10,), "W": (5,)})[0])
    reason = "PyTorch is not compared here yet for subscripts that run backwards, which tensors have not."
    assert prepared == Unavailable("torch", "PyTorch", reason)


@pytest.mark.parametrize(
    ("images", "channels", "where"), [(2, 3, " where n in 0:1"), (2, 5, "")], ids=["images", "channels"]
)
def test_a_convolution_of_a_part_of_the_images_or_channels_is_no_call_of_a_convolution(
    images: int, channels: int, where: str
) -> None:
    text = (
        "def part(float(N,D,H,W) I, float(F,C,KH,KW) K) -> (O) "
        f"{{ O(n,f,h,w) +=! I(n,c,h+kh,w+kw) * K(f,c,kh,kw){where} }}"
    )
    problem = dense_problem(text, {"I": (images, channels, 7, 8), "K": (4, 3, 3, 2)})[0]
    assert translate(problem, TorchArrays(torch_stand_in)).calls == ('einsum("abcdef,gbde->agcf")',)
