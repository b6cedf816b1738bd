"""What Heddle can use and does not bring along: for each, what it is called and how it is installed.

A base installation has NumPy and a parser. Everything else is imported where it is first needed, and where it is not
there the person who asked reads these sentences.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from importlib.util import find_spec

from heddle.diagnostics import CompileError, Diagnostic

DISTRIBUTION = "heddle-sparse"


class Extra(Enum):
    """The name of the extra, what a person calls it, and the module that shows that it is there."""

    RUN = ("run", "SciPy", "scipy")
    CC = ("cc", "A C compiler", "ziglang")
    MKL = ("mkl", "MKL", "mkl")
    GPU12 = ("gpu12", "CuPy for CUDA 12", "cupy")
    GPU13 = ("gpu13", "CuPy for CUDA 13", "cupy")
    OPENCL = ("opencl", "PyOpenCL", "pyopencl")
    SERVER = ("server", "Heddle's explorer", "heddle_server")

    @property
    def install(self) -> str:
        return f"pip install {DISTRIBUTION}[{self.value[0]}]"

    @property
    def in_shell(self) -> str:
        """The same for a person at a shell, some of which read brackets themselves."""
        return f'pip install "{DISTRIBUTION}[{self.value[0]}]"'

    @property
    def sentence(self) -> str:
        return f"{self.value[1]} is not installed: {self.install}"

    @property
    def installed(self) -> bool:
        return _is_there(self.value[2])


@cache
def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:  # where a browser's Python refuses to look for it
        return False


def require_scipy(purpose: str, instead: str | None = None) -> None:
    """For what needs SciPy, which ``purpose`` names: ``to_scipy()``. ``instead`` is what does nearly the same without.

    Raises
    ------
    CompileError
        ``runtime/no-scipy`` where SciPy is not there.
    """
    if Extra.RUN.installed:
        return
    raise CompileError(
        Diagnostic(
            "runtime/no-scipy",
            f"{purpose} needs SciPy. {Extra.RUN.sentence}",
            expected="SciPy",
            actual="an installation of Heddle alone",
            hint=instead,
        )
    )
