"""What the system says of stolen time, on files as Linux writes them, and on systems that have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle.measuring import system_load
from heddle.measuring.system_load import MachineReading, Reading, SystemLoad

STAT = "cpu  1000 0 500 8000 100 0 10 390 25 0\ncpu0 1 2 3\nintr 12 0 0\n"
PRESSURE = "some avg10=98.93 avg60=94.96 avg300=80.81 total=2500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"


def write(proc: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (proc / name).parent.mkdir(parents=True, exist_ok=True)
        (proc / name).write_text(text)


def test_the_waiting_of_all_threads_is_added_up(tmp_path: Path) -> None:
    write(tmp_path, {"self/task/1/schedstat": "597387 1752399 2\n", "self/task/2/schedstat": "10 1000 1\n"})
    with SystemLoad(str(tmp_path)) as system:
        before = system.read()
        assert before.waited_ns == 1753399
        write(tmp_path, {"self/task/2/schedstat": "10 5000 1\n", "self/task/3/schedstat": "0 70 1\n"})
        assert system.read().since(before).waited_ns == 4000
        system.look_for_threads()
        assert system.read().since(before).waited_ns == 4070


def test_shares_are_those_of_the_time_in_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 12.0])
    monkeypatch.setattr(system_load.time, "monotonic", lambda: next(times))
    write(tmp_path, {"stat": STAT, "pressure/cpu": PRESSURE})
    with SystemLoad(str(tmp_path)) as system:
        before = system.read_machine()
        # Ticks of guests are among those of user already.
        assert before == MachineReading(10.0, 2_500_000, 10_000, 390)
        write(tmp_path, {"stat": STAT.replace("390", "410").replace("8000", "8180")})
        write(tmp_path, {"pressure/cpu": PRESSURE.replace("2500000", "3000000")})
        assert system.read_machine().shares_since(before) == (0.25, 0.1)


def test_a_system_that_says_nothing_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_load, "resource", None)
    with SystemLoad(str(tmp_path / "none")) as system:
        assert system.read() == Reading(None, None)
        assert system.read().since(Reading(3, 4)) == Reading(None, None)
        assert system.read_machine().shares_since(system.read_machine()) == (None, None)


@pytest.mark.parametrize(
    ("files", "read"),
    [
        ({"stat": "", "pressure/cpu": ""}, (None, None, None)),
        ({"stat": "intr 12\n", "pressure/cpu": "full total=3\n"}, (None, None, None)),
        ({"stat": "cpu  1 2 3 4\n", "pressure/cpu": "some avg10=0.00 total=lots\n"}, (None, 10, None)),
        ({"stat": "cpu  1 x 3 4\n"}, (None, None, None)),
    ],
)
def test_what_cannot_be_read_is_not_said(
    tmp_path: Path, files: dict[str, str], read: tuple[int | None, int | None, int | None]
) -> None:
    """Kernels of before 2.6.11 have no steal; some sandboxes answer empty files."""
    write(tmp_path, {**files, "self/task/1/schedstat": "0\n"})
    with SystemLoad(str(tmp_path)) as system:
        found = system.read_machine()
        assert (found.pressure_us, found.ticks, found.stolen) == read
        assert system.read().waited_ns is None


def test_this_system_is_asked_without_an_error() -> None:
    with SystemLoad() as system:
        spent = system.read().since(system.read())
        assert spent.involuntary is None or spent.involuntary >= 0
        assert system.read_machine().seconds > 0
