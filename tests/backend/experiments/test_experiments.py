"""Experiments: plans that compile, and figures with the numbers of their runs."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import Any

import plotly.graph_objects as go
import pytest

from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.resolve import resolved_roles
from heddle.formats.parser import parse_format
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan, plan_from_arguments, plan_hash
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.operands import as_entries
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.known.canonical import canonical_of
from heddle.tuning.mapping.commands import map_options
from heddle.tuning.mapping.options import read_options
from heddle.tuning.search.format_offers import suggest_formats
from heddle.tuning.search.suggest import suggest
from heddle_server.experiments.experiment import Measured, hash_of, is_decomposition
from heddle_server.experiments.questions.choice import CANDIDATES, CHOSEN, SIDE, input_of, regrets
from heddle_server.experiments.questions.comprehensions import PRESETS, PROGRAMS
from heddle_server.experiments.questions.device_studies import ON_CUDA, ON_OPENCL, WITHOUT_GPU
from heddle_server.experiments.questions.network_kernels import KERNELS
from heddle_server.experiments.questions.patterns import WORKGROUPS, best_and_regret
from heddle_server.experiments.questions.roofline import model_bytes
from heddle_server.experiments.questions.skew import NNZ, SKEWS, imbalance
from heddle_server.experiments.questions.threads import COUNTS, thread_counts
from heddle_server.experiments.registry import experiments
from heddle_server.services.experiments import ExperimentService
from heddle_server.services.runs.expected_wait import ExpectedWait
from heddle_server.services.runs.worker_pool import WorkerPool
from tests.backend.experiments.results import result_for, result_of
from tests.backend.serving import Server, plan

EXPERIMENTS = experiments(gpu=False)


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_every_plan_compiles_and_is_asked_for_once(name: str) -> None:
    points = EXPERIMENTS[name].view["points"]
    assert len({hash_of(point) for point in points}) == len(points)
    for point in points:
        if is_decomposition(point):
            asked = parse_algorithm(point["plan"])
            assert resolved_roles(asked, len(asked.inputs["X"]["shape"]))  # type: ignore[arg-type]
        else:
            assert lower(parse_plan(point["plan"])).diagnostics == ()


@pytest.mark.parametrize("program", PROGRAMS)
def test_presets_of_options_are_what_they_mean(program: str) -> None:
    points = {one["series"]: one for one in EXPERIMENTS["X40"].view["points"] if one["label"] == program}
    for name in PRESETS:
        asked = parse_plan(points[f"the preset {name}"]["plan"])
        assert map_options(asked, read_options(f'MappingOptions("{name}")')).commands == asked.schedule
    asked = parse_plan(points["the rules' schedule"]["plan"])
    assert suggest(replace(asked, schedule=()), {}, Machine(2, 32, 16, 32 << 20)).schedule == asked.schedule


def test_spellings_of_a_product_have_one_form() -> None:
    asked = [parse_plan(one["plan"]) for one in EXPERIMENTS["X41"].view["points"]]
    assert len({canonical_of(plan).digest for plan in asked}) == 1


def test_the_model_of_the_skew_shares_out_all_nonzeros() -> None:
    """Equal rows give equal halves; a large skew gives one thread all of them, unless the cut goes by nonzeros."""
    for point in EXPERIMENTS["skew"].view["points"]:
        assert abs(sum(point["rows"]) - NNZ) < len(point["rows"])
        assert abs(sum(point["lanes"]) - NNZ) <= 1
        uneven = max(point["lanes"]) / (NNZ / 2)
        if point["series"] == "rows shared out":
            assert uneven == pytest.approx(imbalance(point["value"]), abs=1e-4)
        else:
            assert uneven < 1.1


def test_skew_says_where_two_threads_show_the_crossover_and_why_they_may_not() -> None:
    """The fuller of two halves has twice the mean at most, which bounds what sharing out nonzeros can save. The picture
    has what the sentence reads the crossing from: a point with equal halves, and the imbalance on the right axis."""
    assert imbalance(SKEWS[0]) == 1
    assert max(imbalance(skew) for skew in SKEWS) == pytest.approx(2, abs=1e-6)
    text = EXPERIMENTS["skew"].view["look_for"]
    assert "At c = 1 the halves are equal, and the line of the nonzeros lies r times above that of the rows" in text
    assert "cross where the fuller half holds r × the mean (right axis)" in text
    assert "holds at most 2 × the mean, so they cross late, and never where r is 2 or more" in text
    drawn = EXPERIMENTS["skew"].draw([Measured(point, result_of(1)) for point in EXPERIMENTS["skew"].view["points"]])
    (unequal,) = (line for line in drawn["data"] if line["name"] == "imbalance (right)")
    assert unequal["yaxis"] == "y2"


def test_the_roofline_says_the_share_of_the_bandwidth() -> None:
    experiment = EXPERIMENTS["roofline"]
    assert "(3 · 4 + 3) · 8 + 3 · 4 = 132 bytes" in experiment.view["points"][0]["model"]
    made = experiment.draw([Measured(point, result_of(10)) for point in experiment.view["points"]])
    # 2 MB in 10 µs are 200 GB/s; the triad of the machine is 30 GB/s.
    assert made["data"][1]["text"][0] == "200 GB/s, 667 % of STREAM"


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_a_figure_is_drawn_from_any_part_of_the_points(name: str) -> None:
    experiment = EXPERIMENTS[name]
    for count in (1, len(experiment.view["points"])):
        measured = [Measured(point, result_for(point)) for point in experiment.view["points"][:count]]
        made = experiment.draw(measured)
        go.Figure(made)
        assert made["layout"]["paper_bgcolor"] == "rgba(0,0,0,0)"
        assert "2 threads" in made["layout"]["annotations"][0]["text"]


@pytest.mark.parametrize("name", ["X30", "X32", "X34", "X35"])
def test_the_names_of_many_lines_leave_the_plot_most_of_a_picture(name: str) -> None:
    """Of 520 pixels, which a downloaded one has, above an axis, its title and two lines about the machine."""
    experiment = EXPERIMENTS[name]
    made = experiment.draw([Measured(point, result_for(point)) for point in experiment.view["points"]])
    assert len(made["data"]) >= 4
    margin = made["layout"]["margin"]
    assert 84 <= margin["t"] <= 44 + 20 * 3
    assert 520 - margin["t"] - margin["b"] > 300


def test_skew_has_a_line_for_each_schedule_in_the_order_of_c() -> None:
    skew = EXPERIMENTS["skew"]
    made = skew.draw([Measured(point, result_of(1000 * point["value"])) for point in reversed(skew.view["points"])])
    *lines, unequal = made["data"]
    assert {line["name"] for line in lines} == {"rows shared out", "nonzeros shared out", "rows, cut by nonzeros"}
    for line in lines:
        assert line["x"] == [f"{c:g}" for c in SKEWS]
        assert line["y"] == pytest.approx([1000 * c for c in SKEWS])
    assert unequal["y"][0] == 1
    assert unequal["y"][-1] == pytest.approx(2, abs=1e-6)
    assert unequal["y"] == sorted(unequal["y"])


def test_the_roofline_counts_bytes_as_the_model_does() -> None:
    assert model_bytes(3, 16, 1) == (3 * 16 + 3) * 8 + 3 * 4
    points = EXPERIMENTS["roofline"].view["points"]
    made = EXPERIMENTS["roofline"].draw([Measured(points[0], result_of(100, nnz=1000))])
    assert made["data"][0]["y"] == [pytest.approx(model_bytes(3, 4, 1000) / 100e-6 / 1e9)]
    assert made["data"][1]["y"] == [pytest.approx(20.0)]
    assert made["layout"]["shapes"][0]["y0"] == 30.0


def test_a_conversion_is_repaid_by_what_each_product_saves() -> None:
    """Packing takes 0.4 ms in the fake result; here hyb takes 100 µs more for it, and saves 5 µs a product. What saves
    nothing has no mark, and says so: the page once called it not measured."""
    points = [point for point in EXPERIMENTS["X37"].view["points"] if point["label"] == "cora"]
    results = [result_of(20), result_of(15), result_of(30)]
    results[1]["entries"][0]["preparation"] = [{"name": "build", "ns": 9e9}, {"name": "pack", "ns": 5e5}]
    made = EXPERIMENTS["X37"].draw([Measured(*one) for one in zip(points, results, strict=True)])
    assert {trace["name"]: (trace["y"], trace["text"]) for trace in made["data"]} == {
        "csr": ([], []),
        "hyb(1,3)": ([20.0], ["20 products"]),
        "hyb(1,3,whole)": ([None], ["is no faster than csr: no number of products pays for it"]),
    }


@pytest.mark.parametrize("family", list(CHOSEN))
def test_the_choice_is_what_the_rules_choose(family: str) -> None:
    """From the very entries that are measured, on a machine of which the costs are known."""
    machine = Machine(2, 32, 16, 32 << 20, core_cache_bytes=1 << 20, machine_class="x86-64-v3")
    made = generate("A", input_of(family), (SIDE, SIDE), "float64")
    entries = sort_and_sum(made if isinstance(made, Entries) else as_entries(made, "A"), (0, 1))
    asked = plan_from_arguments("y(i) = A(i,j) * x(j)", {"A": "csr"}, shapes={"x": (SIDE,)})
    offers = suggest_formats(asked, {"A": entries}, machine)
    assert CHOSEN[family] == (offers[0].format if offers else "csr")
    alone = Machine(1, 32, 16, 32 << 20, core_cache_bytes=1 << 20, machine_class="x86-64-v3")
    blocked = {format: schedule for format, schedule in CANDIDATES.items() if schedule}
    for format, schedule in blocked.items():
        asked = plan_from_arguments("y(i) = A(i,j) * x(j)", {"A": format}, shapes={"x": (SIDE,)})
        assert list(suggest(asked, {"A": statistics_of(entries, (0, 1))}, alone).schedule) == schedule
    assert CHOSEN[family] in {one["series"] for one in EXPERIMENTS["X38"].view["points"] if one["label"] == family}


def test_a_choice_is_as_bad_as_its_time_over_that_of_the_best() -> None:
    points = [point for point in EXPERIMENTS["X38"].view["points"] if point["label"] in ("uniform", "band")]
    slow = {("uniform", "csr"): 30.0, ("band", "dia(32)"): 10.0}
    measured = [Measured(one, result_of(slow.get((one["label"], one["series"]), 20))) for one in points]
    assert regrets(measured) == {"uniform": pytest.approx(1.5), "band": pytest.approx(1.0)}
    made = EXPERIMENTS["X38"].draw(measured)
    assert "(mean 1.22, worst 1.50)" in made["layout"]["title"]["text"]
    sizes = {
        (name, trace["name"]): size
        for trace in made["data"]
        for name, size in zip(trace["x"], trace["marker"]["size"], strict=True)
    }
    assert {key for key, size in sizes.items() if size > 9} == {("uniform", "csr"), ("band", "dia(32)")}


def test_every_kernel_of_networks_has_a_schedule_and_libraries() -> None:
    points = EXPERIMENTS["X45"].view["points"]
    assert [point["label"] for point in points] == list(KERNELS)
    result = result_of(10)
    result["entries"][1]["id"], result["entries"][2]["id"] = "numpy", "torch"
    made = EXPERIMENTS["X45"].draw([Measured(points[0], result)])
    assert [trace["name"] for trace in made["data"]] == ["Heddle", "NumPy", "PyTorch"]


def test_graphs_are_drawn_beside_the_libraries_that_took_part() -> None:
    points = EXPERIMENTS["X30"].view["points"]
    result = result_of(10)
    result["entries"][2]["id"] = "torch"
    made = EXPERIMENTS["X30"].draw([Measured(points[0], result)])
    assert [trace["name"] for trace in made["data"]] == ["csr", "PyTorch"]
    masks = EXPERIMENTS["X33"].draw([Measured(EXPERIMENTS["X33"].view["points"][0], result)])
    assert [trace["name"] for trace in masks["data"]] == ["csr", "PyTorch, csr"]


def test_storage_is_drawn_in_bytes_for_a_nonzero() -> None:
    points = EXPERIMENTS["X31"].view["points"]
    made = EXPERIMENTS["X31"].draw([Measured(points[0], result_of(10, nnz=1000))])
    assert made["data"][0]["y"] == [2000.0]


def test_experiments_are_grouped_by_paper_with_a_number_each_in_order(server: Server) -> None:
    """They stood in one list, some without a number, and one number twice."""
    listed = server.client.get("/api/v1/experiments").json()
    by_group = {name: list(views) for name, views in groupby(listed, lambda view: view["group"])}
    assert sum(map(len, by_group.values())) == len(listed) == len(EXPERIMENTS)
    numbers = [view["title"].partition(": ")[0] for view in listed]
    assert all(re.fullmatch(r"X\d+′?", number) for number in numbers)
    assert len(set(numbers)) == len(numbers)
    for views in by_group.values():
        own = [view["title"].partition(": ")[0] for view in views]
        assert own == sorted(own, key=lambda number: (int(number[1:].rstrip("′")), number))
        assert all(
            view["id"] == number or not view["id"].startswith("X") for view, number in zip(views, own, strict=True)
        )


def test_the_service_lists_experiments_and_refuses_runs_of_other_plans(server: Server) -> None:
    listed = server.client.get("/api/v1/experiments").json()
    assert [one["id"] for one in listed] == list(EXPERIMENTS)
    run = server.client.post("/api/v1/runs", json=plan()).json()["id"]
    other = server.client.get("/api/v1/experiments/skew/figure", params={"run": [run]})
    assert other.status_code == 422
    assert "the experiment skew does not hold" in other.json()["detail"]
    assert server.client.get("/api/v1/experiments/none/figure", params={"run": [run]}).status_code == 404
    assert server.client.get("/api/v1/experiments/skew/figure", params={"run": ["nothing"]}).status_code == 404
    assert server.client.get("/api/v1/experiments/skew/figure").status_code == 422


async def test_the_last_run_of_a_point_counts_and_runs_without_a_result_do_not() -> None:
    point = EXPERIMENTS["skew"].view["points"][0]
    named = {"plan_hash": plan_hash(parse_plan(point["plan"]))}
    views = {
        "first": {**named, "id": "first", "result": result_of(10)},
        "second": {**named, "id": "second", "result": result_of(20)},
        "waiting": {**named, "id": "waiting", "result": None},
    }

    class Runs:
        async def get(self, run_id: str) -> Any:
            return views[run_id]

        async def find_measured(self, plan: Plan) -> Any:
            return views["second"] if plan_hash(plan) == named["plan_hash"] else None

    service = ExperimentService(Runs(), WorkerPool(), ExpectedWait())
    made = await service.figure("skew", list(views))
    assert made["data"][0]["y"] == [20.0]
    with pytest.raises(Exception, match="a figure needs one"):
        await service.figure("skew", ["waiting"])
    known = await service.find_measured("skew")
    assert [view["id"] if view else None for view in known[:2]] == ["second", None]
    assert len(known) == len(EXPERIMENTS["skew"].view["points"])


def test_studies_of_gpu_schedules_run_on_the_gpu_where_there_is_one() -> None:
    with_gpu = experiments(gpu=True)
    assert list(with_gpu) == list(EXPERIMENTS)
    for study, other in zip(ON_CUDA, ON_OPENCL, strict=True):
        assert with_gpu[study.view["id"]] is study
        assert {point["plan"]["target"] for point in study.view["points"]} == {"cuda"}
        assert study.view["where"] == ""
        assert EXPERIMENTS[other.view["id"]] is other
        assert {point["plan"]["target"] for point in other.view["points"]} == {"opencl"}
        assert other.view["where"] == WITHOUT_GPU
    for study in ON_CUDA:
        for point in study.view["points"]:
            assert lower(parse_plan(point["plan"])).diagnostics == ()


def test_tiles_are_compared_with_no_tiles_of_as_many_columns() -> None:
    tiles = EXPERIMENTS["X5"]
    points = [point for point in tiles.view["points"] if point["series"] == "32 columns"][:3]
    made = tiles.draw([Measured(point, result_of(time)) for point, time in zip(points, (10, 5, 20), strict=True)])
    assert made["data"][0]["text"] == ["1.00", "2.00", "0.50"]
    assert made["data"][0]["x"] == ["none", "2", "4"]


def test_threads_have_a_line_of_perfect_scaling() -> None:
    assert thread_counts(1) == [1]
    assert thread_counts(6) == [1, 2, 4, 6]
    threads = EXPERIMENTS["threads"]
    made = threads.draw([Measured(threads.view["points"][0], result_of(100))])
    assert made["data"][1]["name"] == "SpMV, perfect"
    assert made["data"][1]["y"] == [pytest.approx(100 / count) for count in COUNTS]


def test_structures_show_the_libraries_beside_the_formats() -> None:
    structures = EXPERIMENTS["X6"]
    made = structures.draw([Measured(structures.view["points"][0], result_of(10, nnz=1000))])
    assert [(mark["name"], mark["x"], mark["y"]) for mark in made["data"]] == [
        ("CSR by rows", ["uniform"], [10.0]),
        ("SciPy", ["uniform"], [10.0]),
    ]


def test_more_kernels_are_compared_with_themselves_unscheduled() -> None:
    kernels = EXPERIMENTS["X7"]
    made = kernels.draw([Measured(point, result_of(10)) for point in kernels.view["points"]])
    assert made["data"][0]["x"][-1] == "MTTKRP 5"
    assert set(made["data"][0]["y"]) == {2.0}


def test_the_profile_is_over_the_built_in_matrices_that_are_large_enough() -> None:
    labels = [point["label"] for point in EXPERIMENTS["profile"].view["points"]]
    assert "bcsstk13" in labels
    assert "karate" not in labels


@pytest.mark.parametrize(("name", "loops"), [("X39", "__kernel"), ("X36", "#pragma omp parallel")])
def test_parts_are_measured_one_by_one_and_fused(name: str, loops: str) -> None:
    """With a loop or a launch for each part there are as many, fused there is one; all compute the same rows."""
    for point in EXPERIMENTS[name].view["points"]:
        result = lower(parse_plan(point["plan"]))
        assert result.source is not None
        alone = point["series"] == "one thread"
        fills = name == "X36" and not alone  # the zeros are filled in by a loop of their own
        expected = point["value"] if "each part" in point["series"] else 0 if alone else 1
        assert result.source.text.count(loops) - fills == expected, point["series"]
        composition = parse_format(point["plan"]["tensors"]["A"]["format"], 2, "A").composition
        assert point["value"] == (1 if composition is None else len(composition.parts))


def test_one_configuration_for_all_costs_what_the_best_ones_save() -> None:
    """Each matrix has a best choice of its own; the third is never best and never bad."""
    times = {"one": {"a": 1.0, "b": 4.0, "c": 1.5}, "two": {"a": 4.0, "b": 1.0, "c": 1.5}}
    assert best_and_regret(times) == ("c", pytest.approx(1.5))
    assert best_and_regret({"one": {"a": 2.0, "b": 3.0}}) == ("a", pytest.approx(1.0))


def test_packed_pairs_are_compared_with_the_same_matrix() -> None:
    points = EXPERIMENTS["pattern-packed"].view["points"]
    by_input: dict[str, set[str]] = {}
    for point in points:
        by_input.setdefault(str(point["plan"]["inputs"]), set()).add(point["series"])
    assert len(by_input) == len(points) // 4
    assert all(len(series) == 4 for series in by_input.values())


def test_the_map_of_work_groups_has_no_type_that_the_page_lacks() -> None:
    """It was drawn with Plotly's heat maps, which the page showed as straight lines."""
    points = WORKGROUPS.view["points"]
    times = {point["series"]: 10.0 for point in points} | {points[0]["series"]: 20.0}
    made: Any = WORKGROUPS.draw([Measured(point, result_of(times[point["series"]])) for point in points])
    assert {trace["type"] for trace in made["data"]} == {"bar"}
    assert set(made["data"][0]["text"]) == {"0.50"}
    assert set(made["data"][1]["text"]) == {"1.00"}
    assert made["layout"]["title"]["text"].startswith("One choice for all, ")
    assert ": 1.00 times" in made["layout"]["title"]["text"]
