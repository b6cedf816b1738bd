"""Programs in patterns as what a search is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heddle.diagnostics import InternalError
from heddle.loop_ir.analysis.allocated import workspace_bytes
from heddle.measuring.contender import Contender
from heddle.measuring.patterns.alike import in_index_notation
from heddle.measuring.patterns.arguments import Arguments, make_arguments
from heddle.measuring.patterns.prepared import reference_of, shape_reference, verify
from heddle.measuring.verification.reference import Reference
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.runtime.patterns.call import PatternCall
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.runtime.tensors.coordinates import Entries
from heddle_server.tuning.subject import Ready


@dataclass(slots=True, eq=False)
class PatternsSubject:
    """``result`` and ``call`` are those of the plan itself."""

    plan: Plan
    result: CompileResult
    arguments: Arguments
    call: PatternCall
    reference: Reference
    threads: int

    @property
    def sparse(self) -> dict[str, Entries]:
        """None: what a program's arguments are parts of keeps its format."""
        return {}

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {name: source.stored.shape for name, source in self.arguments.sources.items()}

    def ready(self, plan: Plan) -> Callable[[], Ready]:
        result = lower(plan)
        result.raise_errors()
        kernel = PatternKernel(result)
        return lambda: self._ready(kernel, result)

    def libraries(self, threads: int) -> list[Contender]:
        shaped_alike = shape_reference(self.call, self.reference)
        contenders = in_index_notation(self.plan, self.result, self.arguments, shaped_alike, threads)
        return [contender for contender in contenders if isinstance(contender, Contender)]

    def _ready(self, kernel: PatternKernel, result: CompileResult) -> Ready:
        call = kernel.prepare(self.arguments.values)
        call.run()
        check = verify(call, self.reference)
        return Ready(call.run, None if check["ok"] else check["max_error"], self._bytes(call, result))

    def _bytes(self, call: PatternCall, result: CompileResult) -> int | None:
        if result.function is None:
            raise InternalError("A program without errors has loops")
        workspaces = workspace_bytes(result.function, call.sizes, self.threads)
        held = sum(tensor.nbytes for tensor in call.arguments.values())
        return None if workspaces is None else held + workspaces


def patterns_subject(plan: Plan, result: CompileResult, paths: Mapping[str, str], threads: int) -> PatternsSubject:
    """Makes the arguments of ``plan``, which compiled to ``result``, and the reference.

    Raises
    ------
    CompileError
        the arguments are at fault, or there is no reference for them.
    """
    if result.bound is None:
        raise InternalError("A program of patterns without errors has been lowered")
    arguments = make_arguments(plan, result.bound, paths)
    call = PatternKernel(result).prepare(arguments.values)
    return PatternsSubject(plan, result, arguments, call, reference_of(plan, arguments, call), threads)
