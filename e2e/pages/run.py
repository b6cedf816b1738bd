"""The Run pane: where the operands come from, the run itself, its timings and figures."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

RUN_MILLISECONDS = 120_000
"""A run measures for seconds on purpose, and builds the kernel first."""


STREAM = """
told => {
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    readyState = 1;
    constructor() {
      super();
      window.runStream = this;
      setTimeout(() => {
        for (const [name, data] of told) this.dispatchEvent(new MessageEvent(name, {data: JSON.stringify(data)}));
      });
    }
    close() {}
  };
}
"""


class Run:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.pane = page.get_by_role("region", name="Run", exact=True)
        self.button = self.pane.get_by_role("button", name="Run", exact=True)
        self.cancel = self.pane.get_by_role("button", name="Cancel", exact=True)
        self.outcome = self.pane.get_by_role("region", name="Result")
        self.status = self.outcome.locator(".run-status")
        self.announced = self.outcome.get_by_role("status").first
        self.problem = self.outcome.get_by_role("alert")
        self.timings = self.outcome.get_by_role("table", name="Timings of this kernel and of the baselines")

    def open_form(self) -> None:
        """Shows the choices of a run, which one line sums up before anything was run."""
        summary = self.pane.locator(".run-summary[aria-expanded=false]")
        expect(self.pane.locator(".run-form .inputs").or_(summary)).to_be_visible()
        if summary.count():
            summary.click()

    @property
    def machines(self) -> Locator:
        self.open_form()
        return self.pane.get_by_role("group").filter(has_text="Machines: ")

    @property
    def target(self) -> Locator:
        self.open_form()
        return self.pane.get_by_label("Target", exact=True)

    def input_of(self, tensor: str) -> Locator:
        self.open_form()
        return self.pane.get_by_label(f"Input of {tensor}", exact=True)

    def choose_dataset(self, tensor: str, name: str) -> None:
        self.input_of(tensor).select_option(f"dataset {name}")

    def choose_generator(self, tensor: str, name: str) -> None:
        self.input_of(tensor).select_option(f"generator {name}")

    def set_parameter(self, tensor: str, label: str, value: str) -> None:
        self.open_form()
        field = self.pane.get_by_role("group", name=f"Generator of {tensor}").get_by_label(label)
        field.fill(value)
        field.press("Tab")

    def upload(self, tensor: str, file: Path) -> None:
        self.open_form()
        self.pane.get_by_label(f"File for {tensor}").set_input_files(file)

    def input_problem(self, tensor: str) -> Locator:
        """The message under the input of a tensor, e.g. about a file that was refused."""
        return self.pane.locator("li", has=self.page.get_by_label(f"Input of {tensor}", exact=True)).get_by_role(
            "alert"
        )

    def compare_with(self, *titles: str) -> None:
        # What is ticked follows the operands of the plan, once it is compiled.
        expect(self.page.locator(".compile-words")).to_have_attribute("data-phase", "done")
        self.open_form()
        for title in ("SciPy", "MKL"):
            self.pane.get_by_role("checkbox", name=title).set_checked(title in titles)

    def height(self) -> float:
        """Of the whole pane, in pixels."""
        box = self.pane.bounding_box()
        assert box is not None
        return box["height"]

    def replace_events(self, *events: tuple[str, object]) -> None:
        """What the service would report of the next run, whose stream then stays open until ``cut_events``."""
        self.page.evaluate(STREAM, [list(event) for event in events])

    def cut_events(self) -> None:
        self.page.evaluate("window.runStream.onerror()")

    def start(self) -> None:
        self.button.click()
        expect(self.cancel).to_be_visible()

    def expect_verified(self) -> None:
        expect(self.outcome.get_by_text("✓ Verified against")).to_be_visible(timeout=RUN_MILLISECONDS)

    def row(self, label: str) -> Locator:
        """The timings of one kernel; a note may be after its name."""
        name = re.compile(rf"^{label}(?!,)")
        return self.timings.get_by_role("row").filter(has=self.page.get_by_role("rowheader", name=name))

    def open_figures(self) -> None:
        """They are folded until somebody asks."""
        self.outcome.get_by_text(re.compile("^Figures: ")).click()

    @property
    def figures(self) -> Locator:
        return self.outcome.get_by_role("tablist", name="Figures").get_by_role("tab")

    @property
    def plot(self) -> Locator:
        return self.outcome.locator(".plot .main-svg").first
