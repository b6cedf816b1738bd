"""How many threads a kernel runs on."""

from __future__ import annotations

from heddle.loop_ir.nodes import For, LoopKind
from heddle.loop_ir.walk import statements
from heddle.result import CompileResult
from heddle.targets import C


def shares_loops(result: CompileResult) -> bool:
    """Whether threads of the processor share a loop of the kernel."""
    loops = result.function
    return loops is not None and any(
        isinstance(each, For) and each.kind is LoopKind.CPU_THREAD for each in statements(loops.body)
    )


def threads_used(result: CompileResult, threads: int) -> int:
    """``threads`` where the kernel has a loop for them; one in the interpreter, and beside a GPU."""
    return threads if result.plan.target == C.name and shares_loops(result) else 1
