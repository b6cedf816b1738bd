"""A grammar's tables: used where they are of its text, else stored anew; without their file, nothing is written."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import lark.lark
import pytest
from lark import Token, Transformer

from heddle.notation.grammar import GRAMMAR, TABLES, read_grammar


class Pairs(Transformer[Token, Any]):
    def pair(self, parts: list[Token]) -> list[str]:
        return [str(part) for part in parts]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "twine"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / GRAMMAR).write_text('pair: WORD "," WORD\nWORD: /[a-z]+/\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "twine", raising=False)
    return folder


def parse(text: str) -> object:
    return read_grammar("twine", Pairs(), start="pair").parse(text)


def test_without_tables_none_are_written(home: Path) -> None:
    assert parse("warp,weft") == ["warp", "weft"]
    assert not (home / TABLES).exists()


def test_tables_are_used_for_their_own_text_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / TABLES).write_bytes(b"no digest\n" + pickle.dumps({}))
    assert parse("warp,weft") == ["warp", "weft"]
    compiled: list[object] = []
    compile_grammar: Any = vars(lark.lark)["load_grammar"]

    def watch(*arguments: Any) -> object:
        compiled.append(arguments)
        return compile_grammar(*arguments)

    monkeypatch.setattr("lark.lark.load_grammar", watch)
    assert parse("warp,weft") == ["warp", "weft"]
    assert compiled == []
    (home / GRAMMAR).write_text('pair: WORD ";" WORD\nWORD: /[a-z]+/\n')
    assert parse("warp;weft") == ["warp", "weft"]
    assert len(compiled) == 1
