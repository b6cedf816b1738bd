"""Nothing but a command itself knows the relation that it makes: all others ask :class:`Relation` what they need."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RELATIONS = "heddle.iteration_graph.relations"
MAKERS = {
    "compiler/heddle/iteration_graph/build/format_relations.py": {"BlockRelation", "PartsRelation"},
    "compiler/heddle/iteration_graph/build/sorted_rows.py": {"SortedRelation"},
    "compiler/heddle/iteration_graph/transform/implicit.py": {"PositionRelation"},
    "compiler/heddle/iteration_graph/transform/temporaries.py": {"DivideRelation"},
}
"""What is no command and yet makes a relation, which it may call and name as a type, and nothing else."""


def relations_known(path: Path) -> list[str]:
    """The uses of concrete relations in a file that may not have them, as ``line: name``."""
    text = path.read_text(encoding="utf-8")
    if "relations" not in text:  # which stands in whatever imports them
        return []
    tree = ast.parse(text)
    allowed = MAKERS.get(str(path.relative_to(ROOT)), set())
    names: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name: node.lineno for alias in node.names if alias.name.startswith(RELATIONS)}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            module = node.module if not node.level else f"{'.' * node.level}{node.module}"
            if module.startswith(RELATIONS) or (node.level and "relations" in module.split(".")):
                names |= {alias.asname or alias.name: node.lineno for alias in node.names}
            elif module == RELATIONS.rpartition(".")[0]:
                names |= {alias.name: node.lineno for alias in node.names if alias.name == "relations"}
    forbidden = [f"{line}: {name}" for name, line in names.items() if name not in allowed]
    made_or_typed = {id(part) for node in ast.walk(tree) for part in _made_or_typed(node)}
    asked = [
        f"{node.lineno}: {node.id} is asked for"
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in allowed and id(node) not in made_or_typed
    ]
    return forbidden + asked


def _made_or_typed(node: ast.AST) -> list[ast.AST]:
    """The names in what is called, or is written for a type."""
    match node:
        case ast.Call(func=ast.Attribute(value=called)) | ast.Call(func=called):
            return [called]
        case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.AST() as annotation):
            return [*ast.walk(annotation)]
        case ast.FunctionDef(returns=ast.AST() as annotation):
            return [*ast.walk(annotation)]
        case _:
            return []


def others() -> list[Path]:
    """The files of the product that are neither relations nor commands."""
    own = (ROOT / "compiler/heddle/iteration_graph/relations", ROOT / "compiler/heddle/schedule/primitives")
    files = [
        path
        for package in ("compiler/heddle", "backend/heddle_server")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]
    return [path for path in files if not any(path.is_relative_to(folder) for folder in own)]


def test_no_file_knows_a_relation_that_it_does_not_make() -> None:
    found = {str(path.relative_to(ROOT)): names for path in others() if (names := relations_known(path))}
    assert found == {}


def test_what_makes_a_relation_exists() -> None:
    assert [path for path in MAKERS if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize(
    "command", sorted((ROOT / "compiler/heddle/schedule/primitives").glob("[a-z]*.py")), ids=lambda p: p.stem
)
def test_a_command_knows_its_own_relation_at_most(command: Path) -> None:
    known = [name.partition(": ")[2] for name in relations_known(command)]
    kinds = [name for name in known if name.endswith("Relation")]
    assert len(kinds) <= 1, f"{command.stem} should ask the relation, not which one it is"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("from heddle.iteration_graph.relations.split import SplitRelation\n", "1: SplitRelation"),
        ("def f(r):\n    from heddle.iteration_graph.relations import split\n", "2: split"),
        ("import heddle.iteration_graph.relations.split\n", "1: heddle.iteration_graph.relations.split"),
        ("from heddle.iteration_graph import relations\n", "1: relations"),
        ("from ..relations.split import SplitRelation\n", "1: SplitRelation"),
    ],
)
def test_a_planted_import_would_be_seen(text: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_relations_apart.ROOT", tmp_path)
    file = tmp_path / "statement.py"
    file.write_text(text)
    assert relations_known(file) == [line]


def test_a_maker_that_asks_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_relations_apart.ROOT", tmp_path)
    file = tmp_path / "compiler/heddle/iteration_graph/transform/temporaries.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        f"from {RELATIONS}.divide import DivideRelation\n"
        "def make() -> DivideRelation:\n    return DivideRelation(0, 'i', 'i0', 'i1', 4)\n"
        "def ask(relation):\n    return isinstance(relation, DivideRelation)\n"
    )
    assert relations_known(file) == ["5: DivideRelation is asked for"]
