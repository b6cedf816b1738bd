"""What lies in a clipboard after copying from a terminal, a PDF, a word processor or another system."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.pages.explorer import Explorer

IN_ONE_LINE = (
    ("y(i) = A(i,j) * x(j) * 2\n", "y(i) = A(i,j) * x(j) * 2"),
    ("y(i) =\r\n  A(i,j)\u00a0* x(j)\u2028", "y(i) = A(i,j) * x(j)"),
    ("t(i) = A(i,j) × x(j)\ny(i) = 2 ∗ t(i)", "t(i) = A(i,j) * x(j); y(i) = 2 * t(i)"),
)


def test_what_is_pasted_is_mended_or_one_repair_away(explorer: Explorer) -> None:
    """On one page, as somebody pastes one thing after the other."""
    for text, becomes in IN_ONE_LINE:
        explorer.expression.paste(text)
        explorer.expression.expect_text(becomes)
        explorer.expect_compiled()
        explorer.page.keyboard.press("Enter")
        explorer.expression.expect_text(becomes)

    explorer.expression.write("y(i) = A(i,j) * x(j)")
    explorer.schedule.paste("split(i，i0，i1，32); parallelize(i0, CPU-\nThread,\n NoRaces)")
    explorer.schedule.expect_text("split(i,i0,i1,32)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()

    # Commands of elsewhere.
    explorer.schedule.write("split(i, i0, i1, 32.0)\ns[y].parallel(i0)")
    explorer.expect_errors()
    explorer.schedule.fix("Write split(i, i0, i1, 32), and 1 more below it")
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()

    # An expression of NumPy's is said in index notation; the schedule stays.
    explorer.expression.write("y = np.einsum('ij,j->i', A, x)")
    explorer.expect_errors()
    expect(explorer.expression.problems).to_contain_text("here each operand is written with its own")
    explorer.expression.fix("Write y(i) = A(i,j) * x(j)")
    explorer.expect_compiled()
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")

    # A declaration of TACO's opens the reader.
    explorer.expression.box.click()
    explorer.expression.paste("Tensor<double> y({N}, dense); y(i) = A(i,j) * x(j);")
    expect(explorer.page.get_by_role("dialog", name="Read a plan from a text")).to_contain_text("It compiles.")
