"""The C compiler: which one, its version, its flags, and whether and how it does OpenMP.

It is told the machine class in force (:mod:`heddle.runtime.native.machine_class`), by default this very processor.
Order of search: ``$CC``, gcc, clang, then the ``ziglang`` wheel, so that a machine with only Python still compiles.
What gcc makes of OpenMP runs on threads of our own (:func:`heddle.runtime.native.cache.thread_pool`); clang and zig
are linked with the ``libiomp5`` of the ``intel-openmp`` wheel (which ``mkl`` depends on) when it is installed. Without
any, kernels are built without OpenMP, run on one thread, and :func:`Toolchain.describe` says so.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from heddle.codegen.c.printer import WRAPPING
from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.logs import LOGGER
from heddle.runtime.extras import Extra
from heddle.runtime.memory.c_types import c_types
from heddle.runtime.native import c_files, cpu, machine_class, zig_wheel
from heddle.runtime.native.cache_folder import cache_root, make_folder, write_atomically

# -fno-math-errno and -fno-trapping-math keep results bit-exact; -ffast-math would not, so it is never used.
_COMMON_FLAGS = (
    "-std=gnu11",
    "-O3",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fPIC",
    "-shared",
    "-w",
)
# Registers are given out loop by loop, innermost first: else gcc keeps the sums of an inner loop on the stack and those
# that wait outside in registers, where both do not fit.
_GCC_FLAGS = ("-fira-region=all",)
POOL = "heddle"
"""The OpenMP of gcc on Linux: the threads of ``c/thread_pool.c``."""
_POOL_MAP = Path(c_files.__file__).with_name("c") / "thread_pool.map"
_OPENMP_FLAG = "-fopenmp"
# The first build with zig also compiles parts of its own C library, which takes up to half a minute.
_TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A working C compiler. ``command`` is its argv prefix; ``openmp`` the runtime library, None without OpenMP."""

    name: str
    version: str
    command: tuple[str, ...]
    flags: tuple[str, ...]
    link: tuple[str, ...]
    openmp: str | None

    def identity(self) -> str:
        """Everything about the compiler that changes its output, for cache keys."""
        threads = (pool_name(),) if self.openmp == POOL else ()
        return "\n".join((self.name, self.version, *self.flags, *self.link, *threads))

    def describe(self) -> str:
        """One line for a person, e.g. ``clang 18.1.3 with OpenMP (libomp)``."""
        runtime = "threads of Heddle's own" if self.openmp == POOL else self.openmp
        suffix = f"with OpenMP ({runtime})" if runtime else "without OpenMP: kernels run on one thread"
        return f"{self.name} {self.version} {suffix}"

    def for_pool(self) -> Toolchain:
        """The same compiler for the library of threads, which is no kernel."""
        link = ("-pthread", f"-Wl,-soname,{pool_name()}.so", "-Xlinker", f"--version-script={_POOL_MAP}")
        return replace(self, flags=("-std=gnu11", "-O2", "-fPIC", "-shared", "-w"), link=link, openmp=None)


class MissingCompilerError(CompileError):
    """No program of this machine builds shared libraries of C."""


@functools.cache
def pool_name() -> str:
    """What the library of threads is called in those that are linked with it: another one for another text."""
    return f"heddle-threads-{hashlib.sha256(c_files.text_of('thread_pool.c').encode()).hexdigest()[:16]}"


def discover() -> Toolchain:
    """The compiler that this process uses, told the machine class in force; probing costs some 200 ms, so its outcome
    is kept in the cache folder.

    Raises
    ------
    CompileError
        ``runtime/no-c-compiler`` when none of the candidates can build a shared library;
        ``runtime/unknown-machine-class``.
    """
    return _discover(machine_class.march())


@functools.cache
def _discover(march: str) -> Toolchain:
    tried: list[str] = []
    for command in _candidates():
        toolchain = _recall(command, march)
        if toolchain is not None:
            return toolchain
        try:
            toolchain = probe(command, march)
        except (OSError, programs().SubprocessError, _UnusableError) as error:
            tried.append(f"{' '.join(command)}: {error}")
            continue
        _remember(command, march, toolchain)
        return toolchain
    actual = "; ".join(tried) if tried else "none of $CC, gcc, clang and the ziglang wheel"
    raise MissingCompilerError(
        Diagnostic(
            code="runtime/no-c-compiler",
            message=f"No C compiler works on this machine ({actual}).",
            expected="gcc, clang, $CC, or the Python package ziglang",
            actual=actual,
            hint=f'Install one with: {Extra.CC.install}. target="interpreter" needs none.',
        )
    )


