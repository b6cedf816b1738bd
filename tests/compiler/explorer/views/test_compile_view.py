"""The JSON of a compile: it has the declared types, and every reference in it leads somewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pydantic import ConfigDict, TypeAdapter, with_config

import heddle as hd
from heddle.explorer.views import command_views, compile_view
from heddle.explorer.views.code.code_schema import CodeView
from heddle.explorer.views.commands_schema import CommandSpecView
from heddle.explorer.views.compile_schema import CompileView
from heddle.frontends.table import front_end_of
from heddle.lowering.passes import PASSES
from tests.golden.cases import CASES, Case

MORE = (
    Case("positions", "y(i) = A(i,j) * x(j)", {"A": "csr"}, ("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 3)")),
    Case("bounded", "y(i) = A(i,j) * x(j)", {"A": "csr"}, ("bound(i, ib, 64, MaxConstraint)", "unroll(j, 4)")),
    Case("scalar", "s = 2", {}),
)
EVERY = pytest.mark.parametrize("case", [*CASES, *MORE], ids=lambda case: case.name)


def view_of(case: Case) -> CompileView:
    return compile_view(hd.lower(case.expression, case.formats, case.schedule))


def codes(view: CompileView) -> Iterator[CodeView]:
    if view["code"] is not None:
        yield view["code"]
    yield from (code for stage in view["stages"] if (code := stage.get("code")) is not None)


@EVERY
def test_passes_over_the_loops_are_stages(case: Case) -> None:
    """They stand between the loops as lowered and the loops as printed, each with what it made of them."""
    stages = view_of(case)["stages"]
    names = [stage["id"] for stage in stages]
    first, last = names.index("lowered"), names.index("structured")
    passes = stages[first + 1 : last]
    assert [stage["id"] for stage in passes] == [f"pass-{row.name}" for row in PASSES]
    assert [stage["summary"] for stage in passes] == [row.summary for row in PASSES]
    assert all(stage["changed"] and stage["summary"] is None for stage in stages if stage not in passes)
    text = stages[first]["text"]
    for stage in passes:
        assert bool(stage["text"]) == stage["changed"]
        assert stage["text"] != text
        text = stage["text"] or text
    assert stages[last]["text"] == text


def test_a_pass_that_changes_no_line_changed_nothing() -> None:
    """A block within a block, for example, is printed like the statements in it."""
    result = hd.lower("y(i) = x(i)", {})
    loops = [one for one in result.passes if one.name == "lowered" or one.summary is not None]
    alike = tuple(replace(one, printed="for i in [0, n):", changed=True) for one in loops)
    view = compile_view(replace(result, passes=alike))
    assert [stage["changed"] for stage in view["stages"]] == [True] + [False] * len(PASSES)


IMPLICIT = re.compile(r"\w+(pos|_part|_in)")
"""Loops that lowering makes: the positions of a fused loop, the parts of one that adds into copies of the result."""


@EVERY
def test_types(case: Case) -> None:
    """Strict: no coercion of a number to a text, and no key that the schema does not name."""
    view = view_of(case)
    adapter = TypeAdapter(with_config(ConfigDict(strict=True, extra="forbid"))(CompileView))
    assert adapter.validate_python(view) == view
    assert json.loads(json.dumps(view)) == view


@EVERY
def test_spans_lie_inside_their_text(case: Case) -> None:
    view = view_of(case)
    found = list(codes(view))
    assert [code["language"] for code in found] == ["c", "loops", "loops"]
    for code in found:
        lines = code["text"].splitlines()
        assert code["spans"]
        for span in code["spans"]:
            line = lines[span["line"] - 1]
            assert 0 <= span["column"] < span["end_column"] <= len(line)
            assert line[span["column"] : span["end_column"]].strip()


@EVERY
def test_origins_name_what_exists(case: Case) -> None:
    view = view_of(case)
    variables = {variable["name"] for variable in view["variables"]}
    tensors = {tensor["name"]: tensor for tensor in view["tensors"]}
    statements = " ".join(view["graph"]["statements"]) if view["graph"] else ""
    for code in codes(view):
        for origin in (span["origin"] for span in code["spans"]):
            assert origin["command"] is None or 0 <= origin["command"] < len(case.schedule)
            if origin["variable"] is not None and origin["variable"] not in variables:
                assert IMPLICIT.fullmatch(origin["variable"]), origin
            if origin["tensor"] is not None and origin["tensor"] not in tensors:
                assert re.search(rf"\b{origin['tensor']}\b", statements), origin  # a workspace
            if origin["level"] is not None:
                assert origin["tensor"] is not None
                assert 1 <= origin["level"] <= tensors[origin["tensor"]]["order"]


@EVERY
def test_every_symbol_occurs_in_the_c(case: Case) -> None:
    view = view_of(case)
    assert view["code"] is not None
    words = set(re.findall(r"[A-Za-z_]\w*", view["code"]["text"]))
    variables = {variable["name"] for variable in view["variables"]}
    tensors = {tensor["name"] for tensor in view["tensors"]}
    for name, symbol in view["code"]["symbols"].items():
        assert name in words, name
        if symbol["kind"] == "variable":
            assert symbol["variable"] in variables or IMPLICIT.fullmatch(symbol["variable"])
        if symbol["kind"] in ("array", "dimension", "position"):
            assert symbol["tensor"] in tensors


@EVERY
def test_every_loop_and_array_of_the_c_is_a_symbol(case: Case) -> None:
    view = view_of(case)
    assert view["code"] is not None
    text = view["code"]["text"].partition("int32_t kernel(")[2]
    used = set(re.findall(r"for \(int64_t (\w+) =", text)) | set(re.findall(r"\b(\w+)\[", text))
    filling = {name for name in used if re.fullmatch(r"p\d*", name)}  # a fill's loop has no variable of the program
    assert used - filling <= set(view["code"]["symbols"])


@EVERY
def test_paths_run_through_nodes_of_the_graph_in_their_order(case: Case) -> None:
    graph = view_of(case)["graph"]
    assert graph is not None
    order = [node["variable"] for node in graph["nodes"]]
    for node in graph["nodes"]:
        assert node["parent"] is None or order.index(node["parent"]) < order.index(node["variable"])
    for path in graph["paths"]:
        assert all(step["variable"] in order for step in path["steps"]), path
    assert sum(path["result"] for path in graph["paths"]) == 1


@EVERY
def test_provenance_leads_from_underived_variables_to_loops(case: Case) -> None:
    view = view_of(case)
    provenance = view["provenance"]
    assert provenance is not None
    known = {variable["name"] for variable in view["variables"] if variable["underived"]}
    for relation in provenance["relations"]:
        assert set(relation["parents"]) <= known
        assert not set(relation["children"]) & known
        assert len(relation["bounds"]) == len(relation["children"])
        known |= set(relation["children"])
    assert known == set(provenance["variables"]) == {variable["name"] for variable in view["variables"]}
    loops = {variable["name"] for variable in view["variables"] if variable["loop"]}
    replaced = {parent for relation in provenance["relations"] for parent in relation["parents"]}
    assert loops == known - replaced


def test_path_of_a_matrix_through_fused_positions() -> None:
    """After ``fuse; pos; split`` the two parts of the position variable walk down to A's last level."""
    graph = view_of(MORE[0])["graph"]
    assert graph is not None
    paths = {path["access"]: [(s["variable"], s["level"], s["kind"]) for s in path["steps"]] for path in graph["paths"]}
    assert paths["A(i,j)"] == [("p0", 2, "compressed"), ("p1", 2, "compressed")]
    assert [(node["variable"], node["iteration"]) for node in graph["nodes"]] == [
        ("p0", "positions of A"),
        ("p1", "positions of A"),
    ]


