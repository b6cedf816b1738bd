"""Every panel as a scene: the address that opens it and what is done there. Pictures are taken of them, and axe sees
each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from e2e.server import ROOT
from heddle.frontends.table import front_end_of

Plan = dict[str, Any]


def spmv(*schedule: str, **more: Any) -> Plan:
    return {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}} | {
        "schedule": schedule,
        **more,
    }


def example(start: str) -> Plan:
    (file,) = (ROOT / "backend" / "heddle_server" / "examples").glob(f"{start}*.json")
    plan: Plan = json.loads(file.read_text(encoding="utf-8"))["plan"]
    return plan


BALANCED = spmv("fuse(i, j, f)", "pos(f, fpos, A)", "split(fpos, p0, p1, 3)", "parallelize(p0, CPUThread, Atomics)")
PLAIN = spmv()
RACE = spmv("parallelize(j, CPUThread, NoRaces)")
BLOCKS = PLAIN | {"tensors": {"A": {"format": "bcsr(2,3)"}}}
MTTKRP = example("10")
SPGEMM = example("15")
GPU = example("11")
ADDITION = example("07")
SPMM = PLAIN | {"expression": "C(i,k) = A(i,j) * B(j,k)"}
HYB = PLAIN | {"tensors": {"A": {"format": "hyb(2,1)"}}}
LAYER = example("28")
CONVOLUTION = example("29")
PATTERNS = {"version": 2, "language": "patterns", "expression": front_end_of("patterns").example}


WAITING = re.compile(
    "^(?:Loading(?: the lessons)?…|Counting …|Running on small data…|Folding the schedule back…"
    "|Looking at the tensor …)$"
)
"""What stands where something is still to come."""


def nothing(page: Page) -> None:
    """The scene is its plan and its view."""


def press(role: Literal["button", "tab"], name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role(role, name=name).first.click()


def command(name: str) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        page.keyboard.press("Control+k")
        page.keyboard.type(name)
        page.keyboard.press("Enter")

    return choose


def choose_other_plan(page: Page) -> None:
    page.get_by_text("Choose the other plan").click()


def lesson(page: Page) -> None:
    command("Do the lessons")(page)
    page.get_by_role("dialog", name="Lessons").get_by_role("button", name="What a format stores").click()


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: what is opened, and what is done there."""

    plan: Plan
    view: dict[str, Any] = field(default_factory=dict)
    act: Callable[[Page], None] = nothing

    @property
    def address(self) -> str:
        return "/#j1." + quote(json.dumps(self.plan | {"view": self.view}))

    def open(self, page: Page) -> None:
        """Goes there, and waits until everything is drawn."""
        page.goto(self.address)
        Explorer(page).wait_until_settled()
        self.act(page)
        wait_until_drawn(page)


@dataclass(frozen=True, slots=True)
class Apart:
    """A page of its own, which no plan opens."""

    address: str
    shows: str

    def open(self, page: Page) -> None:
        page.goto(self.address)
        expect(page.get_by_text(self.shows).first).to_be_visible()
        wait_until_drawn(page)


def wait_until_drawn(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)  # layouts are computed in a worker, and nothing says that they are drawn
    # What was fetched may have brought more to fetch, and small data to run on.
    expect(page.get_by_text(WAITING)).to_have_count(0)
    page.wait_for_load_state("networkidle")


def understand(plan: Plan, tab: str, **view: str) -> Scene:
    return Scene(plan, {"understand": tab, "front": "understand", **view})


def code(plan: Plan, tab: str) -> Scene:
    return Scene(plan, {"code": tab, "front": "code"})


def compared(tab: str, act: Callable[[Page], None] = nothing) -> Scene:
    plan = BALANCED | {"compare": PLAIN | {"name": "No schedule"}}
    return Scene(plan, {"compare": tab, "front": "understand"}, act)


