"""Programs that a person types over an example: what the example left behind is set aside, and what no input says has a
field, so that each runs and is verified after one press."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.pages.explorer import Explorer

MV = "def mv(float(M,K) A, float(K) x) -> (C) { C(i) +=! A(i,k) * x(k) }"
STRIDED = "def sconv(int sh, float(N,H) I, float(KH) W) -> (O) { O(n,h) +=! I(n,sh*h+kh) * W(kh) }"
TRIANGLE = (
    "nFun(n => fun(L: [i -> [double]_{i+1}]_n => fun(xs: [double]_n => L :>> mapi(fun(i => fun(row => "
    "zip(row, take(i+1)(xs)) :>> map(*) :>> reduce(+, 0)))))))"
)
MTTKRP = "A(i,r) = X(i,j,k) * B(j,r) * C(k,r)"


def sizes(page: Page) -> Locator:
    return page.get_by_role("region", name="Sizes", exact=True)


def use_numbers(page: Page) -> None:
    sizes(page).get_by_role("button", name=re.compile("^Use th")).click()
    expect(sizes(page).get_by_role("button")).to_have_count(0)


@pytest.mark.needs_server("POST /runs")
def test_what_the_example_left_behind_is_set_aside_and_the_program_runs(page: Page, explorer: Explorer) -> None:
    """It said for ever that x has 1 dimension, but its shape has 2 sizes."""
    explorer.choose_example("A layer with bias and activation")
    explorer.expression.write(MV)
    explorer.expect_compiled()
    aside = page.get_by_role("list", name="No longer in the plan")
    expect(aside).to_contain_text("Set aside: x 128 × 256")
    expect(sizes(page)).to_contain_text("No input says M and K.")
    use_numbers(page)
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()
    aside.get_by_role("button", name="Undo the edit").click()
    explorer.expect_compiled()
    expect(aside).to_have_count(0)

    explorer.expression.write("def f(float(P,Q) x) -> (O) { O(p) +=! x(p,q) }")
    expect(sizes(page)).to_contain_text("No input says P and Q.")
    aside.get_by_role("button", name="Bring back what was set aside for x").click()
    explorer.expect_compiled()
    expect(sizes(page)).to_have_count(0)
    expect(aside).to_have_count(0)


@pytest.mark.parametrize(
    ("example", "text", "said", "field", "value"),
    [
        ("A strided convolution", STRIDED, "No input says N, H, KH and sh.", "sh", "2"),
        (None, MTTKRP, "No input says i, j, k and r.", "size r", "8"),
        ("SpMV from types", TRIANGLE, "No input says n.", "size n", "40"),
    ],
)
@pytest.mark.needs_server("POST /runs")
def test_every_size_that_no_input_says_is_a_field(
    page: Page, explorer: Explorer, example: str | None, text: str, said: str, field: str, value: str
) -> None:
    if example is not None:
        explorer.choose_example(example)
    explorer.schedule.write("")
    explorer.expression.write(text)
    expect(sizes(page)).to_contain_text(said)
    use_numbers(page)
    sizes(page).get_by_label(field, exact=True).fill(value)
    expect(sizes(page)).to_contain_text(re.compile(r"Operands of .+ steps"))
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()