def test_commands_that_follow_a_failure_are_skipped() -> None:
    schedule = ("split(i, i0, i1, 4)", "split(k, k0, k1, 4)", "unroll(i1, 4)", "oops")
    view = compile_view(hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, schedule))
    assert [(command["name"], command["status"]) for command in view["commands"]] == [
        ("split", "applied"),
        ("split", "failed"),
        ("unroll", "skipped"),
        ("oops", "skipped"),
    ]
    assert [diagnostic["location"]["command"] for diagnostic in view["diagnostics"] if diagnostic["location"]] == [1]
    assert not view["ok"]
    assert view["code"] is None
    assert view["graph"] is not None
    assert [node["variable"] for node in view["graph"]["nodes"]] == ["i0", "i1", "j"]


def test_what_cannot_be_parsed_has_no_graph() -> None:
    view = compile_view(hd.lower("y(i) = ", {}))
    assert (view["ok"], view["graph"], view["provenance"], view["tensors"]) == (False, None, None, [])
    assert TypeAdapter(CompileView).validate_python(view) == view


def test_views_say_the_same_each_time() -> None:
    def without_times(view: CompileView) -> str:
        return re.sub(r'"milliseconds": [^,}]+', "", json.dumps(view))

    for case in CASES:
        assert without_times(view_of(case)) == without_times(view_of(case))


def test_the_registry_is_described_whole() -> None:
    views = command_views()
    assert TypeAdapter(list[CommandSpecView]).validate_python(views) == views
    for view in views:
        assert view["summary"].endswith(".")
        assert view["before"]
        assert view["after"]
        assert view["preconditions"]
        assert all(parameter["doc"] for parameter in view["parameters"])


