"""What most runs need, for a process that waits for its order: all of it is imported, and grammar and passes have been
used once. No thread begins and nothing is compiled to machine code."""

from __future__ import annotations

import heddle_server.tuning.child
import heddle_server.worker.child
import heddle_server.worker.decomposition.run
import heddle_server.worker.execute  # noqa: F401
from heddle.pipeline import lower
from heddle.plan import parse_plan

lower(parse_plan({"version": 1, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}))
