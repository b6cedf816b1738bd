"""One drawn program against the oracle: refused with a diagnostic, or right. Anything else is raised."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import heddle as hd
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import Assignment, index_variables
from heddle.notation.parser import parse
from heddle.runtime.devices import opencl_devices
from heddle.runtime.native import toolchain
from tests.differential.gpu.cuda_text import HAS_NVRTC, check_text
from tests.differential.operands import OperandSet, operand_sets
from tests.differential.results.structure import check_structure
from tests.fuzz.schedules import Program

LARGE = 41


def check_program(program: Program, seed: int, target: str) -> tuple[str, ...]:
    """The codes of the diagnostics that refuse the program; none when it is right on all operands.

    Every command was accepted while drawing, so that the whole program compiles or says why not.
    """
    result = hd.lower(program.plan(target))
    if not result.ok:
        return tuple(one.code for one in result.diagnostics)
    kernel = hd.Kernel(result)
    assignment = parse(program.expression)
    name = assignment.target.tensor
    for operands in (*operand_sets(assignment, seed), *_large(assignment, seed, target)):
        arrays = {
            tensor: np.where(array == 0, program.fills.get(tensor, 0), array).astype(program.dtype)
            for tensor, array in operands.arrays.items()
        }
        initial = None
        if assignment.operator != "=":
            initial = np.full([operands.sizes[index] for index in assignment.target.indices], 2, program.dtype)
        try:
            found = kernel(**arrays, **({} if initial is None else {name: initial}))
        except hd.CompileError as error:
            if {one.code for one in error.diagnostics} <= _may_be_refused(program):
                continue
            raise
        expected = evaluate(assignment, arrays, operands.sizes, initial)
        np.testing.assert_array_equal(found.to_numpy(), expected, err_msg=operands.label)
        check_structure(found, operands.label)
    return ()


def check_on_class(program: Program, seed: int, isa: str) -> tuple[str, ...]:
    """The compiled C built for a class of x86-64 processors, x86-64-v2 for one, instead of for this machine's own."""
    told = _told(isa)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(toolchain, "discover", lambda: told)
        return check_program(program, seed, "c")


def check_that_class_compiles(program: Program, isa: str) -> tuple[str, ...]:
    """The C text, built for a class of processors whose code this one does not run."""
    result = hd.lower(program.plan("c"))
    if result.source is None:
        return tuple(one.code for one in result.diagnostics)
    assert toolchain.build(_told(isa), result.source.text)
    return ()


def _told(isa: str) -> toolchain.Toolchain:
    """This machine's compiler, told that it builds for the class of x86-64 processors."""
    native = toolchain.discover()
    march = "-march=x86-64-" + isa if native.name in ("gcc", "clang") else f"-mcpu=x86_64_{isa}"
    return replace(native, flags=tuple(march if flag.startswith("-march=") else flag for flag in native.flags))


def check_on_opencl_devices(program: Program, seed: int) -> tuple[str, ...]:
    """The same on every OpenCL device of this machine, with sub-groups and without, which some schedules need."""
    codes: tuple[str, ...] = ()
    with pytest.MonkeyPatch.context() as patch:
        for device in opencl_devices.devices():
            patch.setenv(opencl_devices.CHOICE, device.platform)
            try:
                codes = (*codes, *check_program(program, seed, "opencl"))
            except hd.CompileError as error:
                if {one.code for one in error.diagnostics} != {"runtime/opencl-sub-groups"} or device.sub_groups:
                    raise
                codes = (*codes, "runtime/opencl-sub-groups")
    return codes


def check_that_cuda_compiles(program: Program) -> tuple[str, ...]:
    """The CUDA text, where NVRTC is installed."""
    result = hd.lower(program.plan("cuda"))
    if not result.ok:
        return tuple(one.code for one in result.diagnostics)
    if HAS_NVRTC:
        check_text(result)
    return ()


def _large(assignment: Assignment, seed: int, target: str) -> list[OperandSet]:
    """Of sizes in which tiles and vectors fit several times: the first two sets of as few variables as are soon done,
    where compiled code runs."""
    variables = index_variables(assignment)
    if target == "interpreter" or len(variables) > 3:
        return []
    return list(islice(operand_sets(assignment, seed, dict.fromkeys(variables, LARGE)), 2))


def _may_be_refused(program: Program) -> set[str]:
    """The codes with which data may be refused: those of claims about the data that the program makes."""
    bounds = {"runtime/refused"} if any(command.startswith("bound") for command in program.schedule) else set()
    narrow = {"runtime/too-narrow"} if any("padded(" in format for format in program.formats.values()) else set()
    return bounds | narrow
