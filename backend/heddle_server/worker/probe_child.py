"""Child process that asks one library of others what this machine offers through it.

A driver that crashes takes its process along: each library has one of its own (``probes.py``). The first line of the
sandbox tells what the system allows. It imports what it asks through, and nothing else: every start waits for it.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from heddle_server.engine.capability import Capability

if TYPE_CHECKING:
    from heddle.measuring.schema import MklFacts


def ask(capability: Capability, openmp: str | None) -> MklFacts | str | bool | None:
    """Whether a device is there, and of a GPU which; of MKL what it says of itself, None where it is not installed."""
    match capability:
        case Capability.OPENCL:
            from heddle.runtime.devices import opencl_devices

            return bool(opencl_devices.devices())
        case Capability.GPU:
            from heddle.runtime.devices import cuda

            return cuda.describe_card(cuda.gpu()) if cuda.missing() is None else False
        case Capability.MKL:
            from heddle.measuring.baselines import mkl_library

            try:
                return mkl_library.facts(openmp)
            except mkl_library.MklError:
                return None
        case _:
            raise AssertionError(capability)


if __name__ == "__main__":
    job = json.load(sys.stdin)
    answer = ask(Capability(job["capability"]), job["openmp"])
    print(json.dumps({"event": "result", "result": {"answer": answer}}), flush=True)