def test_workspaces_have_paths_and_are_listed() -> None:
    """The producer's path first, then the consumer's; the loop over a listed workspace visits what it lists."""
    case = Case(
        "workspace",
        "C(i,k) = A(i,j) * B(j,k)",
        {"A": "csr", "B": "csr", "C": "csr"},
        ("precompute(A(i,j)*B(j,k), k, k, w)",),
    )
    view = view_of(case)
    assert view["graph"] is not None
    paths = [path for path in view["graph"]["paths"] if path["temporary"]]
    assert [(path["access"], path["steps"]) for path in paths] == [
        ("w(kw)", [{"variable": "kw", "level": 1, "kind": "listed"}]),
        ("w(k)", [{"variable": "k", "level": 1, "kind": "listed"}]),
    ]
    iterations = {node["variable"]: node["iteration"] for node in view["graph"]["nodes"]}
    assert iterations["k"] == "coordinates stored in w"
    assert view["graph"]["chains"] == [["i", "j", "kw"], ["i", "k"]]
    assert view["temporaries"] == [
        {"name": "w", "dtype": "float64", "kind": "listed", "dimensions": ["k"], "command": 0}
    ]


def test_the_variables_of_a_producer_are_derived_by_precompute() -> None:
    """They do not belong to the expression, and nothing is recovered from them; what is cut later is cut from them."""
    case = Case(
        "workspaces",
        "A(i,j) = B(i,k) * C(k,j)",
        {"B": "csr", "C": "csr"},
        ("reorder(i,k,j)", "precompute(B(i,k)*C(k,j), j, jw, w)", "split(jw, jw0, jw1, 8)"),
    )
    view = view_of(case)
    assert view["provenance"] is not None
    made, cut = view["provenance"]["relations"]
    assert made == {
        "kind": "precompute",
        "command": 1,
        "parents": ["j"],
        "children": ["jw"],
        "bounds": ["jw ∈ [j_min, j_max)"],
        "recover": [],
        "workspace": "w",
    }
    assert (cut["kind"], cut["workspace"], cut["parents"]) == ("split", None, ["jw"])
    assert "precompute(j -> jw, w)" in view["provenance"]["text"]
    underived = {one["name"]: one["underived"] for one in view["variables"]}
    assert underived == {"i": True, "j": True, "k": True, "jw": False, "jw0": False, "jw1": False}
    (copy,) = (one for one in view["variables"] if one["name"] == "jw")
    assert (copy["bounds"], copy["recovery"]) == ("jw ∈ [j_min, j_max)", "jw = jw0 · 8 + jw1")


def test_temporaries_of_the_expression_and_of_the_assembly_belong_to_no_command() -> None:
    sums = view_of(Case("sum", "y(i) = b(i) + A(i,j) * x(j)", {"A": "csr"}))
    assert sums["graph"] is not None
    assert sums["graph"]["chains"] == [["i", "j"], ["i"]]
    assert [path["access"] for path in sums["graph"]["paths"] if path["temporary"]] == ["t", "t"]
    assert [(one["name"], one["kind"], one["command"]) for one in sums["temporaries"]] == [("t", "scalar", None)]
    formats = {"A": "csr", "B": "csr", "C": "csr"}
    product = view_of(Case("product", "C(i,k) = A(i,j) * B(j,k)", formats))
    assert [(one["name"], one["kind"], one["command"]) for one in product["temporaries"]] == [("w", "listed", None)]


def test_several_statements_have_a_root_each() -> None:
    view = view_of(Case("two", "t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)", {"A": "csr"}))
    assert view["graph"] is not None
    assert [node["variable"] for node in view["graph"]["nodes"] if node["parent"] is None] == ["i", "i2"]
    assert [path["access"] for path in view["graph"]["paths"] if path["temporary"]] == ["t(i)", "t(i2)"]
    assert [(one["name"], one["dimensions"]) for one in view["temporaries"]] == [("t", ["i"])]


def test_commands_for_parts_and_the_loop_that_parts_have_in_turn() -> None:
    schedule = ["A[ell1, ell2]: unroll(k, 2 * width)", "concat(t, A[*])", "A[0]: splt(k, k0, k1, 4)"]
    view = compile_view(hd.lower("C(i,k) = A(i,j) * B(j,k)", {"A": "hyb(1,1,whole)"}, schedule))
    assert [(one["name"], one["arguments"], one["status"]) for one in view["commands"]] == [
        ("unroll", ["k", "2 * width"], "applied"),
        ("concat", ["t", "A[*]"], "applied"),
        ("splt", [], "failed"),
    ]
    graph = view["graph"]
    assert graph is not None
    loop = graph["nodes"][0]
    assert loop["variable"] == "t"
    assert loop["iteration"] == "i_ell1_pos, then i_ell2_pos, then i_rows_pos"


def test_a_program_that_becomes_loops_directly_shows_its_code_and_its_loops() -> None:
    view = compile_view(hd.lower(front_end_of("patterns").example, language="patterns"))
    code = view["code"]
    assert code is not None
    assert code["language"] == "c"
    assert "total += xs[i] * A[m * row_i + i];" in code["text"]
    assert code["symbols"]["A"]["kind"] == "array"
    loops = {stage["id"]: stage["code"] for stage in view["stages"] if stage["code"] is not None}
    assert set(loops) == {"structured", "flat"}
