"""The three stages of a program: loops over coordinates, axes of what is read, and where the loops read and write."""

from __future__ import annotations

import pytest

import heddle
from heddle.explorer.views.code.coordinates import coordinates_text, coordinates_view
from heddle.explorer.views.code.regions import region_views
from heddle.explorer.views.compile import compile_view
from heddle.explorer.views.composition.composition import composition_view
from heddle.explorer.views.composition.composition_schema import PartView
from heddle.explorer.views.storage.storage_examples import example_entries
from heddle.formats.parser import parse_format
from heddle.formats.presets import presets_for
from heddle.formats.printer import format_text
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Tensor

SPMM = "C(i,k) = A(i,j) * B(j,k)"
TEXTS = tuple(
    dict.fromkeys(
        [
            *(format_text(preset.instance(2)) for preset in presets_for(2)),
            "hyb(2,1)",
            "hyb(2,1,2)",
            "bcsr(2,2) where tile(2,2) >= 2 + csr",
            "dense, ragged",
            "compressed(nonunique), padded(2)",
        ]
    )
)


def lowered(expression: str, formats: dict[str, str], schedule: str = "") -> heddle.CompileResult:
    result = heddle.lower(expression, formats, schedule)
    assert result.ok, result.diagnostics
    return result


def test_loops_over_coordinates_name_the_levels_that_they_visit() -> None:
    graph = lowered(SPMM, {"A": "csr"}).lowered_graph
    assert graph is not None
    assert coordinates_text(graph).text.rstrip() == (
        "∀ i over C.1 dense, A.1 dense  [spatial]\n"
        "  ∀ j over A.2 compressed, B.1 dense  [reduction]\n"
        "    ∀ k over C.2 dense, B.2 dense  [spatial]\n"
        "      C(i,k) += A(i,j) * B(j,k)"
    )


def test_derived_loops_say_where_they_come_from() -> None:
    graph = lowered("y(i) = A(i,j) * x(j)", {"A": "csr"}, "split(i, i0, i1, 32)").lowered_graph
    assert graph is not None
    first, *_ = coordinates_text(graph).text.splitlines()
    assert first.startswith("∀ i0 from ")
    assert first.endswith("[spatial]")


def test_parts_come_one_after_the_other_and_each_is_linked() -> None:
    result = lowered(SPMM, {"A": "hyb(2,1)"})
    assert result.lowered_graph is not None
    view = coordinates_view(result.lowered_graph)
    assert view["text"].count("then") == 1
    assert view["symbols"]["A_ell2"]["tensor"] == "A_ell2"
    assert view["symbols"]["j_ell2"]["variable"] == "j_ell2"
    # The same tensor is lit in the structured loops, where it is written without its arrays.
    stage = next(one for one in compile_view(result)["stages"] if one["id"] == "structured")
    assert stage["code"] is not None
    assert stage["code"]["symbols"]["A_ell2"]["tensor"] == "A_ell2"


def test_regions_are_what_the_loops_load_and_store() -> None:
    result = lowered(SPMM, {"A": "csr"})
    assert result.function is not None
    assert result.flat is not None
    regions = region_views(result.function)
    assert [(one["place"], one["offset"]) for one in regions if one["writes"]] == [("C.vals[i, k]", "kC")]
    assert {one["place"] for one in regions if one["tensor"] == "A"} == {
        "A.level2.pos[i]",
        "A.level2.pos[i + 1]",
        "A.level2.crd[i, jA]",
        "A.vals[i, jA]",
    }
    for one in regions:
        assert f"{one['array']}[{one['offset']}]" in result.flat.text


def offsets(part: PartView, packed: Tensor) -> set[int]:
    """The places that the formulas lead to: below each position the start that its formula gives on the arrays, plus
    a number, level by level."""
    reached = {0}
    for number, axis in enumerate(part["axes"], start=1):
        arrays = {role: array for (role, level), array in packed.arrays().items() if level == number}
        nodes = axis["nodes"]
        assert nodes is not None
        for position, parent, start in zip(nodes["positions"], nodes["parents"], nodes["starts"], strict=True):
            assert parent in reached
            assert start == int(eval(axis["start"], {"__builtins__": {}}, {**arrays, "p": parent}))
            assert start <= position
        reached = set(nodes["positions"])
    return reached


@pytest.mark.parametrize("text", TEXTS)
def test_the_offset_of_every_entry_is_its_index_in_the_values(text: str) -> None:
    entries = example_entries(2, "float64")
    view = composition_view("A", 2, text, entries, "here", 2)["stored"]
    assert view is not None
    packed = pack(entries, parse_format(text, 2, "A"), dtype="float64", name="A")
    tensors = packed.parts if isinstance(packed, Composite) else (packed,)
    assert view["cells"] is not None
    for number, (part, tensor) in enumerate(zip(view["parts"], tensors, strict=True)):
        reached = offsets(part, tensor)
        for entry, (own, place) in enumerate(zip(view["cells"]["parts"], view["cells"]["places"], strict=True)):
            if own == number:
                assert place in reached
                assert tensor.vals[place] == entries.values[entry]


def test_axes_have_the_words_of_both() -> None:
    def words(text: str) -> list[str | None]:
        view = composition_view("A", 2, text, example_entries(2, "float64"), "here", 2)["stored"]
        assert view is not None
        return [axis["axis"] for axis in view["parts"][0]["axes"]]

    assert words("csr") == ["dense_fixed", "sparse_variable"]
    assert words("ell") == ["dense_fixed", "sparse_fixed"]
    assert words("coo") == ["sparse_variable", "sparse_fixed"]
    assert words("dia") == ["dense_fixed", None]
    assert words("dense, ragged") == ["dense_fixed", "dense_variable"]
