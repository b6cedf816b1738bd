"""The Python that the browser runs: the modules that the answers reach, their data files, and three libraries."""

from __future__ import annotations

import ast
import gzip
import importlib.util
import io
import tarfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

from heddle_server.places import COMPILER, LESSONS, PACKAGE

START = "heddle_server.static.answers"
ROOTS = {"heddle": COMPILER, "heddle_server": PACKAGE}
LIBRARIES = {"lark": "lark", "yaml": "PyYAML", "typing_extensions": "typing_extensions"}
"""What is imported, and the distribution that it comes from."""
OMITTED = (".mtx", ".tns", ".py", ".pyc", ".so", ".pyd", ".pyi", ".typed", ".html", ".css", ".js", ".mjs")
"""Data sets lie beside the archive, and are fetched when they are named."""
FOR_THE_SERVICE = ("openapi.json", "examples", "shipped", "vendor", "__pycache__")
UNREACHED = ("lark/__pyinstaller", "lark/tools")

Files = dict[str, bytes]
"""Contents by their path in the archive."""


def sources() -> Files:
    """Everything, modules as text."""
    files = {str(_place(path)): path.read_bytes() for path in reached_modules().values()}
    for folder in sorted({path.parent for path in reached_modules().values()}):
        files |= {str(_place(path)): path.read_bytes() for path in _data_of(folder)}
    files |= {f"heddle_server/shipped/lessons/{path.name}": path.read_bytes() for path in LESSONS.glob("*.md")}
    for name in LIBRARIES:
        files |= _library(name)
    return dict(sorted(files.items()))


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive: one stream, as modules are much alike, with times and owners that say nothing."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


@cache
def reached_modules() -> Mapping[str, Path]:
    """The modules of Heddle that the answers import, at their top and inside functions, with those that packages of
    theirs need."""
    reached: dict[str, Path] = {}
    pending = [START]
    while pending:
        name = pending.pop()
        path = _file_of(name)
        if name in reached or path is None:
            continue
        reached[name] = path
        pending += [name.rpartition(".")[0], *_imports(name, path)]
    return reached


def _imports(name: str, path: Path) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(_without_types(ast.parse(path.read_bytes()))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _without_types(tree: ast.Module) -> ast.Module:
    """Without the imports that only a type checker follows."""
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING")
    ]
    return tree


def _file_of(name: str) -> Path | None:
    first, *rest = name.split(".")
    if first not in ROOTS:
        return None
    path = ROOTS[first].joinpath(*rest)
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def _place(path: Path) -> PurePosixPath:
    for name, folder in ROOTS.items():
        if path.is_relative_to(folder):
            return PurePosixPath(name, *path.relative_to(folder).parts)
    raise AssertionError(path)


def _data_of(folder: Path) -> list[Path]:
    """The data files beside modules, and in folders below that hold no modules."""
    files: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.name in FOR_THE_SERVICE:
            continue
        if path.is_dir() and not list(path.rglob("*.py")):
            files += _data_of(path)
        elif path.is_file() and path.suffix not in OMITTED:
            files.append(path)
    return files


def _library(name: str) -> Files:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    origin = Path(spec.origin)
    if origin.name != "__init__.py":
        return {origin.name: origin.read_bytes()}
    folder = origin.parent
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in (".py", ".lark"))
    placed = {f"{name}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in files}
    return {path: content for path, content in placed.items() if not path.startswith(UNREACHED)}


def library_licence(project: str) -> str:
    """The licence of a distribution, as its installation has it."""
    texts = (path for path in distribution(project).files or () if "licen" in path.name.lower())
    return "\n".join(Path(str(path.locate())).read_text(encoding="utf-8") for path in texts)
