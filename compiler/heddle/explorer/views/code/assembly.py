"""A plan's C text -> the machine code of its kernel on this machine, each instruction with its line of C."""

from __future__ import annotations

from heddle.diagnostics import CompileError, Diagnostic
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict
from heddle.plan import plan_hash
from heddle.result import CompileResult
from heddle.runtime.native import assembly, machine_class, toolchain
from heddle.targets import C


class InstructionView(TypedDict):
    """``line`` of the C text counts from 1; null for what the compiler adds. ``calls`` is a function outside."""

    address: int
    text: str
    line: int | None
    calls: str | None


class MachineFunctionView(TypedDict):
    name: str
    instructions: list[InstructionView]


class AssemblyView(TypedDict):
    """``flags`` are those of kernels that run, ``machine_class`` the processors that they are for. Where
    ``diagnostics`` say why nothing is known, the rest is empty."""

    hash: str
    ok: bool
    diagnostics: list[DiagnosticView]
    compiler: str
    flags: list[str]
    machine_class: str
    disassembler: str
    functions: list[MachineFunctionView]
    left_out: int


def assembly_view(result: CompileResult) -> AssemblyView:
    """The machine code of a plan for processors."""
    view = AssemblyView(
        hash=plan_hash(result.plan),
        ok=True,
        diagnostics=[],
        compiler="",
        flags=[],
        machine_class="",
        disassembler="",
        functions=[],
        left_out=0,
    )
    try:
        result.raise_errors()
        if result.source is None or result.plan.target != C.name:
            raise CompileError(_other_target(result.plan.target))
        compiler = toolchain.discover()
        code = assembly.disassemble(result.source.text, compiler)
    except CompileError as error:
        view["ok"], view["diagnostics"] = False, [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
        return view
    view["compiler"], view["flags"] = compiler.describe(), list(code.flags)
    view["machine_class"], view["disassembler"] = machine_class.in_force().name, code.disassembler
    view["functions"] = [
        MachineFunctionView(
            name=function.name,
            instructions=[
                InstructionView(
                    address=instruction.address, text=instruction.text, line=instruction.line, calls=instruction.calls
                )
                for instruction in function.instructions
            ],
        )
        for function in code.functions
    ]
    view["left_out"] = code.left_out
    return view


def _other_target(target: str) -> Diagnostic:
    return Diagnostic(
        code="plan/no-machine-code",
        message=f"The plan is for the target {target}, whose code is compiled where it runs.",
        expected=f"the target {C.name}",
        actual=target,
        hint=f"Choose the target {C.name} to see the machine code of the kernel.",
    )