SCENES: dict[str, Scene | Apart] = {
    "define": Scene(BALANCED),
    "define-empty": Scene(PLAIN),
    "define-race": Scene(RACE),
    "define-rows": Scene(BALANCED, {"schedule": "rows"}),
    "define-next": Scene(PLAIN, {"next": True}),
    "define-blocks": Scene(BLOCKS),
    "define-spgemm": Scene(SPGEMM),
    "graphs": understand(BALANCED, "graphs"),
    "graphs-plain": understand(PLAIN, "graphs"),
    "graphs-mttkrp": understand(MTTKRP, "graphs"),
    "graphs-spgemm": understand(SPGEMM, "graphs"),
    "graphs-gpu": understand(GPU, "graphs"),
    "iteration": understand(SPGEMM, "iteration"),
    "provenance": understand(SPGEMM, "provenance"),
    "provenance-plain": understand(PLAIN, "provenance"),
    "provenance-numbers": Scene(
        BALANCED, {"understand": "provenance", "front": "understand"}, press("button", "Numbers")
    ),
    "space": understand(BALANCED, "space"),
    "space-compare": understand(BALANCED, "space", space="compare"),
    "space-cuts": understand(BALANCED, "space", space="cuts"),
    "space-workers": understand(BALANCED, "space", space="workers"),
    "space-writes": understand(BALANCED, "space", space="writes"),
    "space-gpu": understand(GPU, "space", space="workers"),
    "lattice": understand(ADDITION, "lattice"),
    "storage": understand(PLAIN, "storage", storage="A"),
    "storage-blocks": understand(BLOCKS, "storage", storage="A"),
    "storage-tensor": understand(MTTKRP, "storage", storage="B"),
    "filmstrip": understand(SPGEMM, "filmstrip"),
    "filmstrip-gpu": understand(GPU, "filmstrip"),
    "code": code(BALANCED, "target"),
    "code-spgemm": code(SPGEMM, "target"),
    "code-gpu": code(GPU, "target"),
    "loops": code(BALANCED, "structured"),
    "loops-flat": code(BALANCED, "flat"),
    "stages": code(BALANCED, "stages"),
    "run": Scene(BALANCED, {"front": "run"}),
    "run-results": Scene(BALANCED, {"front": "run", "run": "results"}),
    "run-experiments": Scene(BALANCED, {"front": "run", "run": "experiments"}),
    "compare": compared("summary"),
    "compare-graphs": compared("graphs"),
    "compare-code": compared("code"),
    "compare-choose": compared("summary", choose_other_plan),
    "presentation": Scene(BALANCED, {"present": True}),
    "share": Scene(BALANCED, act=press("button", "Share")),
    "examples": Scene(BALANCED, act=press("button", "Examples")),
    "history": Scene(BALANCED, act=command("History of changes")),
    "keys": Scene(BALANCED, act=command("Keyboard")),
    "palette": Scene(BALANCED, act=lambda page: page.keyboard.press("Control+k")),
    "tour": Scene(PLAIN, act=command("tour")),
    "learn": Scene(BALANCED, act=press("button", "Learn")),
    "class": Scene(BALANCED, act=command("Teach a class")),
    "lessons": Scene(BALANCED, act=command("Do the lessons")),
    "lesson": Scene(BALANCED, act=lesson),
    "guide": Scene(BALANCED, act=command("Read the guide")),
    "glossary": Scene(BALANCED, act=command("Look up a term")),
    "import": Scene(BALANCED, act=command("Read a plan from")),
    "composition": understand(HYB, "composition", storage="A"),
    "composition-plain": understand(PLAIN, "composition", storage="A"),
    "axes": understand(HYB, "axes"),
    "account": understand(SPMM, "account"),
    "three-stages": code(HYB, "three-stages"),
    "run-tuner": Scene(BALANCED, {"front": "run", "run": "tuner"}),
    "run-cache": Scene(BALANCED, {"front": "run", "run": "cache"}),
    "define-layer": Scene(LAYER),
    "graphs-layer": understand(LAYER, "graphs"),
    "tree": understand(LAYER, "tree"),
    "ranges": understand(CONVOLUTION, "ranges"),
    "run-convolution": Scene(CONVOLUTION, {"front": "run"}),
    "define-patterns": Scene(PATTERNS),
    "graphs-patterns": understand(PATTERNS, "graphs"),
    "memory-patterns": understand(example("32"), "memory"),
    "stages-patterns": code(PATTERNS, "stages"),
    "run-patterns": Scene(PATTERNS, {"front": "run"}),
    "decomposition": Apart("/?decomposition", "A sparse tensor as a sum of few components"),
    "nowhere": Apart("/nonsense", "There is no page at this address"),
}
