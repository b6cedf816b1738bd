"""No violation that axe can see (WCAG 2.2 AA), and no text of a picture that is too small or cut, in any view, light
and dark, on a laptop and on the narrowest phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.legibility import unreadable
from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette
from e2e.pages.window import resize
from e2e.scenes import SCENES, wait_until_drawn

# Each view is seen in some theme and width, another one with the next commit; ./heddle test full sees it in all.
pytestmark = pytest.mark.combinations(4)

Theme = Literal["light", "dark"]

# Nonzeros shared out over threads: position variables and atomics in every panel.
BALANCED = "fuse(i, j, f)\npos(f, fpos, A)\nsplit(fpos, p0, p1, 128)\nparallelize(p0, CPUThread, Atomics)"


@pytest.fixture(
    params=[("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320)], ids=lambda one: f"{one[0]}-{one[1]}"
)
def screen(request: pytest.FixtureRequest, newcomer: Page) -> Page:
    """A page in one theme and width, on the explorer with a schedule that fills every panel."""
    theme: Theme
    theme, width = request.param
    newcomer.emulate_media(color_scheme=theme)
    resize(newcomer, width)
    return newcomer


@pytest.mark.combinations(1)
def test_forced_colours_show_what_is_chosen(explorer: Explorer) -> None:
    """Chosen tabs and pressed buttons differ from the others in more than the weight of their letters."""
    page = explorer.page
    page.emulate_media(forced_colors="active")
    colours = """selector => {
      const all = [...document.querySelectorAll(selector)].filter(one => one.offsetParent !== null);
      return [...new Set(all.map(one => getComputedStyle(one).backgroundColor))];
    }"""
    for chosen, others in (
        ("[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]"),
        ("button[aria-pressed=true]", ".segments button[aria-pressed=false]"),
    ):
        marked = page.evaluate(colours, chosen)
        assert len(marked) == 1
        assert marked[0] not in page.evaluate(colours, others)


def opened(page: Page, plan: str = "") -> Palette:
    page.goto(f"/{plan}")
    Explorer(page).wait_until_settled()
    return Palette(page)


def audit(page: Page, views: dict[str, Callable[[], None]]) -> None:
    """Goes to each view and gathers what axe finds, so that one run names everything."""
    found = []
    for name, go in views.items():
        go()
        expect(page.get_by_text("Loading…")).to_have_count(0)
        found += [f"{name}: {text}" for text in (*violations(page), *unreadable(page))]
    assert not found, "\n\n".join(found)


def test_every_tab(screen: Page) -> None:
    palette = opened(screen)
    names = (
        "Graphs", "Iteration graph", "Provenance graph", "Space", "Lattice", "Storage", "Filmstrip",
        "Generated code", "Loops, structured", "Loops, flat", "Stages",
    )  # fmt: skip
    audit(screen, {name: lambda name=name: palette.choose(f"Show {name}") for name in names})


def test_every_tab_of_the_run_pane(screen: Page) -> None:
    palette = opened(screen)
    audit(
        screen,
        {name: lambda name=name: palette.choose(f"Show {name}") for name in ("all results", "the experiments")},
    )


def test_the_numbers_of_a_run(screen: Page) -> None:
    opened(screen).choose("Show Provenance graph")
    panel = screen.get_by_role("region", name="Provenance graph")
    panel.get_by_role("button", name="Numbers").click()
    panel.get_by_role("button", name="To the end").click()
    expect(panel.locator(".value-badge").first).to_be_visible()
    audit(screen, {"numbers": lambda: None})


def test_every_view_of_the_space(screen: Page) -> None:
    palette = opened(screen)
    palette.choose("Show Space")
    panel = screen.get_by_role("region", name="Iteration space")
    expect(panel).to_have_attribute("data-phase", "ready")
    views = panel.get_by_role("group", name="What to show").get_by_role("button")
    audit(
        screen,
        {name: lambda name=name: views.get_by_text(name, exact=True).click() for name in views.all_inner_texts()},
    )


def test_every_dialog(screen: Page) -> None:
    palette = opened(screen)
    close = lambda: screen.keyboard.press("Escape")  # noqa: E731
    for name, title in {
        "Keyboard": "Keyboard",
        "Browse the examples": "Examples",
        "History of changes": "History",
    }.items():
        palette.choose(name)
        expect(screen.get_by_role("dialog", name=title)).to_be_visible()
        audit(screen, {title: lambda: None})
        close()
    screen.keyboard.press("Control+k")
    expect(palette.dialog).to_be_visible()
    audit(screen, {"Commands": lambda: None})
    close()
    link = Explorer(screen).share.make_link()
    audit(screen, {"Share": lambda: None})
    screen.goto(link.replace("/s/", "/embed/"))
    expect(screen.get_by_role("region", name="Code").first).to_contain_text("#pragma omp")
    audit(screen, {"Embed": lambda: None})


def test_mistakes_rows_and_presentation(screen: Page) -> None:
    palette = opened(screen)
    explorer = Explorer(screen)
    explorer.schedule.write("tile(i, 4)")
    explorer.expect_errors()
    audit(screen, {"an unknown command, lit": lambda: screen.locator(".cm-unknown").hover()})
    explorer.schedule.write(BALANCED + "\nsplit(k, k0, k1, 4)")
    explorer.expect_errors()
    audit(screen, {"a mistake": lambda: None, "rows": lambda: palette.choose("Edit the schedule as rows")})
    explorer.rows.row(5).get_by_text(re.compile("The rule")).click()
    audit(screen, {"a refused row": lambda: None, "presentation": lambda: palette.choose("Presentation")})


def test_every_step_of_the_tour(screen: Page) -> None:
    screen.goto("/")
    tour = screen.get_by_role("region", name="Tour")
    expect(tour).to_be_visible()
    audit(screen, {"invitation": lambda: None})
    tour.get_by_role("button", name="Start the tour").click()
    while tour.get_by_role("button", name="Finish").count() == 0:
        Explorer(screen).wait_until_settled()
        audit(screen, {tour.get_by_role("heading").inner_text(): lambda: None})
        tour.get_by_role("button", name="Next").click()
    audit(screen, {"the end": lambda: None})


@pytest.mark.needs_server("POST /runs")
def test_a_result(screen: Page) -> None:
    palette = opened(screen)
    palette.choose("Run and time this kernel")
    if screen.viewport_size == {"width": 320, "height": 900}:
        screen.get_by_role("tab", name="Run", exact=True).click()
    Explorer(screen).run.expect_verified()
    Explorer(screen).run.open_figures()
    expect(Explorer(screen).run.plot).to_be_visible()
    audit(screen, {"result": lambda: None, "all results": lambda: palette.choose("Show all results")})


# Of e2e/scenes.py, what no other test looks at.
MORE_SCENES = (
    "learn", "class", "lessons", "lesson", "guide", "glossary", "decomposition", "define-layer", "define-patterns",
    "graphs-patterns", "stages-patterns", "run-patterns", "run-convolution", "composition", "composition-plain", "axes",
    "account", "three-stages", "run-tuner", "run-cache", "run-experiments", "tree", "ranges", "memory-patterns",
)  # fmt: skip


@pytest.mark.combinations(8)
@pytest.mark.parametrize("name", MORE_SCENES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_other_scene(page: Page, theme: Theme, name: str) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    SCENES[name].open(page)
    found = [*violations(page), *unreadable(page)]
    # On the narrowest phone pictures pan or are drawn smaller, and their texts keep their size.
    resize(page, 320)
    wait_until_drawn(page)
    found += [f"at 320 px: {text}" for text in unreadable(page)]
    if page.evaluate("document.documentElement.scrollWidth") > 320:
        found.append("at 320 px: the page scrolls sideways")
    assert not found, "\n\n".join(found)
