"""Programs that people wrote for TACO: each is right, or refused with a diagnostic. Never wrong, never a crash.

outcomes.json says which of these each case is, so that what Heddle learns shows as a change of that file.
``pytest tests/cases --update-golden`` writes it again. The counts stand at the end of the test run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

import heddle as hd
from heddle.runtime.devices.opencl_devices import CHOICE, OpenClDevice, devices
from tests.cases.program import OUTCOMES, RIGHT, Case, outcome, read_cases
from tests.differential.gpu.cuda_text import check_text, needs_nvrtc

ALL = read_cases()
GOLDEN: dict[str, str] = json.loads(OUTCOMES.read_text(encoding="utf-8")) if OUTCOMES.exists() else {}
COMPUTED = [case for case in ALL if case.target == "cpu" and GOLDEN.get(case.id, "").startswith(RIGHT)]
COMPILED = COMPUTED[:: max(1, len(COMPUTED) // 60)]
"""The cases that also run as compiled C: about sixty, spread over all."""

ON_GPU = [case for case in ALL if "GPU" in "".join(case.schedule) and GOLDEN.get(case.id, "").startswith(RIGHT)]


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """What was found; it becomes outcomes.json with --update-golden."""
    found: dict[str, str] = {}
    yield found
    if request.config.getoption("--update-golden"):
        kept = {case.id: found.get(case.id, GOLDEN.get(case.id, "")) for case in ALL}
        OUTCOMES.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")


@pytest.mark.combinations(2)
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_right_or_refused(
    case: Case, table: dict[str, str], update_golden: bool, record_property: Callable[[str, object], None]
) -> None:
    found = table[case.id] = outcome(case, "interpreter")
    record_property("case_outcome", found)
    assert case.expect == "right" or found != RIGHT, "this program is to be refused"
    assert update_golden or found == GOLDEN[case.id], "see --update-golden"


@pytest.mark.combinations(4)
@pytest.mark.parametrize("case", [case for case in ALL if case.schedule], ids=lambda case: case.id)
def test_a_schedule_that_starts_from_the_order_of_version_1(case: Case) -> None:
    """The one that its author saw: the result first, sums inside."""
    assert outcome(case, "interpreter", version=1) == GOLDEN[case.id]


@pytest.mark.combinations(4)
@pytest.mark.parametrize("case", COMPILED, ids=lambda case: case.id)
def test_compiled_c_agrees(case: Case) -> None:
    assert outcome(case, "c") == GOLDEN[case.id]


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.combinations(4, "device")
@pytest.mark.skipif(not devices(), reason="there is no OpenCL device")
@pytest.mark.parametrize("device", devices(), ids=lambda device: device.platform)
@pytest.mark.parametrize("case", ON_GPU, ids=lambda case: case.id)
def test_opencl_agrees(case: Case, device: OpenClDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE, device.platform)
    assert outcome(case, "opencl") == GOLDEN[case.id]


@pytest.mark.combinations(4)
@needs_nvrtc
@pytest.mark.parametrize("case", ON_GPU, ids=lambda case: case.id)
def test_cuda_compiles_for_two_architectures(case: Case) -> None:
    check_text(hd.lower(case.expression, case.formats, case.schedule, "cuda", case.dtypes))


def test_every_case_has_an_outcome() -> None:
    assert list(GOLDEN) == [case.id for case in ALL]
