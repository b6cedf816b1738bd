"""./heddle fuzz notices what it is there for: wrong results, exceptions, and kernels that take their process along."""

from __future__ import annotations

import json
import multiprocessing
import os
from types import SimpleNamespace

import numpy as np
import pytest

from heddle.diagnostics import CompileError, Diagnostic
from heddle.plan import parse_plan
from heddle.runtime.devices.opencl_devices import CHOICE, devices
from tests.differential.gpu import cuda_text
from tests.differential.gpu.cuda_text import needs_nvrtc
from tests.fuzz import __main__ as fuzz
from tests.fuzz import workers
from tests.fuzz.check_program import check_on_opencl_devices, check_that_cuda_compiles
from tests.fuzz.gpu import draw_gpu_program
from tests.fuzz.schedules import Program, draw_program


def dies_at_two(seed: int, targets: tuple[str, ...]) -> workers.Report:
    if seed == 2:
        os._exit(11)
    return workers.Report(seed, workers.RIGHT)


def test_a_process_that_dies_is_reported_with_its_seed_and_the_next_programs_run() -> None:
    found: list[workers.Report] = []
    for report in (stream := workers.reports(0, ("c",), 1, 60, dies_at_two)):
        found.append(report)
        if report.seed == 4:
            stream.close()
    assert [report.seed for report in found] == [0, 1, 2, 3, 4]
    assert [report.seed for report in found if report.failed] == [2]
    assert found[2].message == "the process died with exit code 11"


@pytest.mark.parametrize(
    ("clock", "processor", "late"),
    [(9.0, 9.0, False), (30.0, 9.0, False), (30.0, 11.0, True), (99.0, 0.0, False), (101.0, 0.0, True)],
    ids=["in time", "a busy machine", "it computes for ever", "it waits", "it waits for ever"],
)
def test_a_busy_machine_makes_no_program_late(
    monkeypatch: pytest.MonkeyPatch, clock: float, processor: float, late: bool
) -> None:
    monkeypatch.setattr(workers.time, "monotonic", lambda: 1000.0 + clock)
    monkeypatch.setattr(workers, "_processor_seconds", lambda process: 50.0 + processor)
    process, connection = multiprocessing.current_process(), multiprocessing.Pipe()[0]
    assert workers._Worker(process, connection, 7, 1000.0, 50.0, patience=10.0).is_late is late


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (AssertionError("3 is not 4"), workers.WRONG, "on c: 3 is not 4"),
        (ZeroDivisionError("oh"), workers.CRASH, "on c: ZeroDivisionError: oh"),
    ],
)
def test_failures_are_told_apart(monkeypatch: pytest.MonkeyPatch, error: Exception, kind: str, message: str) -> None:
    def check_program(program: Program, seed: int, target: str) -> tuple[str, ...]:
        raise error

    monkeypatch.setattr(workers, "check_program", check_program)
    report = workers.check_seed(3, ("c",))
    assert (report.kind, report.message, report.seed) == (kind, message, 3)


def test_a_wrong_result_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.check_program.evaluate", lambda *_: np.array(12345.5))
    assert any(workers.check_seed(seed, ("interpreter",)).kind == workers.WRONG for seed in range(5))


def test_a_failure_is_printed_as_its_plan_and_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    some = [workers.Report(7, workers.WRONG, 2, ("a/code",), "on c: not equal"), workers.Report(8, workers.RIGHT, 1)]
    monkeypatch.setattr(fuzz, "reports", lambda *_, **__: iter(some))
    assert fuzz.main(["--seed", "7"]) == 1
    output = capsys.readouterr().out
    assert "2 programs with 3 commands: 1 right, 0 refused, 1 wrong, 0 crashes" in output
    assert "1 a/code" in output
    (plan,) = [line for line in output.splitlines() if line.startswith("{")]
    assert parse_plan(json.loads(plan)).schedule == draw_program(7).schedule


