"""The shape of the house: imports point down only, files stay short, and what starts often imports little."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Every row may import from the rows above it and from itself. A name is a folder or a file of the package.
COMPILER_LAYERS = (
    (
        "advice",
        "diagnostics",
        "fills",
        "symbolic",
        "names",
        "origin",
        "trace",
        "typography",
        "version",
        "wrong_arguments",
    ),
    ("counts", "logs"),
    ("notation",),
    ("comprehensions",),
    ("loop_ir",),
    ("formats", "patterns"),
    ("frontends", "targets"),
    ("plan", "signature", "index_width", "conversions"),
    ("iteration_graph",),
    ("turned_operands",),
    ("decomposition",),
    ("schedule",),
    ("lowering",),
    ("codegen",),
    ("runtime",),
    ("semantics",),
    ("result",),
    ("stages",),
    ("pipeline",),
    ("legal_commands",),
    ("measuring",),
    ("tuning",),
    ("library",),
    ("algorithms",),
    ("explorer",),
    ("__init__", "cli", "__main__"),
)
SERVICE_LAYERS = (
    (
        "duration",
        "file_lock",
        "garbage",
        "machine_name",
        "places",
        "problem",
        "spreadsheet",
        "version",
    ),
    ("schema",),
    ("datasets", "exports", "figures", "imports", "settings", "start_failure", "studies"),
    ("http", "store"),
    ("engine",),
    ("decomposition_baselines",),
    ("worker",),
    ("experiments", "lessons", "tuning"),
    ("services",),
    ("api", "site"),
    ("static",),
    ("command_line", "errors", "lifetime", "main", "openapi"),
    ("server",),
    ("__init__", "__main__", "cli"),
)
LAYERS = {"heddle": COMPILER_LAYERS, "heddle_server": SERVICE_LAYERS}
RANKS = {package: {name: rank for rank, row in enumerate(layers) for name in row} for package, layers in LAYERS.items()}

LONGEST_FILE = 500
MOST_FILES = 20
"""In one folder: more is a pile, and the names of its files already say which rooms it has."""
WRITTEN = ("backend", "benchmarks", "compiler", "docs", "e2e", "frontend/src", "proofs", "tests", "tools")
GENERATED = {ROOT / "frontend/src/api/schema.gen.ts"}
HEAVY = {"distributed", "fastapi", "plotly", "pydantic", "scipy", "sqlalchemy", "uvicorn"}

Graph = dict[str, set[str]]


FOLDERS = {"heddle": "compiler/heddle", "heddle_server": "backend/heddle_server"}
"""Of the packages that are no folders of the root."""


def python_files(package: str) -> list[Path]:
    return sorted((ROOT / FOLDERS.get(package, package)).rglob("*.py"))


def parts_of(path: Path) -> tuple[str, ...]:
    """Of the name under which a file, or a folder, is imported."""
    parts = path.relative_to(ROOT).parts
    return parts[1:] if parts[1:2] in {("heddle",), ("heddle_server",)} else parts


ImportStatement = ast.Import | ast.ImportFrom


@cache
def import_statements(path: Path) -> tuple[tuple[ImportStatement, bool], ...]:
    """All of a file, those inside functions included, and whether each is for types alone. Expressions, which are most
    of a file, are not looked at."""
    statements: list[tuple[ImportStatement, bool]] = []
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text(encoding="utf-8")), False)]
    while pending:
        node, for_types = pending.pop()
        if isinstance(node, ImportStatement):
            statements.append((node, for_types))
        guards = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        pending += [(inner, for_types or guards) for inner in getattr(node, "body", ())]
        for name in ("orelse", "finalbody", "handlers", "cases"):
            pending += [(inner, for_types) for inner in getattr(node, name, ())]
    return tuple(statements)


@cache
def imported_modules(path: Path) -> tuple[str, ...]:
    """Absolute names of all imports of a file."""
    return tuple(name for statement, _ in import_statements(path) for name in _imports(path, statement))


def _imports(path: Path, statement: ImportStatement) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    else:
        module = _module(path, statement)
        yield module
        yield from (f"{module}.{alias.name}" for alias in statement.names)


@cache
def loaded_modules(path: Path, types: bool = False) -> tuple[str, ...]:
    """Names of the imports that run when the program does, or of all, those for ``types`` alone included."""
    statements = [statement for statement, for_types in import_statements(path) if types or not for_types]
    return tuple(name for statement in statements for name in _loads(path, statement))


def _loads(path: Path, statement: ImportStatement) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    else:
        module = _module(path, statement)
        for alias in statement.names:
            inner = f"{module}.{alias.name}"
            yield inner if file_of(inner) is not None else module


def _module(path: Path, statement: ast.ImportFrom) -> str:
    """The absolute name of what is imported from."""
    package = parts_of(path.parent)
    base = package[: len(package) - statement.level + 1] if statement.level else ()
    return ".".join((*base, *([statement.module] if statement.module else [])))


def file_of(module: str) -> Path | None:
    first, *rest = module.split(".")
    path = ROOT.joinpath(FOLDERS.get(first, first), *rest)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def module_of(path: Path) -> str:
    parts = parts_of(path.with_suffix(""))
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def file_graph(package: str, types: bool = False) -> Graph:
    """What each module of a package imports of the same package, wherever in the file the import stands; with
    ``types`` also what it imports for these alone."""
    modules = {module_of(path): path for path in python_files(package)}
    return {
        name: {module for module in loaded_modules(path, types) if module in modules and module != name}
        for name, path in modules.items()
    }


def room_graph(files: Graph) -> Graph:
    """The same between the folders of packages; a file that stands next to such folders is its own room."""

    def room(module: str) -> str:
        return ".".join(module.split(".")[:3])

    rooms: Graph = {room(name): set() for name in files}
    for name, imported in files.items():
        rooms[room(name)] |= {room(other) for other in imported} - {room(name)}
    return rooms


def circles(graph: Graph) -> list[list[str]]:
    """Groups of names that lead back to one another."""
    reached = {name: reachable(graph, name) for name in graph}
    groups = {frozenset({name, *(o for o in reached[name] if name in reached[o])}) for name in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def common_package(names: list[str]) -> str:
    """Of modules: the package that all of them are in."""
    parts = zip(*(name.split(".") for name in names), strict=False)
    return ".".join(same[0] for same in takewhile(lambda same: len(set(same)) == 1, parts))


def reachable(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    pending = [*graph[start]]
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending += graph.get(name, ())
    return seen


def layer_of_file(path: Path) -> str:
    """A program of a folder, started by ``python -m``, stands above everything."""
    return "__main__" if path.name == "__main__.py" else parts_of(path)[1].removesuffix(".py")


def layer_of(path: Path) -> str:
    return ".".join(parts_of(path)[:2])


def upward_imports(path: Path) -> list[str]:
    package, layer = parts_of(path)[0], layer_of_file(path)
    rank = RANKS[package]
    return [
        f"{path.relative_to(ROOT)} ({layer}) imports {module}"
        for module in sorted(set(imported_modules(path)))
        if module.startswith(f"{package}.")
        and (target := module.split(".")[1]) != layer
        and rank.get(target, 0) > rank.get(layer, len(rank))
    ]


@pytest.mark.parametrize("package", LAYERS)
def test_every_part_has_a_layer(package: str) -> None:
    parts = {layer_of_file(path) for path in python_files(package)}
    assert parts - set(RANKS[package]) == set(), "give the new part its place in COMPILER_LAYERS or SERVICE_LAYERS"


@pytest.mark.parametrize("package", LAYERS)
def test_imports_inside_a_package_point_down(package: str) -> None:
    assert [line for path in python_files(package) for line in upward_imports(path)] == []


def test_expressions_have_one_door() -> None:
    """Only front ends read what a Plan computes; commands of a schedule have expressions of their own."""
    readers = {"heddle.notation.parser", "heddle.notation.check"}
    found = {
        str(path.relative_to(ROOT))
        for package in ("heddle", "heddle_server", "tools")
        for path in python_files(package)
        if readers & set(imported_modules(path)) and layer_of(path) not in {"heddle.notation", "heddle.frontends"}
    }
    assert found == {
        "compiler/heddle/schedule/primitives/precompute.py",
        "compiler/heddle/schedule/primitives/prefetch.py",
        "compiler/heddle/schedule/syntax/spelling.py",
    }


def test_behind_formats_nothing_knows_of_hyb() -> None:
    """It stands for a sum of parts. The C that cuts rows into buckets takes every sum that has them, whatever its text;
    whoever chooses formats has to name one."""
    macros = "from heddle.formats.composed.macro"
    knowing = {layer_of_file(path) for path in python_files("heddle") if macros in path.read_text(encoding="utf-8")}
    assert knowing == {"formats", "runtime", "tuning"}


def test_an_upward_import_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    file = tmp_path / "compiler" / "heddle" / "notation" / "parser.py"
    file.parent.mkdir(parents=True)
    file.write_text("def parse():\n    from heddle.lowering import bounds\n    from ..loop_ir import nodes\n")
    assert upward_imports(file) == [
        "compiler/heddle/notation/parser.py (notation) imports heddle.loop_ir",
        "compiler/heddle/notation/parser.py (notation) imports heddle.loop_ir.nodes",
        "compiler/heddle/notation/parser.py (notation) imports heddle.lowering",
        "compiler/heddle/notation/parser.py (notation) imports heddle.lowering.bounds",
    ]


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("heddle", {"heddle_server", "tests", "tools", "fastapi", "sqlalchemy", "distributed"}),
        ("heddle_server", {"tests", "tools"}),
        ("tools", {"heddle_server", "heddle", "tests", "numpy", "scipy"}),
    ],
)
def test_packages_that_must_not_know_each_other(package: str, forbidden: set[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in python_files(package)
        for module in imported_modules(path)
        if module.split(".")[0] in forbidden
    ]
    assert found == []


@pytest.mark.parametrize("package", ["heddle", "heddle_server", "tools"])
def test_no_files_import_each_other(package: str) -> None:
    assert circles(file_graph(package)) == []


def test_few_files_of_the_compiler_know_each_other_by_their_types() -> None:
    """Nodes that hold one another, and those who answer one another: each group once, and none of another kind."""
    groups = circles(file_graph("heddle", types=True))
    assert [common_package(group) for group in groups] == [
        "heddle.formats",  # a level asks its kind, and kinds build the levels of a format
        "heddle.lowering.environment",  # a place asks the output of the kernel, which emits at places
    ]
    assert sum(map(len, groups)) <= 36


def test_no_rooms_of_the_compiler_import_each_other() -> None:
    assert circles(room_graph(file_graph("heddle"))) == []


def test_a_circle_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    texts = {
        "graph/nodes": "def nodes():\n    from heddle.lowering.loops import ranges\n",
        "graph/types": "if TYPE_CHECKING:\n    from heddle.lowering.loops import ranges\n",
        "graph/walk": "from heddle.lowering.graph import nodes\n",
        "loops/ranges": "from heddle.lowering.graph.walk import walk\n",
    }
    for name, text in texts.items():
        file = tmp_path / "compiler" / "heddle" / "lowering" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    files = file_graph("heddle")
    assert circles(files) == [
        ["heddle.lowering.graph.nodes", "heddle.lowering.graph.walk", "heddle.lowering.loops.ranges"]
    ]
    assert circles(room_graph(files)) == [["heddle.lowering.graph", "heddle.lowering.loops"]]


def piles(root: Path, folders: tuple[str, ...]) -> dict[str, int]:
    """Folders with more than ``MOST_FILES`` files of Python or TypeScript: packages, tests and benchmarks alike."""
    files = (path for folder in folders for path in (root / folder).rglob("*") if path.suffix in {".py", ".ts", ".tsx"})
    counts = Counter(path.parent.relative_to(root).as_posix() for path in files)
    return {folder: count for folder, count in counts.items() if count > MOST_FILES}


def test_no_folder_is_a_pile() -> None:
    assert piles(ROOT, WRITTEN) == {}


def test_a_pile_would_be_seen(tmp_path: Path) -> None:
    for folder, count in (("tests/full", MOST_FILES), ("tests/pile", MOST_FILES), ("tests/pile/room", 1)):
        (tmp_path / folder).mkdir(parents=True)
        for number in range(count):
            (tmp_path / folder / f"test_{number}.py").touch()
    (tmp_path / "tests/pile/Last.tsx").touch()
    (tmp_path / "tests/pile/notes.md").touch()
    assert piles(tmp_path, ("tests",)) == {"tests/pile": MOST_FILES + 1}


def test_no_file_is_longer_than_a_room() -> None:
    sources = [
        path for package in ("heddle", "heddle_server", "tools", "tests", "e2e") for path in python_files(package)
    ]
    sources += [path for suffix in ("ts", "tsx", "css") for path in (ROOT / "frontend/src").rglob(f"*.{suffix}")]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources if path not in GENERATED}
    too_long = [f"{path.relative_to(ROOT)}: {length}" for path, length in lengths.items() if length > LONGEST_FILE]
    assert too_long == []


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("heddle", HEAVY | {"numpy", "lark"}),
        ("heddle.plan", HEAVY | {"numpy", "lark"}),
        ("heddle_server.cli", HEAVY),  # every process of a server starts with this one
        ("heddle_server.server", {"httpx", "rich"}),
    ],
)
def test_importing_it_loads_nothing_heavy(module: str, heavy: set[str]) -> None:
    program = f"import {module}, sys; print('\\n'.join({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert heavy & set(done.stdout.split()) == set()


def test_compiling_and_calling_need_no_presenter() -> None:
    """What explains a plan to a person costs nothing to who only wants its numbers."""
    program = (
        "import sys, heddle as hd, numpy as np\n"
        "kernel = hd.compile('y(i) = A(i,j) * x(j)', formats={'A': 'csr'}, target='interpreter')\n"
        "kernel(A=np.eye(2), x=np.ones(2))\n"
        "print([name for name in sys.modules if name.startswith('heddle.explorer')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
