"""Every way of computing an MTTKRP gives what the oracle gives, and makes as many atomic updates as is said."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.algorithm import Algorithm, KernelSpec, Parameters
from heddle.algorithms.contention import atomic_updates, writes_of
from heddle.algorithms.methods import BY_NAME, METHODS, Facts, Method
from heddle.algorithms.roles import FACTORS, Role, plan_of, roles_of
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import Event, StoreEvent
from heddle.pipeline import lower
from heddle.result import CompileResult
from heddle.runtime.kernels.calling import plain_arguments
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.facts.statistics import statistics_of
from tests.compiler.algorithms import oracle

SHAPES = {2: (14, 9), 3: (12, 9, 7), 4: (6, 9, 5, 7)}


def entries(order: int, count: int = 400) -> Entries:
    rng = np.random.default_rng(order)
    columns = tuple(rng.integers(0, size, count) for size in SHAPES[order])
    return sort_and_sum(Entries(SHAPES[order], columns, rng.random(count)), tuple(range(order)))


def lowered(method: Method, role: Role, given: Entries, rank: int) -> CompileResult:
    order = len(given.shape)
    assert role.mode is not None
    spec = KernelSpec({"X": method.format(order, role.mode)})
    algorithm = Algorithm("cp-als", Parameters(rank))
    dimensions = tuple(dict.fromkeys((role.mode, *range(order))))
    facts = Facts(given.shape, rank, given.values.size, this_machine(), {"X": statistics_of(given, dimensions)})
    schedule, reasons = method.schedule(role, plan_of(algorithm, role, spec), facts)
    assert reasons
    result = lower(plan_of(algorithm, role, KernelSpec(spec.formats, schedule)))
    result.raise_errors()
    return result


def interpreted(method: Method, given: Entries, mode: int, rank: int) -> list[StoreEvent]:
    """What one call of the method stores, by the interpreter."""
    role = roles_of(3, range(3))[f"mttkrp.{mode}"]
    result = lowered(method, role, given, rank)
    assert result.function is not None
    factors = {FACTORS[other]: hd.pack(np.ones((given.shape[other], rank)), "dense") for other in role.operands}
    tensor = hd.pack(given, method.format(3, mode))
    output = hd.pack(np.zeros((given.shape[mode], rank)), "dense", copy=False)
    events: list[Event] = []
    interpret(result.function, plain_arguments(result.function, {"X": tensor, **factors}, output), events=events)
    return [event for event in events if isinstance(event, StoreEvent)]


@pytest.mark.combinations(4, "method", "order")
@pytest.mark.parametrize("rank", [3, 40])
@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_and_mode(method: Method, order: int, rank: int) -> None:
    given = entries(order)
    tensor = np.zeros(given.shape)
    tensor[given.columns] = given.values
    factors = [np.random.default_rng(7).random((size, rank)) for size in given.shape]
    for mode in (0, order - 1):
        role = roles_of(order, range(order))[f"mttkrp.{mode}"]
        result = lowered(method, role, given, rank)
        assert (not result.thread_dependences) is method.reproducible
        operands = {FACTORS[other]: factors[other] for other in role.operands}
        found = Kernel(result)(X=given, **operands).to_numpy()
        np.testing.assert_allclose(found, oracle.mttkrp(tensor, factors, mode), rtol=1e-12)


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("name", list(BY_NAME))
def test_atomic_updates_are_those_that_the_interpreter_counts(name: str, mode: int) -> None:
    given, rank = entries(3), 2
    counted = sum(event.atomic for event in interpreted(BY_NAME[name], given, mode, rank))
    assert counted == atomic_updates(BY_NAME[name], given, mode, rank)
    if name == "permuted":
        assert counted <= 2 * -(-given.values.size // 128) * rank


def test_a_small_budget_takes_the_shared_coordinates() -> None:
    tensor, _ = oracle.planted((12, 15, 14), 3, seed=2, noise=0.1)
    usual = hd.cp_als(tensor, 3, sweeps=3, tolerance=0)
    small = hd.cp_als(tensor, 3, sweeps=3, tolerance=0, memory=0)
    methods = {name: choice.method for name, choice in small.choices.items() if choice.method is not None}
    assert methods == {"mttkrp.0": "rows", "mttkrp.1": "rows", "mttkrp.2": "rows"}
    assert "coo-perm" in small.choices["mttkrp.0"].kernel.formats["X"]
    assert small.choices["mttkrp.0"].reasons[0].startswith("A sorted copy would take about ")
    for own, other in zip(small.factors, usual.factors, strict=True):
        assert np.allclose(own, other, rtol=0, atol=1e-9)


@pytest.mark.combinations(2)
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_document_names_a_method_and_gets_it_pinned(method: Method) -> None:
    """The result has format and schedule written out, and replays without the name."""
    tensor, _ = oracle.planted((12, 9, 7), 2, seed=3, noise=0.1)
    asked = {"mttkrp.1": {"method": method.name}}
    found = hd.cp_als(tensor, 3, sweeps=3, kernels=asked, reproducible=method.reproducible)
    choice = found.choices["mttkrp.1"]
    assert choice.method == method.name
    assert choice.kernel.formats == {"X": format_text(parse_format(method.format(3, 1), 3, "X"))}
    assert choice.reasons[0] == f"The document asks for it: {method.title.lower()}."
    pinned = found.document["kernels"]["mttkrp.1"]  # type: ignore[index]
    assert pinned.get("method") is None
    assert pinned["tensors"]["X"]["format"] == choice.kernel.formats["X"]
    plain = hd.cp_als(tensor, 3, sweeps=3)
    assert abs(found.fit - plain.fit) < 1e-9
    if method.reproducible:
        again = hd.run(found.document, tensor)
        assert [a.tobytes() for a in again.factors] == [b.tobytes() for b in found.factors]


@pytest.mark.parametrize("method", ["single", "sorted", "fibres", "duplicated"])
def test_counts_by_a_method_that_a_document_names(method: str) -> None:
    tensor = np.random.default_rng(0).integers(0, 3, (6, 5, 4)).astype(float)
    found = hd.cp_apr(tensor, 2, sweeps=3, kernels={"mttkrp.1": {"method": method}})
    assert abs(found.fit - hd.cp_apr(tensor, 2, sweeps=3).fit) < 1e-9


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("name", ["atomic", "tiled", "permuted", "rows"])
def test_pictures_have_every_update_in_its_row(name: str, mode: int) -> None:
    """As the interpreter writes them: how often each row, and all of them in the picture."""
    given, rank = entries(3), 2
    rows = given.shape[mode]
    found = writes_of(BY_NAME[name], given, mode)
    events = interpreted(BY_NAME[name], given, mode, rank)
    written = np.bincount([event.index // rank for event in events if event.atomic], minlength=rows) // rank
    assert np.bincount(found.row, minlength=rows).tolist() == written.tolist()
    assert found.count_atomic_rows() == np.count_nonzero(written)
    assert found.busiest() == (int(written.argmax()), int(written.max()))
    blocks = np.array(found.picture())
    assert blocks.sum() == found.count
    assert blocks.shape == (-(-given.values.size // 128), rows), "a line for each chunk, a place for each row"
    assert blocks.sum(axis=0).tolist() == written.tolist()


def test_pictures_of_large_tensors_stay_small() -> None:
    rng = np.random.default_rng(0)
    shape = (1000, 3, 70)
    columns = tuple(rng.integers(0, size, 9000) for size in shape)
    given = sort_and_sum(Entries(shape, columns, rng.random(9000)), (0, 1, 2))
    found = writes_of(BY_NAME["atomic"], given, 0)
    blocks = np.array(found.picture())
    assert blocks.shape == (12, 32)
    assert blocks.sum() == given.values.size
    first = given.columns[0] < 32  # of 1000 rows the first group has 32, the second 31
    assert blocks[:, 0].sum() == np.count_nonzero(given.columns[0] * 32 // 1000 == 0) == np.count_nonzero(first)
