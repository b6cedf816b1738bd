"""The shapes that make kernels fast are in the generated C: read from the text, not by a clock."""

from __future__ import annotations

import re

import pytest

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import suggest

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=None)
SPMM = ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, {"B": (100, 64)})
CSR = dict.fromkeys("ABC", "csr")


def code(
    expression: str, formats: dict[str, str], shapes: dict[str, tuple[int, ...]] | None = None, dtype: str = "float64"
) -> str:
    """The C of the kernel that the rules choose, from its signature on."""
    names = set(re.findall(r"([A-Za-z]\w*)\(", expression))
    plan = plan_from_arguments(expression, formats, dtypes=dict.fromkeys(names, dtype), shapes=shapes)
    source = suggest(plan, None, MACHINE).result.source
    assert source is not None
    return source.text[source.text.index("int32_t kernel(") :]


def innermost(text: str, variable: str) -> list[str]:
    """The bodies of all loops over ``variable``."""
    bodies = []
    for found in re.finditer(rf"for \(int64_t {variable} = [^{{]*{{", text):
        depth, place = 1, found.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
        bodies.append(text[found.end() : place - 1])
    assert bodies, f"no loop over {variable}"
    return bodies


def sums_in_a_register(text: str, variable: str, result: str) -> bool:
    """The loop adds to one scalar, without vectors, branches, or a look at the result."""
    return all(
        re.search(rf"{result}_sum \+= ", body) and f"{result}_vals" not in body and "if (" not in body
        for body in innermost(text, variable)
    )


def holds_tiles(text: str, variable: str, accumulator: str, result: str) -> bool:
    """The loop of full tiles adds to the registers of one vector, and stores nothing."""
    body = innermost(text, variable)[0]
    adds = re.search(rf"\bEACH_REGISTER\((r\d*), .*{accumulator}\[\1\] \+= ", body) is not None
    return adds and "store" not in body and f"{result}_vals" not in body and "if (" not in body


def test_spmv_sums_each_row_in_a_register_and_shares_rows_by_nonzeros() -> None:
    text = code("y(i) = A(i,j) * x(j)", {"A": "csr"})
    assert sums_in_a_register(text, "jA", "y")
    assert "omp simd" not in text  # An emulated gather is slower than scalar code.
    assert "atomic" not in text
    assert text.count("search_at_least_int32(A2_pos") == 2
    assert text.index("omp parallel for") < text.index("search_at_least_int32(A2_pos")


def test_spmv_on_blocks_of_one_column_adds_to_two_vectors_and_gathers_nothing() -> None:
    text = code("y(i) = A(i,j) * x(j)", {"A": "bcsr(8)"})
    body = innermost(text, "jA_trip")[0]
    assert body.count("load_f64v(&A_vals[") == 2
    assert "w[r] += " in body
    assert "w_1[r] += " in body
    assert all(word not in body for word in ("gather", "store", "y_vals", "if ("))


def test_ttv_sums_each_fibre_in_a_register() -> None:
    text = code("A(i,j) = B(i,j,k) * c(k)", {"B": "csf"})
    assert sums_in_a_register(text, "kB", "A")
    assert "omp simd" not in text
    assert "atomic" not in text


@pytest.mark.parametrize(("dtype", "vector", "columns"), [("float64", "f64v", 64), ("float32", "f32v", 64)])
def test_spmm_holds_a_tile_of_the_row_in_vectors(dtype: str, vector: str, columns: int) -> None:
    expression, formats, _ = SPMM
    text = code(expression, formats, {"B": (100, columns)}, dtype)
    assert holds_tiles(text, "jA", "w", "C")
    width = 32 if dtype == "float64" else 64
    assert f"{vector} w[{width} / VECTOR_LANES];" in text
    assert text.count(f"store_{vector}(&C_vals") == 1
    assert "atomic" not in text


@pytest.mark.parametrize(("format", "height", "loop"), [("bcsr(2)", 2, "jA"), ("bcsr(4,2)", 4, "j_inner")])
def test_spmm_on_blocks_holds_a_tile_of_each_row_in_vectors(format: str, height: int, loop: str) -> None:
    text = code(SPMM[0], {"A": format}, SPMM[2])
    body = innermost(text, loop)[0]
    assert all(f"w_{row}[r] += " in body for row in range(height))
    assert all(word not in body for word in ("store", "C_vals", "for ("))


def test_ttm_holds_a_tile_of_the_fibre_in_vectors() -> None:
    text = code("A(i,j,l) = B(i,j,k) * C(k,l)", {"B": "csf"}, {"C": (9, 32)})
    assert holds_tiles(text, "kB", "w", "A")


def test_mttkrp_multiplies_by_the_outer_factor_once_a_fibre() -> None:
    text = code("A(i,r) = B(i,k,l) * C(k,r) * D(l,r)", {"B": "csf"}, {"C": (9, 32)})
    assert holds_tiles(text, "lB", "w2", "A")
    assert "C_vals" not in innermost(text, "lB")[0]
    assert holds_tiles(text, "kB", "w", "A")
    assert "atomic" not in text


def test_sddmm_sums_in_vector_lanes_and_stores_once() -> None:
    text = code("C(i,j) = B(i,j) * D(i,k) * E(j,k)", {"B": "csr", "C": "csr"})
    assert re.search(r"#pragma omp simd reduction\(\+:C_sum\)\s+for \(int64_t k = ", text)
    assert all("C_vals" not in body for body in innermost(text, "k"))
    assert text.count("C_vals[") == 1


@pytest.mark.parametrize("expression", ["C(i,j) = A(i,k) * B(k,j)", "C(i,j) = A(i,j) + B(i,j)"])
def test_sparse_results_are_made_in_parallel_without_atomic_updates(expression: str) -> None:
    text = code(expression, CSR)
    assert text.count("omp for schedule") + text.count("omp parallel for schedule(guided)") == 2
    assert "atomic update" not in text
    assert not any("alloc" in body for body in innermost(text, "i1"))


def test_the_checks_see_a_kernel_without_the_shapes() -> None:
    plain = hd.lower(*SPMM[:2]).source
    assert plain is not None
    assert "store_f64v" not in plain.text
    scattered = hd.lower("y(i) = A(i,j) * x(j)", {"A": "csc"}).source
    assert scattered is not None
    assert not sums_in_a_register(scattered.text, "iA", "y")
    tail = innermost(code(*SPMM[:2]), "jA")[1]
    assert not holds_tiles(f"for (int64_t jA = 0; ; ) {{{tail}}}", "jA", "w", "C")
