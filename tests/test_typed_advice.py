"""Nothing is decided by the words of an error: code that wants to know what would help reads its advice."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WORDS = ("code", "message")
"""Attributes of diagnostics and refusals that are for people."""


def decided_by_words(path: Path) -> list[int]:
    """The lines where a code or a message is compared with text, searched, or taken apart."""
    text = path.read_text(encoding="utf-8")
    if not any(f".{word}" in text for word in WORDS):  # as most files, whose trees take seconds
        return []
    return [node.lineno for node in ast.walk(ast.parse(text)) if _is_decision(node)]


def _is_decision(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=left, comparators=[right]):
            against = [right] if _is_words(left) else [left] if _is_words(right) else []
            return any(_is_text(other) for other in against)
        case ast.Call(func=ast.Attribute(value=value)):
            return _is_words(value)
        case _:
            return False


def _is_words(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in WORDS


def _is_text(node: ast.AST) -> bool:
    """A text, several texts, or a constant that may be one."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(_is_text(part) for part in parts)
        case ast.Name(id=name):
            return name.isupper()
        case _:
            return False


def test_no_file_decides_by_the_words_of_an_error() -> None:
    files = [
        path
        for package in ("compiler/heddle", "backend/heddle_server")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]
    assert {str(path.relative_to(ROOT)): lines for path in files if (lines := decided_by_words(path))} == {}


@pytest.mark.parametrize(
    "line",
    [
        'error.code == "schedule/race"',
        'one.code in ("schedule/race", "schedule/merge")',
        "one.code not in OF_ANOTHER_TARGET",
        'f"Use {other}" in reason.message',
        'refusal.code.startswith("format/")',
        'error.message.removeprefix("`")',
    ],
)
def test_such_a_decision_would_be_seen(line: str, tmp_path: Path) -> None:
    file = tmp_path / "legal.py"
    file.write_text(f"def decide(error, one, reason, refusal, other):\n    return {line}\n")
    assert decided_by_words(file) == [2]
