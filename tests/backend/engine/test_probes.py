"""What a machine offers is asked of each library in a process of its own: a crash costs that capability alone."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heddle.runtime.devices import opencl_devices
from heddle_server.engine import probes
from heddle_server.engine.capability import Capability
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.cluster import declaration
from heddle_server.engine.probes import describe_failure, probe_machine
from heddle_server.settings import Settings
from tests.search_path import ROOT, search_path

ABORTS = "tests.backend.aborting_probe"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Those of a machine that may have everything, with an empty cache."""
    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(probes, "_list_installed", lambda capability: iter((capability,)))
    return Settings(data_directory=tmp_path / "data")


def test_a_library_that_ends_its_process_costs_its_capability_alone(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "heddle.worker"):
        findings = probe_machine(settings, ABORTS)
    assert findings.resources == {"cpu", "gpu"}
    assert findings.mkl is not None
    assert findings.mkl["dispatch"] == "AVX2"
    assert findings.failures == {"opencl": "ended its process (SIGABRT): Not enough memory to run on this device."}
    assert findings.sandbox["limits"]["bound_addresses"] is False
    assert "this machine does not offer opencl: asked for it, its library ended its process (SIGABRT)" in caplog.text


def test_what_mkl_says_of_itself_is_asked_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    first = probe_machine(settings, ABORTS)
    asked: list[str] = []

    def note(_: Settings, __: str, job: dict[str, Any]) -> Outcome:
        asked.append(job["capability"])
        return Outcome("done", {"answer": job["capability"] == "gpu" and "NVIDIA H100, driver for CUDA 12.4"})

    monkeypatch.setattr(probes, "_ask", note)
    again = probe_machine(settings, ABORTS)
    assert again.mkl == first.mkl
    assert sorted(asked) == ["gpu", "opencl"]
    assert again.resources == {"cpu", "gpu"}
    assert (first.gpu, again.gpu) == (None, "NVIDIA H100, driver for CUDA 12.4")


def test_a_declaration_says_what_a_machine_does_not_offer_and_why(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declaration, "probe_machine", lambda asked: probe_machine(asked, ABORTS))
    declared = declaration.declare(settings)
    assert declared.facts["mkl"] is not None
    worker: Any = None
    assert declaration.parse_declaration(declared(worker)) == declared
    assert list(declared.failed_probes) == [Capability.OPENCL]
    earlier = {name: value for name, value in declared(worker).items() if name != "failed_probes"}
    assert declaration.parse_declaration(earlier).failed_probes == {}


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome("crashed", signal="SIGSEGV"), "ended its process (SIGSEGV)"),
        (Outcome("timeout", title="Time is up"), "did not answer in time"),
        (Outcome("oom", title="Out of memory"), "took more memory than a run may"),
        (Outcome("failed", last_words="ImportError: libze.so"), "ended without an answer: ImportError: libze.so"),
    ],
)
def test_how_a_probe_ended_is_said_in_words(outcome: Outcome, reason: str) -> None:
    assert describe_failure(outcome) == reason


CONFINED = """
import sys
from heddle_server.engine.children.confinement.devices import list_devices
from heddle_server.engine.children.confinement.file_rules import restrict_files
from heddle_server.engine.children.sandbox import end_with_parent
from heddle.runtime.devices import opencl_devices
end_with_parent()
if restrict_files([sys.argv[1]], [sys.argv[2]], [], list_devices(graphics=True)):
    print([device.describe() for device in opencl_devices.devices()])
else:
    print("no Landlock")
"""


@pytest.mark.skipif(not opencl_devices.devices(), reason="there is no OpenCL device")
def test_opencl_answers_where_a_process_may_not_look_into_the_root_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PoCL's hwloc opens ``/``, finds no memory where it may not, and PoCL then ends the process."""
    scratch, hidden = tmp_path / "scratch", tmp_path / "hidden"
    scratch.mkdir()
    hidden.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    command = [sys.executable, "-P", "-c", CONFINED, str(scratch), str(hidden)]
    ended = subprocess.run(command, cwd=ROOT, env=environment_of_tests(), capture_output=True, text=True)
    if ended.stdout.strip() == "no Landlock":
        pytest.skip("this kernel has no Landlock")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.strip() == str([device.describe() for device in opencl_devices.devices()])


def environment_of_tests() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": search_path()}