def _candidates() -> list[tuple[str, ...]]:
    """argv prefixes in order of preference; programs that are not installed are left out."""
    if not _calls_c():
        return []
    wishes: list[tuple[str, ...]] = []
    if os.environ.get("CC"):
        wishes.append(tuple(shlex.split(os.environ["CC"])))
    wishes += [("gcc",), ("clang",)]
    commands = [(path, *command[1:]) for command in wishes if command and (path := shutil.which(command[0]))]
    if (zig := zig_wheel.program()) is not None:
        commands.append((str(zig), "cc"))
    return list(dict.fromkeys(commands))


def _calls_c() -> bool:
    """Whether this Python starts programs and calls C: one in a browser may not."""
    try:
        programs(), c_types()
    except ImportError:
        return False
    return True


@functools.cache
def programs() -> Any:
    """The module ``subprocess``, imported when a compiler is first asked for: interpreted kernels need none."""
    import subprocess

    return subprocess


class _UnusableError(Exception):
    """This candidate cannot build a shared library."""


def probe(command: tuple[str, ...], march: str = machine_class.NATIVE) -> Toolchain:
    """Finds version and OpenMP support of one compiler by building a small kernel with it, for ``-march=march``.

    Raises
    ------
    OSError, subprocess.SubprocessError
        the compiler does not run.
    _UnusableError
        it is not usable; the error has its text.
    """
    version_text = (
        programs()
        .run(
            [*command, "--version"],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=True,
            cwd=tempfile.gettempdir(),  # zig leaves a folder where it runs
            env=program_environment(command),
        )
        .stdout
    )
    name, version = _identify(command, version_text)
    flags = (_march_flag(name, march), *_COMMON_FLAGS, *(_GCC_FLAGS if name == "gcc" else ("-fno-sanitize=undefined",)))
    problem, probe_text = "", c_files.text_of("probe.c")
    for openmp, openmp_flags, link in _openmp_choices(name):
        candidate = Toolchain(name, version, command, (*flags, *openmp_flags), link, openmp)
        code, problem, _ = run_compiler(candidate, c_files.defining({"OPENMP": 1} if openmp else {}, probe_text))
        if code == 0:
            return candidate
    raise _UnusableError(problem.strip()[:500])


def _march_flag(name: str, march: str) -> str:
    """zig spells classes as LLVM's targets do: ``x86_64_v3``."""
    return f"-march={march.replace('-', '_') if name == 'zig cc' else march}"


def _identify(command: tuple[str, ...], version_text: str) -> tuple[str, str]:
    """Name and version from the output of ``--version``."""
    first = version_text.splitlines()[0] if version_text else ""
    if zig_wheel.called_by(command):
        return "zig cc", f"{zig_wheel.version()} ({first})"
    name = "clang" if "clang" in first else "gcc" if "gcc" in first.lower() or "GCC" in first else Path(command[0]).name
    words = [word for word in first.split() if word[:1].isdigit()]
    return name, words[-1] if name == "gcc" and words else words[0] if words else first


def _openmp_choices(name: str) -> list[tuple[str | None, tuple[str, ...], tuple[str, ...]]]:
    """(runtime, compile flags, link flags) to try in order, the last one without OpenMP."""
    choices: list[tuple[str | None, tuple[str, ...], tuple[str, ...]]] = []
    iomp = intel_openmp()
    if name == "gcc":
        choices.append((POOL if sys.platform == "linux" else "libgomp", (_OPENMP_FLAG,), ("-Wl,--no-undefined",)))
    elif iomp is not None:
        # -Xclang: the driver's own -fopenmp would look for libomp, which zig does not carry.
        link = (str(iomp), f"-Wl,-rpath,{iomp.parent}", "-Wl,--no-undefined")
        choices.append(("libiomp5", ("-Xclang", "-fopenmp"), link))
    if name == "clang":
        choices.append(("libomp", ("-fopenmp",), ("-Wl,--no-undefined",)))
    choices.append((None, ("-Wno-unknown-pragmas",), ()))
    return choices


def intel_openmp() -> Path | None:
    """The OpenMP runtime of the ``intel-openmp`` wheel, which lies in the environment's own lib folder."""
    library = Path(sysconfig.get_path("data")) / "lib" / "libiomp5.so"
    return library.resolve() if library.exists() else None


