"""The shape of the house: imports point down only, files stay short, and what starts often imports little."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Every row may import from the rows above it and from itself. A name is a package or a file of compiler/.
COMPILER_LAYERS = (
    ("diagnostics", "names", "origin", "trace"),
    ("notation",),
    ("loop_ir",),
    ("formats",),
    ("plan", "signature", "index_width", "conversions"),
    ("iteration_graph",),
    ("schedule",),
    ("lowering",),
    ("codegen",),
    ("runtime",),
    ("operation_types", "declared"),
    ("support", "target_support"),
    ("result",),
    ("views",),
    ("pipeline",),
    ("tuning",),
    ("__init__", "cli", "__main__"),
)
RANK = {name: rank for rank, row in enumerate(COMPILER_LAYERS) for name in row}

LONGEST_FILE = 500
GENERATED = {ROOT / "frontend/src/api/schema.gen.ts"}
HEAVY = {"distributed", "fastapi", "plotly", "pydantic", "scipy", "sqlalchemy", "uvicorn"}


def python_files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported_modules(path: Path) -> Iterator[str]:
    """Absolute names of all imports of a file, those inside functions included."""
    package = path.parent.relative_to(ROOT).parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def layer_of_file(path: Path) -> str:
    return path.relative_to(ROOT / "compiler").parts[0].removesuffix(".py")


def upward_imports(path: Path) -> list[str]:
    layer = layer_of_file(path)
    return [
        f"{path.relative_to(ROOT)} ({layer}) imports {module}"
        for module in sorted(set(imported_modules(path)))
        if module.startswith("compiler.")
        and (target := module.split(".")[1]) != layer
        and RANK.get(target, 0) > RANK.get(layer, len(COMPILER_LAYERS))
    ]


def test_every_part_of_the_compiler_has_a_layer() -> None:
    parts = {layer_of_file(path) for path in python_files("compiler")}
    assert parts - set(RANK) == set(), "give the new part its place in COMPILER_LAYERS"


def test_imports_inside_the_compiler_point_down() -> None:
    assert [line for path in python_files("compiler") for line in upward_imports(path)] == []


def test_an_upward_import_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    file = tmp_path / "compiler" / "notation" / "parser.py"
    file.parent.mkdir(parents=True)
    file.write_text("def parse():\n    from compiler.lowering import bounds\n    from ..loop_ir import nodes\n")
    assert upward_imports(file) == [
        "compiler/notation/parser.py (notation) imports compiler.loop_ir",
        "compiler/notation/parser.py (notation) imports compiler.loop_ir.nodes",
        "compiler/notation/parser.py (notation) imports compiler.lowering",
        "compiler/notation/parser.py (notation) imports compiler.lowering.bounds",
    ]


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("compiler", {"backend", "tests", "tools", "fastapi", "sqlalchemy", "distributed"}),
        ("backend", {"tests", "tools"}),
        ("tools", {"backend", "compiler", "tests", "numpy", "scipy"}),
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


def test_no_file_is_longer_than_a_room() -> None:
    sources = [path for package in ("compiler", "backend", "tools", "tests", "e2e") for path in python_files(package)]
    sources += [path for suffix in ("ts", "tsx", "css") for path in (ROOT / "frontend/src").rglob(f"*.{suffix}")]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources if path not in GENERATED}
    too_long = [f"{path.relative_to(ROOT)}: {length}" for path, length in lengths.items() if length > LONGEST_FILE]
    assert too_long == []


@pytest.mark.parametrize("module", ["compiler", "backend.cli"])  # every process of a server starts with the latter
def test_importing_it_loads_nothing_heavy(module: str) -> None:
    program = f"import {module}, sys; print('\\n'.join({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert HEAVY & set(done.stdout.split()) == set()
