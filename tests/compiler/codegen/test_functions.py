"""The functions that kernels call stand in files that compile alone, without warnings, for all types that they meet."""

from __future__ import annotations

import itertools
import subprocess
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from heddle.codegen import function_text
from heddle.codegen.c import map_support, memory_support, sort_support
from heddle.codegen.c.expressions import elementary
from heddle.codegen.c.vector_support import VectorTypes
from heddle.codegen.device.cuda_support import CudaSupport
from heddle.codegen.device.opencl_support import OpenClSupport
from heddle.codegen.device.program import WarpForm
from heddle.codegen.device.support import DeviceSupport
from heddle.codegen.function_text import FunctionFile, sections
from heddle.codegen.support import C_TYPES, Support
from heddle.loop_ir.dtypes import FLOATS
from heddle.loop_ir.nodes import BOOL, MemorySpace, SearchKind
from heddle.runtime.devices import nvrtc
from tests.compiler.codegen.gpu.devices import Runner, on_every_device
from tests.compiler.codegen.machines import runs
from tests.compiler.codegen.sanitizers import needs_gcc
from tests.differential.gpu.cuda_text import needs_nvrtc

ROOT = Path(function_text.__file__).parent
FILES = sorted(path for path in ROOT.rglob("functions/*") if path.is_file())
WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Werror", "-Wno-unused-function", "-Wno-psabi")
INDICES = ("int32", "int64")
REAL = tuple(dtype for dtype in C_TYPES if not dtype.startswith("complex"))
SIGNED = ("int8", "int16", "int32", "int64")

Macros = dict[str, str]
Ask = Callable[[], object]


def recorded(ask: Ask) -> Macros:
    """The macros that stand in what ``ask`` has printed."""
    macros: Macros = {}
    text = FunctionFile.text

    def recording(file: FunctionFile, section: str, given: Mapping[str, str] | None = None) -> str:
        macros.update(given or {})
        return text(file, section, given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FunctionFile, "text", recording)
        ask()
    if macros.pop("FEW_LANES", None):
        macros["LANES"] = "FEW_LANES"  # which the file defines, under its own name
    return macros


def searches(support: Support, dtype: str) -> None:
    for kind in SearchKind:
        support.search(kind, dtype)


def selects(support: Support, dtype: str) -> None:
    for operator in ("min", "max"):
        support.select(operator, dtype)
    if dtype in SIGNED:
        support.absolute(dtype)


def updates(operator: str, dtype: str) -> None:
    support = Support()
    if dtype != BOOL:
        selects(support, dtype)
    support.atomic(operator, dtype)
    if dtype in FLOATS:
        support.reduction("max" if operator == "max" else "min", dtype)


def vectors(dtype: str, item_bytes: int, lanes: int) -> None:
    types = VectorTypes(Support(), item_bytes)
    types.first(lanes)
    if dtype != "int32":
        types.gather(dtype, lanes, masked=False)
        types.gather(dtype, lanes, masked=True)
    types.load_kept(dtype, lanes)
    types.scatter(dtype, lanes, "+")
    types.keep(dtype, lanes)
    types.sum(dtype, lanes)


def c_cases() -> Iterator[tuple[str, Ask]]:
    yield "functions/registers.c", lambda: None
    yield "c/functions/memory.c", lambda: None
    for dtype in INDICES:
        yield "functions/search.h", lambda dtype=dtype: searches(Support(), dtype)
        yield "c/functions/scan.c", lambda dtype=dtype: memory_support.scan(Support(), dtype)
        yield "c/functions/sort.c", lambda dtype=dtype: sort_support.sort(Support(), dtype)
    for dtype in REAL:
        if dtype != BOOL:
            yield "functions/select.h", lambda dtype=dtype: selects(Support(), dtype)
            if dtype in FLOATS:
                yield "c/functions/elementary.c", lambda dtype=dtype: elementary(Support(), "exp", dtype)
        for operator in ("+", "*") if dtype == BOOL else ("min", "max"):
            yield "functions/atomic.c", lambda operator=operator, dtype=dtype: updates(operator, dtype)
    for dtype in C_TYPES:
        yield "c/functions/map.c", lambda dtype=dtype: map_support.map_type(Support(), dtype)
    for dtype, item_bytes in (("float64", 8), ("float32", 8), ("float32", 4), ("int32", 8), ("int32", 4)):
        for lanes in (32, 4):
            yield "c/functions/vectors.c", lambda *_, a=(dtype, item_bytes, lanes): vectors(*a)


