"""Files of text are read and written as UTF-8, whatever the locale says: a server would not start where it is ASCII."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("compiler/heddle", "backend/heddle_server")


def without_encoding(program: str) -> Iterator[int]:
    """The lines that open a file of text by the locale's encoding."""
    for node in ast.walk(ast.parse(program)):
        if not isinstance(node, ast.Call) or any(keyword.arg in ("encoding", None) for keyword in node.keywords):
            continue
        match node.func:
            case ast.Attribute(attr="read_text") if not node.args:
                pass
            case ast.Attribute(attr="write_text") if len(node.args) == 1:
                pass
            case ast.Name(id="open") if "b" not in mode(node, 1):
                pass
            case ast.Attribute(attr="open", value=value) if "b" not in mode(node, 0) and not is_module(value):
                pass
            case _:
                continue
        yield node.lineno


def mode(call: ast.Call, position: int) -> str:
    """What is no text is taken for binary: a path that ``gzip.open`` or a socket's ``open`` is asked for."""
    named = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    argument = next(iter([*call.args[position : position + 1], *named]), ast.Constant("r"))
    return str(argument.value) if isinstance(argument, ast.Constant) else "b"


def is_module(value: ast.expr) -> bool:
    """``gzip.open`` reads bytes, ``os.open`` and ``tarfile.open`` are not about text."""
    return isinstance(value, ast.Name) and value.id in {"bz2", "gzip", "lzma", "os", "tarfile", "webbrowser", "zipfile"}


def test_every_text_names_its_encoding() -> None:
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    assert len(files) > 500
    lines = {path: list(without_encoding(path.read_text(encoding="utf-8"))) for path in files}
    assert {str(path.relative_to(ROOT)): found for path, found in lines.items() if found} == {}


def test_what_has_none_is_reported() -> None:
    program = 'p.read_text()\nopen(p)\nopen(p, "rb")\np.open()\np.write_text(t)\ngzip.open(p)\n'
    assert sorted(without_encoding(program)) == [1, 2, 4, 5]
