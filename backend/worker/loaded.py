"""What most runs need, for a process that waits for its order: all of it is imported, and grammar and passes have been
used once. No thread begins and nothing is compiled to machine code."""

from __future__ import annotations

import backend.baselines.scipy
import backend.tuning.child
import backend.worker.child
import backend.worker.decomposition.run
import backend.worker.execute  # noqa: F401
from compiler.pipeline import lower
from compiler.plan import parse_plan

lower(parse_plan({"version": 1, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}))
