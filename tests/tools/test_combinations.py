"""Samples of tables of combinations: which cases run, and that a seed draws the same ones again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling.combinations import NAMED, SHARE, is_named, is_named_whole
from tests.sampling.costs import costs

ROOT = Path(__file__).resolve().parents[2]
TABLE = """
import pytest

@pytest.mark.combinations(4, "letter", "number")
@pytest.mark.parametrize("letter", "abcde")
@pytest.mark.parametrize("number", range(8))
def test_table(letter, number): ...

@pytest.mark.parametrize("number", range(3))
def test_of_each(number): ...
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "test_table.py"
    path.write_text(TABLE)
    return path


COLLECT = """
import pytest, sys

options, seeds = sys.argv[1].split("\\n"), sys.argv[2:]
for seed in seeds:
    print("SAMPLE", flush=True)
    drawn = [f"--combination-seed={seed}"] if seed else []
    assert pytest.main([*options, *drawn]) == 0
"""


def samples(file: Path, *seeds: str) -> list[list[str]]:
    """What runs of a file or a folder, for each seed; without any for an empty one."""
    plugins = ["-p", "tests.sampling.combinations", "-p", "no:cacheprovider"]
    options = [*plugins, "-q", "--collect-only", f"--rootdir={file.parent}", str(file)]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-c", COLLECT, "\n".join(options), *seeds]
    done = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=True)
    _, *outputs = done.stdout.split("SAMPLE\n")
    return [[line.partition("::")[2] for line in output.splitlines() if "::" in line] for output in outputs]


def test_without_a_seed_every_case_runs(file: Path) -> None:
    (every,) = samples(file, "")
    assert len(every) == 5 * 8 + 3


def test_a_sample_has_its_share_of_the_cases_and_each_value(file: Path) -> None:
    (sample,) = samples(file, "one")
    drawn = [name for name in sample if name.startswith("test_table")]
    assert len(sample) - len(drawn) == 3
    assert 5 * 8 // 4 <= len(drawn) <= 5 * 8 // 3
    cases = [name.partition("[")[2].strip("]").split("-") for name in drawn]
    assert {number for number, _ in cases} == set("01234567")
    assert {letter for _, letter in cases} == set("abcde")


def test_a_seed_draws_the_same_cases_again_and_another_one_others(file: Path) -> None:
    sample, again, another = samples(file, "one", "one", "two")
    assert again == sample
    assert another != sample


TURNS = """
import pytest

pytestmark = pytest.mark.takes_turns(3)

@pytest.mark.parametrize("number", range(4))
def test_a(number): ...

def test_b(): ...
def test_c(): ...
def test_d(): ...

@pytest.mark.every_commit
def test_e(): ...
"""


def test_tests_of_a_file_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "test_turns.py"
    path.write_text(TURNS)
    every, *drawn = samples(path, "", *map(str, range(12)))
    assert len(every) == 4 + 4
    functions = [{name.partition("[")[0] for name in sample} for sample in drawn]
    assert all(len(names) == 2 + 1 and "test_e" in names for names in functions)
    assert set().union(*functions) == {"test_a", "test_b", "test_c", "test_d", "test_e"}
    assert all(("test_a" in names) == (len(sample) == 2 + 4) for names, sample in zip(functions, drawn, strict=True))


GROUPS = """
import pytest

@pytest.mark.takes_turns(2, among="probes")
def test_{0}_a(): ...

@pytest.mark.takes_turns(2, among="probes")
def test_{0}_b(): ...

def test_{0}_c(): ...
"""


def test_tests_of_several_files_take_turns_among_themselves(tmp_path: Path) -> None:
    for name in "xyz":
        (tmp_path / f"test_{name}.py").write_text(GROUPS.replace("{0}", name))
    drawn = samples(tmp_path, *map(str, range(9)))
    assert all(len(sample) == 3 + 3 for sample in drawn)
    assert len(set().union(*drawn)) == 9
    assert any(sum(name.startswith("test_x") for name in sample) != 2 for sample in drawn)


def test_what_a_planted_mistake_names_never_waits(tmp_path: Path) -> None:
    folder = next(Path(test) for test in sorted(NAMED) if not test.endswith(".py") and "::" not in test)
    file, _, function = next(test for test in sorted(NAMED) if "::" in test and "[" not in test).partition("::")
    for path in (tmp_path / folder / "test_turns.py", tmp_path / file):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TURNS.replace("test_b", function))
    sampled = samples(tmp_path / "tests", *map(str, range(6)))
    assert all(len([name for name in sample if name == function]) == 2 for sample in sampled)
    assert {len(sample) for sample in sampled} <= {4 + 4 + 2 + 1, 4 + 4 + 2 + 4}


NAMED_TABLE = """
import pytest

@pytest.mark.combinations(16)
@pytest.mark.parametrize("case", {cases})
def {function}(case): ...
"""


def test_cases_that_a_planted_mistake_names_are_not_drawn(tmp_path: Path) -> None:
    others = [f"other{number}" for number in range(16)]
    cases = [test for test in sorted(NAMED) if "[" in test]
    case = next(test for test in cases if 2 * costs().get(test.partition("[")[0], 0.0) < SHARE)
    of_case, _, rest = case.partition("::")
    in_function, value = rest.removesuffix("]").split("[")
    function, _, whole = next(test for test in sorted(NAMED) if "::" in test and "[" not in test).partition("::")
    for place, name, cases in ((of_case, in_function, [value, *others]), (function, whole, others)):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(NAMED_TABLE.format(cases=cases, function=name))
    for sample in samples(tmp_path / "tests", *"abcd"):
        assert len([name for name in sample if name.startswith(f"{whole}[")]) == 16
        of_table = [name for name in sample if name.startswith(f"{in_function}[")]
        assert f"{in_function}[{value}]" in of_table
        assert len(of_table) == 2


PRICED = """
import pytest

@pytest.mark.parametrize("case", range(16))
def {dear}(case): ...

@pytest.mark.parametrize("case", range(16))
def test_cheap(case): ...
"""


def test_of_dear_functions_so_many_cases_run_that_they_cost_their_share(tmp_path: Path) -> None:
    without_turns = [test for test in costs() if test.startswith("tests/regressions/") and not is_named(test)]
    dear = next(test for test in without_turns if SHARE / 16 < costs()[test] < SHARE)
    place, _, function = dear.partition("::")
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text(PRICED.format(dear=function))
    every, *drawn = samples(tmp_path / "tests", "", *map(str, range(8)))
    assert len(every) == 16 + 16
    counts = [sum(name.startswith(f"{function}[") for name in sample) for sample in drawn]
    assert max(counts) > 0
    share = SHARE / costs()[dear]
    assert all(share - 1 < count < share + 1 for count in counts)
    assert len({*map(tuple, drawn)}) > 1


def test_of_a_dear_function_the_cases_that_a_planted_mistake_names_run(tmp_path: Path) -> None:
    cases = {test for test in NAMED if "[" in test and not is_named_whole(test.partition("[")[0])}
    dear = next(test for test in sorted(cases) if costs().get(test.partition("[")[0], 0.0) > SHARE / 16)
    place, _, case = dear.partition("::")
    function, _, value = case.removesuffix("]").partition("[")
    (tmp_path / place).parent.mkdir(parents=True)
    values = f"({value!r}, *map(str, range(15)))"
    (tmp_path / place).write_text(PRICED.replace("range(16)", values).format(dear=function))
    for sample in samples(tmp_path / "tests", *"abcd"):
        assert case in sample
        assert len([name for name in sample if name.startswith(f"{function}[")]) < 16
