"""Mapping options: read in both spellings, and written as commands that compile, each option with a remark."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.tuning.mapping.commands import LEFT, MOST_THREADS, map_options
from heddle.tuning.mapping.options import PRESETS, is_mapping_options, read_options
from tests.compiler.comprehensions.programs import CASES
from tests.compiler.comprehensions.test_programs import check_program

CPP = """tc::CudaMappingOptions::makeNaiveMappingOptions()
    .outerScheduleFusionStrategy(tc::FusionStrategy::Max)  // all of it
    .tile({16, 8}).mapToThreads(4, 32).mapToBlocks({128}).unroll(4).usePrivateMemory(true).matchLibraryCalls(true)"""
PYTHON = """tc.MappingOptions("naive").outerScheduleFusionStrategy("Max").tile([16, 8]).mapToThreads([4, 32]) \\
    .mapToBlocks([128]).unroll(4).usePrivateMemory(True).matchLibraryCalls(True)"""


def plan_of(name: str, target: str = "c") -> Plan:
    case = CASES[name]
    return Plan(case.text, language="comprehension", sizes=case.fixed, target=target)


def test_both_spellings_say_the_same() -> None:
    one, other = ([(o.name, tuple(str(v).lower() for v in o.values)) for o in read_options(t)] for t in (CPP, PYTHON))
    assert one == other
    assert dict(one)["tile"] == ("16", "8")
    assert is_mapping_options(CPP)
    assert is_mapping_options("f.mapToBlocks(3)")
    assert not is_mapping_options("y(i) = A(i,j) * x(j)  // MappingOptions")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MappingOptions('fast')", r"MappingOptions\('fast'\) is not a preset: unmapped, naive, .* are known"),
        ("makeNaiveMappingOptions().tile(32", "a parenthesis is not closed"),
    ],
)
def test_what_is_no_options_is_said(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_options(text)


def test_options_become_commands_with_a_remark_for_each() -> None:
    found = map_options(plan_of("tmm"), read_options(CPP))
    assert found.commands == (
        "split(m, m0, m1, 16)",
        "split(n, n0, n1, 8)",
        "reorder(m0, n0, m1, n1, kk)",
        "parallelize(m0, CPUThread, NoRaces)",
        "reorder(m1, kk, n1)",
        "precompute(A(m,kk) * B(n,kk), n1, n1w, w)",
        "parallelize(n1w, CPUVector, NoRaces)",
        "parallelize(n1, CPUVector, NoRaces)",
        "unroll(kk, 4)",
    )
    assert {one.option.name: (one.taken, one.text) for one in found.said} == {
        "outerScheduleFusionStrategy": (True, "There is one statement, and nothing to fuse."),
        "tile": (True, "2 loops are cut into tiles."),
        "mapToThreads": (True, "The innermost independent loop of 1 nest runs in vector lanes."),
        "mapToBlocks": (
            True,
            "The outermost loop of 1 nest runs in parallel; the threads of the machine share it, whatever their "
            "number.",
        ),
        "unroll": (True, "The innermost loop of 1 nest is unrolled 4 times."),
        "usePrivateMemory": (True, "Sums of a tile's lanes are in registers."),
        "matchLibraryCalls": (False, LEFT["matchLibraryCalls"]),
    }


@pytest.mark.parametrize(
    ("strategy", "commands"),
    [
        ("Min", ()),
        ("Preserve3Coincident", ("together(b, b2)", "together(b, b3)", "together(o, o2)", "together(o, o3)")),
        ("Max", ("together(b, b2)", "together(b, b3)", "together(o, o2)", "together(o, o3)")),
    ],
)
def test_fusion_strategies(strategy: str, commands: tuple[str, ...]) -> None:
    found = map_options(plan_of("fcrelu"), read_options(f".outerScheduleFusionStrategy({strategy}).mapToBlocks(1)"))
    assert found.commands[: len(commands)] == commands
    assert sum(one.startswith("together") for one in found.commands) == len(commands)


@pytest.mark.parametrize(("strategy", "loops"), [("Min", 0), ("Preserve3Coincident", 3), ("Max", 4)])
def test_three_loops_at_most_are_shared_where_three_are_asked_for(strategy: str, loops: int) -> None:
    text = "def f(float(A,B,C,D) x) -> (y) { t(a,b,c,d) = 2 * x(a,b,c,d)  y(a,b,c,d) = t(a,b,c,d) + 1 }"
    plan = Plan(text, language="comprehension")
    found = map_options(plan, read_options(f".outerScheduleFusionStrategy({strategy})"))
    assert found.commands == ("together(a, a2)", "together(b, b2)", "together(c, c2)", "together(d, d2)")[:loops]


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("mapToThreads(32,64)", f"A block has at most {MOST_THREADS:,} threads, and 32 × 64 are 2,048."),
        ("outerScheduleFusionStrategy(Best)", "A fusion strategy is one of Max, Preserve3Coincident, Min."),
        ("unroll(128)", "`unroll(kk, 128)`: the unroll factor must be between 2 and 64, not 128."),
        ("somethingElse(1)", "Heddle does not know this option."),
        ("useSharedMemory(true)", "A CPU has no memory of this kind: its caches hold what a tile reads again."),
    ],
)
def test_what_has_no_counterpart_is_refused_with_words(option: str, text: str) -> None:
    (said,) = map_options(plan_of("tmm"), read_options(f".{option}")).said
    assert (said.option.text, said.taken, said.text) == (option, False, text)


@pytest.mark.combinations(12, "preset")
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ["tmm", "fcrelu", "2LUT", "gconv", "softmax", "mlp3"])
def test_presets_compile_and_compute_the_same(name: str, preset: str) -> None:
    case, options = CASES[name], read_options(f'MappingOptions("{preset}")')
    found = map_options(plan_of(name), options)
    assert len(found.said) == len(options)
    made = hd.compile(
        case.text,
        language="comprehension",
        target="interpreter",
        sizes=case.fixed,
        schedule="; ".join(found.commands),
    )
    check_program(name, case, made, dict(case.sizes))


@pytest.mark.parametrize("preset", ["naive", "mlp"])
def test_on_a_gpu_tiles_are_blocks(preset: str) -> None:
    found = map_options(plan_of("tmm", "opencl"), read_options(f'MappingOptions("{preset}")'))
    assert any("GPUBlock" in one for one in found.commands)
    assert any("GPUThread" in one for one in found.commands)
    lower(Plan(CASES["tmm"].text, language="comprehension", target="opencl", schedule=found.commands)).raise_errors()
