"""Results and runs name the class of machines that kernels were compiled for."""

from __future__ import annotations

import os

import pytest

from heddle.runtime.devices import cuda
from heddle.runtime.native import machine_class
from heddle.runtime.native.cache_folder import cache_of_runs
from heddle_server.engine.capability import Capability
from heddle_server.engine.children.started_child import environment
from heddle_server.engine.machine import machine_facts
from heddle_server.machine_name import machine_name
from heddle_server.places import IMPORT_FOLDERS
from heddle_server.services.machine import kind
from heddle_server.worker.probe_child import ask
from tests.benchmarks.gpu.gpu_machine import gpu_machine


def test_the_facts_of_a_machine_name_its_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEDDLE_MARCH", raising=False)
    facts = machine_facts()
    assert (facts["machine_class"], facts["march"]) == (machine_class.detect().name, "native")
    monkeypatch.setenv("HEDDLE_MARCH", "v2")
    held = machine_facts()
    assert (held["machine_class"], held["march"]) == ("x86-64-v2", "x86-64-v2")
    assert kind(held) == (*kind(facts), "x86-64-v2")  # what was measured natively answers for native runs alone


def test_a_machine_is_named_with_its_class() -> None:
    facts = {"cpu": "AMD EPYC", "machine_class": "x86-64-v4", "march": "native"}
    assert machine_name(facts) == "AMD EPYC (x86-64-v4)"
    assert machine_name({**facts, "machine_class": "x86-64-v3", "march": "x86-64-v3"}) == "AMD EPYC held to x86-64-v3"
    assert machine_name({"cpu": "Xeon"}) == "Xeon"  # a result of before


def test_the_process_of_a_run_compiles_for_the_same_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE_MARCH", "x86-64-v3")
    given = environment()
    assert given["HEDDLE_MARCH"] == "x86-64-v3"


def test_what_cupy_compiles_is_kept_between_runs() -> None:
    assert environment()["CUPY_CACHE_DIR"] == str(cache_of_runs() / "cupy")


def test_the_facts_of_a_machine_name_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    card = "NVIDIA H100, driver for CUDA 12.4, CuPy 14.2.0 for CUDA 12.9"
    gpu = gpu_machine(monkeypatch)
    assert cuda.describe_card(gpu) == card
    assert ask(Capability.GPU, None) == card
    monkeypatch.setattr(cuda, "missing", lambda: "the driver finds no GPU")
    assert ask(Capability.GPU, None) is False
    assert machine_facts(gpu=card)["gpu"] == card
    assert machine_facts()["gpu"] is None


def test_threads_of_openblas_are_told_to_sleep_soon() -> None:
    """They spun for 40 ms behind each product, on the cores of the contender that was timed next."""
    assert environment()["OPENBLAS_THREAD_TIMEOUT"] == "16"


def test_the_process_of_a_run_finds_optional_packages_where_the_service_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PyTorch in a folder of PYTHONPATH was no baseline: neither the command nor the run's process looked there."""
    ours = [str(folder) for folder in IMPORT_FOLDERS]
    for found, expected in (
        (os.pathsep.join([*ours, "/opt/torch", "", "here"]), [*ours, "/opt/torch"]),
        ("/opt/torch", [*ours, "/opt/torch"]),
        ("", ours),
    ):
        monkeypatch.setenv("PYTHONPATH", found)
        given = environment()
        assert given["PYTHONPATH"].split(os.pathsep) == expected
