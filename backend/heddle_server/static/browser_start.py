"""Runs first in the Python of a browser: modules come from archives as they are imported, and nothing is compiled
that was compiled when the folder was written. Imports nothing of Heddle, which is in such an archive.

A folder of a thousand files took a tenth of the work until the compiler answers, the methods that ``dataclasses``
writes and compiles a third, and NumPy a sixth, of which a first compile uses nothing.
"""

from __future__ import annotations

import dataclasses
import gc
import marshal
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

METHODS = "dataclass_methods.marshal"
"""In the archive: the code of methods by their text, each as ``marshal`` writes it."""
BLOCK = 512
"""Bytes of a header of tar, and what sizes are rounded up to."""


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


class LatePackage(ModuleType):
    """A package of which only the name is there, until something of it is asked for."""

    def __getattr__(self, name: str) -> object:
        assert self.__spec__ is not None
        assert isinstance(self.__spec__.loader, LateFinder)
        self.__spec__.loader.open()
        return getattr(self, name)


class LateFinder(MetaPathFinder, Loader):
    """``package`` is there at once; the tar at ``path``, which has it, is opened when something of it is asked for."""

    def __init__(self, package: str, path: str, root: str) -> None:
        self.package = package
        self.path = path
        self.root = root

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == self.package:
            return ModuleSpec(name, self, is_package=True)
        return self.open().find_spec(name) if name.startswith(f"{self.package}.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = LatePackage(spec.name)
        module.__file__, module.__path__ = self.path, []  # what the import system asks of a module before it is one
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass

    def open(self) -> ArchiveFinder:
        """The package becomes what its archive says: the same module, since others hold it by now."""
        with interrupted_afterwards(), nothing_collected():
            sys.meta_path.remove(self)
            finder, module = start(self.path, self.root), sys.modules[self.package]
            spec = finder.find_spec(self.package)
            assert spec is not None
            assert spec.loader is not None
            assert spec.submodule_search_locations is not None
            module.__class__ = ModuleType
            module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
            module.__path__ = spec.submodule_search_locations
            spec.loader.exec_module(module)
        return finder


def entries(tar: bytes) -> Iterator[tuple[str, int, int]]:
    """Names of files with where their content starts and its bytes, of a tar that ``archive.pack`` wrote."""
    at = 0
    while at + BLOCK <= len(tar) and tar[at]:
        header = tar[at : at + BLOCK]
        name, prefix = (header[part].rstrip(b"\0").decode() for part in (slice(0, 100), slice(345, 500)))
        size = int(header[124:135], 8)
        yield f"{prefix}/{name}" if prefix else name, at + BLOCK, size
        at += BLOCK + -(-size // BLOCK) * BLOCK


def start(path: str, root: str) -> ArchiveFinder:
    """Modules and other files of the tar at ``path`` are those below ``root``, from now on."""
    archive = Archive(path, root)
    finder = ArchiveFinder(archive, root)
    sys.meta_path.insert(0, finder)
    if root not in sys.path:
        sys.path.insert(0, root)  # where no bytecode was made, modules are files
    methods = Path(root, METHODS)
    if methods.is_file():
        use_compiled_methods(marshal.loads(methods.read_bytes()))
    return finder


def start_late(package: str, path: str, root: str) -> None:
    """``package`` is the one in the tar at ``path``, from now on."""
    sys.meta_path.insert(0, LateFinder(package, path, root))


def import_for_good(name: str) -> ModuleType:
    with nothing_collected():
        return import_module(name)


@contextmanager
def nothing_collected() -> Iterator[None]:
    """What imports make stays: it is never looked through for garbage, neither meanwhile nor afterwards."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


@contextmanager
def interrupted_afterwards() -> Iterator[None]:
    """Ctrl-C is heeded at the end: a package in C that is left halfway cannot be imported again."""
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        raise KeyboardInterrupt


def use_compiled_methods(methods: Mapping[str, bytes]) -> None:
    """``dataclasses`` runs what it writes; a text that is known here is not compiled."""

    def run(text: str, names: dict[str, object], namespace: dict[str, object]) -> None:
        code = methods.get(text)
        exec(text if code is None else marshal.loads(code), names, namespace)

    setattr(dataclasses, "exec", run)  # noqa: B010  (found before the built-in function)
