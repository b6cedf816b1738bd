"""Programs of statements as what a search is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from heddle.formats.printer import format_text
from heddle.loop_ir.analysis.allocated import workspace_bytes
from heddle.loop_ir.nodes import ParameterKind
from heddle.measuring.baselines.choose import baselines_for
from heddle.measuring.baselines.registry import BASELINES
from heddle.measuring.contender import Contender, Problem, operands_by_format
from heddle.measuring.inputs.make_inputs import Inputs, make_inputs
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verified import references_of, verify
from heddle.measuring.verification.verify import compare
from heddle.notation.nodes import Assignment
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native import toolchain
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import Signature
from heddle_server.tuning.subject import Ready


@dataclass(slots=True, eq=False)
class StatementsSubject:
    """``references`` are those of every result; ``threads`` what a parallel loop has."""

    plan: Plan
    assignment: Assignment
    signature: Signature
    inputs: Inputs
    references: Mapping[str, Reference]
    threads: int
    _packed: dict[tuple[str, str, str], Tensor] = field(default_factory=dict)

    @property
    def sparse(self) -> dict[str, Entries]:
        return {name: operand for name, operand in self.inputs.operands.items() if isinstance(operand, Entries)}

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {name: operand.shape for name, operand in self.inputs.operands.items()}

    def ready(self, plan: Plan) -> Callable[[], Ready]:
        result = lower(plan)
        result.raise_errors()
        kernel = Kernel(result)
        return lambda: self._ready(kernel, result)

    def libraries(self, threads: int) -> list[Contender]:
        openmp = toolchain.discover().openmp
        operands = operands_by_format(self.inputs.operands, self.signature)
        problem = Problem(self.assignment, self.signature, operands, self.inputs.sizes, threads, openmp)
        reference, dtype = self.references[self.signature.result.name], self.signature.result.dtype
        contenders: list[Contender] = []
        for name in baselines_for(self.plan, problem):
            contender = BASELINES[name].prepare(problem)
            if not isinstance(contender, Contender):
                continue
            contender.call()
            if compare(contender.result(), reference, dtype)["ok"]:
                contenders.append(contender)
        return contenders

    def _ready(self, kernel: Kernel, result: CompileResult) -> Ready:
        signature = kernel.signature
        call = kernel.bind(**{tensor.name: self._tensor(tensor.name, signature) for tensor in signature.inputs})
        call.run()
        check = verify(call, self.references, signature)
        return Ready(call.timed, None if check["ok"] else check["max_error"], self._bytes(call, result))

    def _tensor(self, name: str, signature: Signature) -> Tensor:
        tensor = signature.tensors[name]
        key = (name, format_text(tensor.format), tensor.dtype)
        if key not in self._packed:
            self._packed[key] = pack(self.inputs.operands[name], tensor.format, tensor.dtype, name, tensor.fill)
        return self._packed[key]

    def _bytes(self, call: BoundCall, result: CompileResult) -> int | None:
        assert result.function is not None
        tensors = {**call.operands, **call.shown, "": call.output}
        sizes = {
            parameter.name: tensors.get(parameter.tensor, call.output).shape[parameter.dimension]
            for parameter in result.function.parameters
            if parameter.kind is ParameterKind.DIMENSION and parameter.dimension is not None
        }
        workspaces = workspace_bytes(result.function, sizes, self.threads)
        held = {id(tensor): tensor.nbytes for tensor in tensors.values()}
        return None if workspaces is None else sum(held.values()) + workspaces


def statements_subject(plan: Plan, result: CompileResult, paths: Mapping[str, str], threads: int) -> StatementsSubject:
    """Makes the operands of ``plan``, which compiled to ``result``, and the references. Raises CompileError where its
    inputs are at fault."""
    assignment, signature = result.assignment, result.signature
    assert assignment is not None
    assert signature is not None
    inputs = make_inputs(plan, assignment, signature, paths)
    references = references_of(plan, assignment, signature, inputs.operands, inputs.sizes)
    return StatementsSubject(plan, assignment, signature, inputs, references, threads)
