"""What kernels do with files: they are saved, and exported as C."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from heddle.runtime.exported.c_library import library_files, require_name, write_files
from heddle.runtime.exported.sample import ConvertedFormats, Sample
from heddle.runtime.saved.archive import write_kernel
from heddle.targets import C
from heddle.wrong_arguments import require_path, wrong_argument


class Storable(ABC):
    """A kernel whose ``result`` is compiled for ``target``."""

    result: Any
    target: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the compiled kernel into a file, for :func:`heddle.load` on machines of the same class that need no C
        compiler: ``k.save("spmv.heddle")``. A kernel that chooses its schedule is saved with the one of its last call.

        Parameters
        ----------
        path
            of the file, which appears as a whole or not at all. It holds machine code, and the plan as ``plan.json``.

        Raises
        ------
        OperandError
            ``runtime/argument`` for another target than c; ``input/no-folder``, ``input/not-written``.
        """
        file, kernel = require_path(path, "the path").expanduser(), self._stored_kernel()
        self._require_c()
        write_kernel(file, kernel.result.plan, kernel._c_texts())

    def export_c(self, folder: str | os.PathLike[str], name: str = "kernel") -> list[Path]:
        """Writes the kernel as C for programs that have no Heddle: ``k.export_c("out/", name="spmv")``.

        ``spmv.c`` has the license and the plan on top; only the function ``spmv`` is visible outside of it, so that
        several kernels can be linked together. ``spmv.h`` is for C and C++, with a table of the arguments. ``main.c``
        calls it on small data and compares; it is left out where no small operands can be made up for the program.
        ``make`` builds them. Of several kernels in one folder, ``main.c`` and ``Makefile`` are those of the last.

        Parameters
        ----------
        folder
            is made where there is none. Files of these names in it are replaced.
        name
            of the function and its files.

        Returns
        -------
        list[Path]
            The files.

        Raises
        ------
        OperandError
            ``runtime/function-name``; ``runtime/argument`` for another target than c; ``input/not-written``.
        """
        target, kernel = require_path(folder, "the folder").expanduser(), self._stored_kernel()
        self._require_c()
        function, signature = kernel.result.function, kernel.result.signature
        assert function is not None
        assert signature is not None
        tensors = signature.arguments
        files = library_files(
            require_name(name), function, kernel.result.plan, tensors, kernel._converted_formats(), kernel._sample()
        )
        return write_files(target, files)

    def _require_c(self) -> None:
        if self.target != C.name:
            raise wrong_argument(f"the target of a kernel that is stored ({self.target})", C.name, self)

    def _stored_kernel(self) -> Storable:
        """The kernel that stands in the file for this one."""
        return self

    @abstractmethod
    def _c_texts(self) -> list[str]:
        """The C of all that calls may need, but for operands with 64-bit indices that none has had yet."""

    @abstractmethod
    def _converted_formats(self) -> ConvertedFormats:
        """The formats of operands that are stored anew for the kernel, by their names in it."""

    @abstractmethod
    def _sample(self) -> Sample | None:
        """Small operands and the result for them; None where none can be made up."""
