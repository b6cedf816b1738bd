"""Every example runs as the page runs it, on the data that it comes with, and is verified."""

from __future__ import annotations

from typing import Any

import pytest

from heddle.runtime.devices.opencl_devices import devices
from heddle_server.services.catalogue import read_examples
from tests.backend.worker.test_execute import run, small_stream

__all__ = ["small_stream"]  # a fixture, for every test here

EXAMPLES: dict[str, Any] = {example["id"]: example["plan"] for example in read_examples()}


@pytest.mark.combinations(12)
@pytest.mark.parametrize("identity", EXAMPLES)
def test_every_example_is_right(identity: str) -> None:
    plan = EXAMPLES[identity]
    if plan.get("target") == "opencl" and not devices():
        pytest.skip("no OpenCL device here")
    assert run({**plan, "run": {"baselines": []}})["verification"]["ok"]
