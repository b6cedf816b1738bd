"""Kernels from files that :meth:`heddle.Kernel.save` wrote."""

from __future__ import annotations

import os
from typing import Any

from heddle.library.cost_inspector import attach_inspector
from heddle.pipeline import lower
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.saved.archive import read_kernel
from heddle.runtime.saved.origin import refuse_version
from heddle.version import VERSION
from heddle.wrong_arguments import require_path


def load(path: str | os.PathLike[str], *, trust: bool = False) -> Kernel[Any]:
    """A kernel that :meth:`Kernel.save` wrote: ``k = hd.load("spmv.heddle")``. It needs no C compiler.

    The file holds machine code. Without ``trust`` only files are loaded that the same user saved on the same machine,
    and that nobody changed since.

    Parameters
    ----------
    path
        of the file, by convention with the ending ``.heddle``.
    trust
        runs the machine code of any file, with all rights of this process: say it for files whose makers you trust.

    Returns
    -------
    Kernel[Any]
        It has the formats, dtypes and schedule that were saved. Kernels for operands with 64-bit indices are compiled
        when they are first needed, as always.

    Raises
    ------
    CompileError
        ``runtime/saved-version`` for a file of another version of Heddle, ``runtime/saved-elsewhere`` for one of
        another class of machines.
    OperandError
        ``runtime/saved-by-others``, ``input/missing-file``, ``input/not-saved``.

    Examples
    --------
    >>> import heddle as hd
    >>> k = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    >>> k.save("spmv.heddle")
    >>> hd.load("spmv.heddle")(A=[[0.0, 2.0]], x=[1.0, 3.0]).to_numpy()
    array([6.])
    """
    file = require_path(path, "the path").expanduser()
    saved = read_kernel(file, trust)
    result = lower(saved.plan)
    result.raise_errors()
    if result.source is None or saved.libraries.path_of(result.source.text) is None:
        raise refuse_version(file.name, f"{VERSION}, of other sources")
    kernel: Kernel[Any] = Kernel(result, saved.libraries)
    attach_inspector(kernel)
    return kernel
