"""Runs first in the Python of a browser: modules come from archives as they are imported, and nothing is compiled
that was compiled when the folder was written. Imports nothing of Heddle, which is in such an archive.

A folder of a thousand files took a tenth of the work until the compiler answers, and the methods that ``dataclasses``
writes and compiles a third.
"""

from __future__ import annotations

import dataclasses
import gc
import marshal
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

METHODS = "dataclass_methods.marshal"
"""In the archive: the code of methods by their text, each as ``marshal`` writes it."""
BLOCK = 512
"""Bytes of a header of tar, and what sizes are rounded up to."""
LEFT_OUT = (
    "numpy._core._add_newdocs",
    "numpy._core._add_newdocs_scalars",
    "numpy._core._multiarray_tests",
    "numpy.linalg._umath_linalg",
)
"""Modules that others import and of which no answer uses anything (``pruning.py``): they are there, and empty."""


class Archive:
    """``modules`` are the places of bytecode in the tar at ``path``, by the path that a module has below ``root``."""

    def __init__(self, path: str, root: str) -> None:
        self.file = open(path, "rb")  # noqa: SIM115  (it is read as long as modules are imported)
        self.modules: dict[str, tuple[int, int]] = {}
        for name, start, size in entries(self.file.read()):
            if name.endswith(".pyc"):
                self.modules[f"{root}/{name}"] = start, size
            else:
                place = Path(root, name)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(self.read(start, size))

    def read(self, start: int, size: int) -> bytes:
        self.file.seek(start)
        return self.file.read(size)


class ArchivedModule(SourcelessFileLoader):
    def __init__(self, name: str, path: str, archive: Archive) -> None:
        super().__init__(name, path)
        self.archive = archive

    def get_data(self, path: str) -> bytes:
        place = self.archive.modules.get(path)
        return super().get_data(path) if place is None else self.archive.read(*place)


class ArchiveFinder(MetaPathFinder):
    def __init__(self, archive: Archive, root: str) -> None:
        self.archive = archive
        self.root = root

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        place = f"{self.root}/{name.replace('.', '/')}"
        for file, folders in ((f"{place}/__init__.pyc", [place]), (f"{place}.pyc", None)):
            if file in self.archive.modules:
                loader = ArchivedModule(name, file, self.archive)
                return spec_from_file_location(name, file, loader=loader, submodule_search_locations=folders)
        return None


def entries(tar: bytes) -> Iterator[tuple[str, int, int]]:
    """Names of files with where their content starts and its bytes, of a tar that ``archive.pack`` wrote."""
    at = 0
    while at + BLOCK <= len(tar) and tar[at]:
        header = tar[at : at + BLOCK]
        name, prefix = (header[part].rstrip(b"\0").decode() for part in (slice(0, 100), slice(345, 500)))
        size = int(header[124:135], 8)
        yield f"{prefix}/{name}" if prefix else name, at + BLOCK, size
        at += BLOCK + -(-size // BLOCK) * BLOCK


def start(path: str, root: str) -> None:
    """Modules and other files of the tar at ``path`` are those below ``root``, from now on."""
    archive = Archive(path, root)
    sys.meta_path.insert(0, ArchiveFinder(archive, root))
    if Path(root, "numpy").is_dir():
        sys.modules.update({name: ModuleType(name) for name in LEFT_OUT if name not in sys.modules})
    if root not in sys.path:
        sys.path.insert(0, root)  # where no bytecode was made, modules are files
    methods = Path(root, METHODS)
    if methods.is_file():
        use_compiled_methods(marshal.loads(methods.read_bytes()))


def import_for_good(name: str) -> ModuleType:
    """What imports make stays: it is never looked through for garbage, neither meanwhile nor afterwards."""
    gc.disable()
    try:
        module = import_module(name)
        gc.freeze()
    finally:
        gc.enable()
    return module


def lose_interrupts() -> None:
    """An interrupt that comes where nothing can be raised, as while an object is dropped, is lost: what it was to stop
    goes on to its end. Python would tell whoever reads the console of the page."""
    tell = sys.unraisablehook

    def tell_others(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            tell(lost)

    sys.unraisablehook = tell_others


def use_compiled_methods(methods: Mapping[str, bytes]) -> None:
    """``dataclasses`` runs what it writes; a text that is known here is not compiled."""

    def run(text: str, names: dict[str, object], namespace: dict[str, object]) -> None:
        code = methods.get(text)
        exec(text if code is None else marshal.loads(code), names, namespace)

    setattr(dataclasses, "exec", run)  # noqa: B010  (found before the built-in function)
