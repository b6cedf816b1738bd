"""The programs on every way to run them: C, the checked interpreter, OpenCL and NumPy agree."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.patterns.meaning import evaluate
from heddle.patterns.syntax.parser import parse
from heddle.patterns.syntax.printer import to_text
from heddle.runtime.devices.opencl_devices import devices
from tests.compiler.patterns.programs import CASES, ON_CPU

SIZES = (0, 1, 2, 7, 13)


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", ON_CPU)
def test_c_and_the_interpreter_agree_with_numpy(name: str) -> None:
    case = CASES[name]
    kernels = [hd.compile(case.text, language="patterns", target=target) for target in ("c", "interpreter")]
    for seed, n in enumerate(SIZES):
        arguments, expected = case.make(np.random.default_rng(seed), n)
        for kernel in kernels:
            result = kernel(**arguments).to_numpy().reshape(-1)
            np.testing.assert_array_equal(result, expected, err_msg=f"{kernel.target}, n = {n}")


def test_work_groups_run_in_the_interpreter_without_races() -> None:
    case = CASES["P9"]
    kernel = hd.compile(case.text, language="patterns", target="interpreter")
    for seed, n in enumerate((0, 1, 5, 9)):
        arguments, expected = case.make(np.random.default_rng(seed), n)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy(), expected)


@pytest.mark.combinations(10)
@pytest.mark.parametrize("name", CASES)
def test_opencl_agrees_with_numpy(name: str) -> None:
    """What has no maps on units is one thread of one work-group."""
    if not devices():
        pytest.skip("there is no OpenCL device: no wheel of a runtime for this machine")
    case = CASES[name]
    kernel = hd.compile(case.text, language="patterns", target="opencl")
    for seed, n in enumerate(SIZES):
        arguments, expected = case.make(np.random.default_rng(seed), n)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy().reshape(-1), expected, err_msg=f"n = {n}")


@pytest.mark.parametrize("name", CASES)
def test_the_meaning_is_what_numpy_gives(name: str) -> None:
    case = CASES[name]
    kernel = hd.compile(case.text, language="patterns", target="interpreter")
    term = parse(case.text)
    for seed, n in enumerate(SIZES):
        arguments, expected = case.make(np.random.default_rng(seed), n)
        sizes = kernel.prepare(arguments).sizes
        np.testing.assert_array_equal(evaluate(term, arguments, sizes), expected)


@pytest.mark.parametrize("name", CASES)
def test_the_text_prints_and_parses_to_the_same_program(name: str) -> None:
    term = parse(CASES[name].text)
    assert parse(to_text(term)) == term


@pytest.mark.parametrize("target", ["opencl", "cuda"])
def test_work_groups_are_printed_with_local_memory_and_barriers(target: str) -> None:
    source = hd.lower(CASES["P9"].text, language="patterns", target=target).source
    assert source is not None
    local, barrier = {"opencl": ("__local", "barrier("), "cuda": ("__shared__", "__syncthreads()")}[target]
    assert local in source.text or local.strip("_") in source.text
    assert barrier in source.text


def test_words_of_the_paper_and_numbers_of_c() -> None:
    """``nfun`` stands in the grammar that is printed, and listing 6 has ``0.0f``."""
    ours = "nFun(n => fun(x: [float]_n => x :>> reduce(+, 0.0)))"
    assert to_text(parse(ours.replace("nFun", "nfun").replace("0.0", "0.0f"))) == to_text(parse(ours))


@pytest.mark.parametrize(
    ("text", "title", "mended"),
    [
        ("fun(x: [float]_2 => x", "Insert the parenthesis", "fun(x: [float]_2 => x)"),
        ("fun(x: int => fun(y: int => x", "Insert the 2 parentheses", "fun(x: int => fun(y: int => x))"),
        ("fun(x: int => x + 0.0g)", None, None),
    ],
)
def test_a_repair_leaves_no_other_mistake_at_its_place(text: str, title: str | None, mended: str | None) -> None:
    """``0.0f`` became ``0.0)f``."""
    with pytest.raises(hd.CompileError) as caught:
        parse(text)
    fixes = [(fix.title, fix.expression) for fix in caught.value.diagnostics[0].fixes]
    assert fixes == ([] if title is None else [(title, mended)])
