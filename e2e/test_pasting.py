"""What lies in a clipboard after copying from a terminal, a PDF, a word processor or another system."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from e2e.pages.explorer import Explorer


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("y(i) = A(i,j) * x(j) * 2\n", "y(i) = A(i,j) * x(j) * 2"),
        ("y(i) =\r\n  A(i,j)\u00a0* x(j)\u2028", "y(i) = A(i,j) * x(j)"),
        ("t(i) = A(i,j) × x(j)\ny(i) = 2 ∗ t(i)", "t(i) = A(i,j) * x(j); y(i) = 2 * t(i)"),
    ],
)
def test_an_expression_is_pasted_in_one_line(explorer: Explorer, text: str, becomes: str) -> None:
    explorer.expression.paste(text)
    explorer.expression.expect_text(becomes)
    explorer.expect_compiled()
    explorer.page.keyboard.press("Enter")
    explorer.expression.expect_text(becomes)


def test_a_schedule_is_pasted_with_one_command_per_line(explorer: Explorer) -> None:
    explorer.schedule.paste("split(i，i0，i1，32); parallelize(i0, CPU-\nThread,\n NoRaces)")
    explorer.schedule.expect_text("split(i,i0,i1,32)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()


def test_commands_of_elsewhere_are_one_repair_away(explorer: Explorer) -> None:
    explorer.schedule.write("split(i, i0, i1, 32.0)\ns[y].parallel(i0)")
    explorer.expect_errors()
    explorer.schedule.fix("Write split(i, i0, i1, 32), and 1 more below it")
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()


def test_an_expression_of_numpy_is_said_in_index_notation(explorer: Explorer) -> None:
    explorer.expression.write("y = np.einsum('ij,j->i', A, x)")
    explorer.expect_errors()
    expect(explorer.expression.problems).to_contain_text("here each operand is written with its own")
    explorer.expression.fix("Write y(i) = A(i,j) * x(j)")
    explorer.expect_compiled()
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")


def test_a_declaration_of_tacos_opens_the_reader(explorer: Explorer) -> None:
    explorer.expression.box.click()
    explorer.expression.paste("Tensor<double> y({N}, dense); y(i) = A(i,j) * x(j);")
    expect(explorer.page.get_by_role("dialog", name="Read a plan from a text")).to_contain_text("It compiles.")
