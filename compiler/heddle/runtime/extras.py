"""What Heddle can use and does not bring along: for each, what it is called and how it is installed.

A base installation has NumPy and a parser. Everything else is imported where it is first needed, and where it is not
there the person who asked reads these sentences.
"""

from __future__ import annotations

from enum import Enum
from importlib.util import find_spec

from heddle.diagnostics import CompileError, Diagnostic

DISTRIBUTION = "heddle-sparse"


class Extra(Enum):
    """The name of the extra, what a person calls it, and the module that shows that it is there."""

    RUN = ("run", "SciPy", "scipy")
    CC = ("cc", "A C compiler", "ziglang")
    MKL = ("mkl", "MKL", "mkl")
    GPU = ("gpu12", "CuPy", "cupy")
    OPENCL = ("opencl", "PyOpenCL", "pyopencl")
    SERVER = ("server", "Heddle's explorer", "heddle_server")

    @property
    def install(self) -> str:
        """The command, which every shell takes as it is; for a GPU it goes by the CUDA of its driver."""
        command = f'pip install "{DISTRIBUTION}[{self.value[0]}]"'
        return f"{command} (or [gpu13] for CUDA 13)" if self is Extra.GPU else command

    @property
    def sentence(self) -> str:
        return f"{self.value[1]} is not installed: {self.install}"

    @property
    def installed(self) -> bool:
        return find_spec(self.value[2]) is not None


def require_scipy(purpose: str) -> None:
    """For what needs SciPy, which ``purpose`` names: ``Tensor.to_scipy``.

    Raises
    ------
    CompileError
        ``runtime/not-installed`` where SciPy is not there.
    """
    if Extra.RUN.installed:
        return
    raise CompileError(
        Diagnostic(
            "runtime/not-installed",
            f"{purpose} needs SciPy. {Extra.RUN.sentence}",
            expected="SciPy",
            found="an installation without it",
            hint=f"{Extra.RUN.install}, then start Python again.",
        )
    )
