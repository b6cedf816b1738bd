"""The C files of the runtime: free of warnings for all types, and of what sanitizers find, threads included."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest

from heddle.runtime.native import c_files
from heddle.runtime.native.native_helpers import MOVED_TYPES
from tests.compiler.codegen.sanitizers import needs_gcc, under

FOLDER = Path(c_files.__file__).with_name("c")
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror")
# Without OpenMP nobody asks how many threads there are.
OPENMP = (("-fopenmp", "-DOPENMP"), ("-Wno-unknown-pragmas", "-Wno-unused-parameter"))
BLOCKS = ("-DHEIGHT=4", "-DWIDTH=3", "-DPARTS=8", "-DLEVELS=3", "-DCOORDINATES=2", "-DNUMBERS=2")
NUMBERS = (("-DNUMBER=double", "-DWHOLE_VALUES=0"), ("-DNUMBER=int64_t", "-DWHOLE_VALUES=1"))
KEYS = ("-DKEY=uint64_t", "-DKEY=unsigned __int128")


@needs_gcc
@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.c")))
def test_compiles_without_warnings_for_all_types(name: str, tmp_path: Path) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    indices = ("int32_t", "int64_t") if "INDEX" in text else ("int32_t",)
    values = MOVED_TYPES.values() if "VALUE" in text else ("uint64_t",)
    if "NUMBER" in text:
        for number, openmp in itertools.product(NUMBERS, OPENMP):
            assert_silent(FOLDER / name, *BLOCKS, *number, *openmp, "-fsyntax-only", folder=tmp_path)
        return
    keys = KEYS if "KEY" in text else KEYS[:1]
    for index, value, key, openmp in itertools.product(indices, values, keys, OPENMP):
        types = (f"-DINDEX={index}", f"-DVALUE={value}", key, *BLOCKS)
        assert_silent(FOLDER / name, *types, *openmp, "-fsyntax-only", folder=tmp_path)
    # What is only seen where values are followed through the loops.
    assert_silent(FOLDER / name, *types, *OPENMP[0], "-O2", "-c", folder=tmp_path)


def assert_silent(file: Path, *flags: str, folder: Path) -> None:
    command = ["gcc", "-std=gnu11", *WARNINGS, *flags, file]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_headers_stand_in_the_text_that_is_compiled() -> None:
    text = c_files.text_of("row_sort.c")
    assert '#include "' not in text
    assert "static int64_t row_of(" in text
    assert (
        c_files.defining({"INDEX": "int32_t", "WIDTH": 3}, "text\n") == "#define INDEX int32_t\n#define WIDTH 3\ntext\n"
    )


@pytest.mark.takes_turns(8, among="sanitizers")
@needs_gcc
@pytest.mark.parametrize("sanitizer", ["address", "thread"])
def test_clean_under_sanitizers(sanitizer: str) -> None:
    done = under(sanitizer, "tests.compiler.runtime.sanitized_helpers", sanitizer, threads=3)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.split()[-1] == "clean"
    assert int(done.stdout.split()[0]) > 20


@pytest.mark.takes_turns(8, among="sanitizers")
@needs_gcc
def test_threads_that_write_the_same_element_are_found() -> None:
    done = under("thread", "tests.compiler.runtime.sanitized_helpers", "thread", "shared", threads=3)
    assert done.returncode == 66
    assert "WARNING: ThreadSanitizer: data race" in done.stderr