@needs_gcc
@pytest.mark.parametrize("name", sorted({name for name, _ in c_cases()}))
def test_c_compiles_alone_without_warnings(name: str, tmp_path: Path) -> None:
    classes = ("-march=x86-64-v2", "-march=x86-64-v3", "-march=x86-64-v4") if runs("v2") else ("-DANY",)
    for file, ask in c_cases():
        definitions = [f"-D{head}={body}" for head, body in recorded(ask).items()] if file == name else []
        for march in () if file != name else classes if "vectors" in name else classes[:1]:
            command = ["gcc", "-x", "c", "-std=gnu11", "-O1", "-fopenmp", *WARNINGS, march, *definitions]
            done = subprocess.run(
                [*command, "-c", "-o", "file.o", ROOT / name], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{definitions}\n{done.stderr}"


def device_cases(support: Callable[[], DeviceSupport], collectives: str) -> Iterator[tuple[str, Ask]]:
    """``collectives``: the file with what the threads of a warp do together."""
    for dtype, space in itertools.product(INDICES, (MemorySpace.GLOBAL, MemorySpace.SHARED)):
        for kind in SearchKind:
            yield "functions/search.h", lambda a=(kind, dtype, space): support().search_in(*a, short=False)
        yield "device/functions/sort.h", lambda a=(dtype, space): support().sort_in(*a)
        yield "device/functions/hash.h", lambda a=(dtype, space): support().insert_in(*a)
    for dtype in ("int8", "int64", "uint32", "float32", "float64"):
        yield "functions/select.h", lambda dtype=dtype: selects(support(), dtype)
        for operator in ("+", "*"):
            yield "device/functions/atomic.h", lambda a=(operator, dtype, MemorySpace.GLOBAL): support().atomic_in(*a)
    for dtype in ("int32", "int64", "float64"):
        yield f"device/functions/{collectives}", lambda dtype=dtype: together(support(), dtype)


def together(support: Any, dtype: str) -> None:
    support.warp("+", dtype)
    support.block("+", dtype)
    support.runs("+", dtype)
    support.heads(dtype)


def with_macros(name: str, ask: Ask) -> str:
    """The text of a file behind the definitions of the macros."""
    lines = [f"#define {head} {body}" for head, body in recorded(ask).items()]
    return "\n".join((*lines, (ROOT / name).read_text(encoding="utf-8")))


@needs_nvrtc
@pytest.mark.parametrize("name", sorted({name for name, _ in device_cases(CudaSupport, "warp.cu")}))
def test_cuda_compiles_alone(name: str) -> None:
    types = FunctionFile(ROOT / "device/functions/types.cu").text("types")
    for file, ask in device_cases(CudaSupport, "warp.cu"):
        if file == name:
            text = with_macros(name, ask).replace("static inline", CudaSupport.function_prefix)
            nvrtc.compile_text(f"{types}\n{text}", "sm_75")


@pytest.mark.takes_turns(10, among="OpenCL devices")
@on_every_device
def test_opencl_compiles_alone(runner: Runner) -> None:
    import pyopencl as cl

    context = cl.Context([runner.device.handle])
    standard, file = "CL1.2", "local_memory.cl"
    if runner.form is WarpForm.SUB_GROUPS:
        standard, file = "CL3.0", "sub_groups.cl"
    types = "typedef int int32_t;\ntypedef long int64_t;\ntypedef uint uint32_t;\ntypedef ulong uint64_t;\n"
    for name, ask in device_cases(lambda: OpenClSupport(runner.form), file):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cl.CompilerWarning)
            cl.Program(context, types + with_macros(name, ask)).build(options=[f"-cl-std={standard}", "-w"])


def test_every_file_is_compiled_alone() -> None:
    cases = [*c_cases(), *device_cases(CudaSupport, "warp.cu"), *device_cases(CudaSupport, "local_memory.cl")]
    names = {name for name, _ in cases} | {"device/functions/sub_groups.cl", "device/functions/types.cu"}
    assert {str(path.relative_to(ROOT)) for path in FILES} == names


def test_words_in_capitals_are_replaced_and_only_those_that_are_given(tmp_path: Path) -> None:
    file = tmp_path / "functions.c"
    file.write_text(
        """\
#define IGNORED 1
// @begin first
// NAME keeps what is LEFT of NAMES, and Name.
static TYPE NAME_part(TYPE* a) { return SMALL_NAME < NAME(a[0], KEY(a[1])); }
#ifdef FAST
  FAST(a);
#if defined(__AVX__)
  KEY(b + 1);
#endif
#else
  slow(a);
#endif
#ifdef __AVX__
  KEY(c);
#endif
// @end
// @begin second
// @end
"""
    )
    assert set(sections(file)) == {"first", "second"}
    macros = {"NAME": "sum_int32", "TYPE": "int32_t", "KEY(element)": "element.key"}
    shared = """\
// sum_int32 keeps what is LEFT of NAMES, and Name.
static int32_t sum_int32_part(int32_t* a) { return SMALL_NAME < sum_int32(a[0], a[1].key); }
"""
    end = "#ifdef __AVX__\n  c.key;\n#endif\n"
    assert FunctionFile(file).text("first", macros) == f"{shared}  slow(a);\n{end}"
    fast = "  quick(a);\n#if defined(__AVX__)\n  b + 1.key;\n#endif\n"
    assert FunctionFile(file).text("first", {**macros, "FAST": "quick"}) == f"{shared}{fast}{end}"
    assert FunctionFile(file).text("second") == ""