def test_programs_for_gpus_run_wherever_a_gpu_schedule_can(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ways: list[str] = []
    monkeypatch.setattr(workers, "check_program", lambda program, seed, target: ways.append(target) or ())
    monkeypatch.setattr(workers, "check_on_opencl_devices", lambda program, seed: ways.append("opencl") or ())
    monkeypatch.setattr(workers, "check_that_cuda_compiles", lambda program: ways.append("cuda") or ("a/code",))
    assert workers.check_seed(3, workers.GPU).refused[-1] == "a/code"
    assert ways == ["interpreter", "opencl", "cuda"]
    monkeypatch.setattr(fuzz, "reports", lambda *_, **__: iter([workers.Report(3, workers.CRASH)]))
    assert fuzz.main(["--target", "gpu"]) == 1
    (plan,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert "GPUBlock" in " ".join(parse_plan(json.loads(plan)).schedule)


@pytest.mark.skipif(not devices(), reason="there is no OpenCL device")
def test_every_opencl_device_is_asked_and_cuda_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr(
        "tests.fuzz.check_program.check_program",
        lambda program, seed, target: asked.append(os.environ.get(CHOICE)) or (),
    )
    before = os.environ.get(CHOICE)
    assert check_on_opencl_devices(draw_gpu_program(3), 3) == ()
    assert asked == [device.platform for device in devices()]
    assert os.environ.get(CHOICE) == before


@pytest.mark.parametrize("sub_groups", [True, False])
def test_only_a_device_without_sub_groups_may_ask_for_them(sub_groups: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    device = SimpleNamespace(platform="one", sub_groups=sub_groups)
    monkeypatch.setattr("tests.fuzz.check_program.opencl_devices.devices", lambda: [device])

    def refused(program: Program, seed: int, target: str) -> tuple[str, ...]:
        raise CompileError(Diagnostic(code="runtime/opencl-sub-groups", message="It has none."))

    monkeypatch.setattr("tests.fuzz.check_program.check_program", refused)
    if sub_groups:
        with pytest.raises(CompileError, match="It has none"):
            check_on_opencl_devices(draw_gpu_program(3), 3)
    else:
        assert check_on_opencl_devices(draw_gpu_program(3), 3) == ("runtime/opencl-sub-groups",)


@needs_nvrtc
def test_cuda_that_does_not_compile_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_that_cuda_compiles(draw_gpu_program(4)) == ()
    monkeypatch.setattr(cuda_text, "ARCHITECTURES", ("sm_1",))
    with pytest.raises(Exception, match="sm_1"):
        check_that_cuda_compiles(draw_gpu_program(4))


def test_without_a_failure_the_command_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "reports", lambda *_, **__: iter([workers.Report(8, workers.REFUSED, 1, ("a/code",))]))
    assert fuzz.main([]) == 0


def test_the_number_of_programs_ends_the_draws() -> None:
    found = list(workers.reports(20, ("c",), 2, 60, dies_at_two, programs=5))
    assert sorted(report.seed for report in found) == [20, 21, 22, 23, 24]


def test_so_many_programs_are_drawn_whatever_the_time() -> None:
    found = list(workers.reports(20, ("c",), 2, 0, dies_at_two, least=5))
    assert sorted(report.seed for report in found) == [20, 21, 22, 23, 24]


@pytest.mark.parametrize(("arguments", "least"), [(["--parts"], 400), (["--parts", "--at-least", "7"], 7), ([], 0)])
def test_a_run_over_parts_draws_at_least_400_programs(
    arguments: list[str], least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(fuzz, "reports", lambda *given: asked.append(given[-1]) or iter(()))
    assert fuzz.main(arguments) == 0
    assert asked == [least]


def test_programs_of_a_class_that_this_processor_does_not_run_are_only_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "runs", lambda _: False)
    monkeypatch.setattr(workers, "check_on_class", lambda *_: pytest.fail("it was run"))
    report = workers.check_seed(5001, ("c-v2",), workers.drawn_with_vectors)
    assert (report.kind, report.message) == (workers.RIGHT, "")