def program_environment(command: tuple[str, ...]) -> dict[str, str]:
    """The compiler's environment: what it needs, with zig's own cache kept inside ours.

    Raises
    ------
    CompileError
        ``runtime/cache-folder`` where zig could not write there.
    """
    names = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
    variables = {name: os.environ[name] for name in names if name in os.environ} | {"LC_ALL": "C"}
    if zig_wheel.called_by(command) or Path(command[0]).name == "zig":
        variables |= {"ZIG_GLOBAL_CACHE_DIR": str(make_folder("zig")), "ZIG_LOCAL_CACHE_DIR": "zig-local"}
    return variables


def run_compiler(toolchain: Toolchain, text: str, pool: Path | None = None) -> tuple[int, str, bytes]:
    """Builds ``text`` in its own folder; returns (exit code, the compiler's messages, the library's bytes). With a
    ``pool`` of threads its parallel regions run there, else on those of the compiler's own OpenMP."""
    with tempfile.TemporaryDirectory(prefix="heddle-cc-") as folder:
        Path(folder, "kernel.c").write_text(text, encoding="utf-8")
        extra_flags = ("-fwrapv",) if text.startswith(WRAPPING) else ()
        first = [*toolchain.command, *toolchain.flags, *extra_flags, "kernel.c"]
        if pool is None:
            steps = [[*first, "-o", "kernel.so", *toolchain.link, "-lm"]]
        else:  # Linked without -fopenmp, which would add libgomp.
            flags = [flag for flag in toolchain.flags if flag != _OPENMP_FLAG]
            link = [*toolchain.command, *flags, "kernel.o", str(pool), "-o", "kernel.so", *toolchain.link, "-lm"]
            steps = [[*first, "-c", "-o", "kernel.o"], link]
        for command in steps:
            done = programs().run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=_TIMEOUT_SECONDS,
                env=program_environment(toolchain.command),
                check=False,
            )
            if done.returncode:
                return done.returncode, done.stderr, b""
        library = Path(folder, "kernel.so")
        return (0, done.stderr, library.read_bytes()) if library.exists() else (1, done.stderr, b"")


def build(toolchain: Toolchain, text: str, pool: Path | None = None) -> bytes:
    """The shared library of generated C ``text``, whose threads are those of a ``pool``, where there is one.

    Raises
    ------
    InternalError
        the compiler refused the text; generated C must always compile.
    CompileError
        ``runtime/compile-timeout`` when it took too long.
    """
    start = time.perf_counter()
    try:
        code, messages, library = run_compiler(toolchain, text, pool)
    except programs().TimeoutExpired:
        raise CompileError(
            Diagnostic(
                code="runtime/compile-timeout",
                message=f"{toolchain.name} did not finish this kernel within {_TIMEOUT_SECONDS:.0f} s.",
                expected=f"at most {_TIMEOUT_SECONDS:.0f} s of compile time",
                hint="Unroll less or use smaller constant bounds: the generated code is very long.",
            )
        ) from None
    if code != 0:
        raise InternalError(f"The generated C does not compile with {toolchain.describe()}:\n{messages.strip()[:4000]}")
    command = shlex.join([*toolchain.command, *toolchain.flags, *toolchain.link])
    LOGGER.info("built a kernel of %d bytes of C in %.2f s: %s", len(text), time.perf_counter() - start, command)
    return library


def _memory_file(command: tuple[str, ...], march: str) -> Path:
    """Where the probe's outcome for this very program is kept: it changes with the program's path, size and date."""
    program = Path(command[0])
    status = program.stat()
    iomp = intel_openmp()
    facts = [
        *command,
        POOL,
        str(status.st_size),
        str(status.st_mtime_ns),
        str(iomp),
        cpu.fingerprint(),
        march,
        *_COMMON_FLAGS,
        *_GCC_FLAGS,
    ]
    if zig_wheel.called_by(command):
        facts.append(zig_wheel.version())
    return cache_root() / "toolchains" / f"{hashlib.sha256(chr(10).join(facts).encode()).hexdigest()[:24]}.json"


def _recall(command: tuple[str, ...], march: str) -> Toolchain | None:
    try:
        fields = json.loads(_memory_file(command, march).read_text(encoding="utf-8"))
        return Toolchain(
            name=str(fields["name"]),
            version=str(fields["version"]),
            command=tuple(fields["command"]),
            flags=tuple(fields["flags"]),
            link=tuple(fields["link"]),
            openmp=fields["openmp"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _remember(command: tuple[str, ...], march: str, toolchain: Toolchain) -> None:
    try:
        write_atomically(_memory_file(command, march), json.dumps(asdict(toolchain)).encode())
    except OSError:
        return  # A read-only cache folder only costs the next process its probe.
