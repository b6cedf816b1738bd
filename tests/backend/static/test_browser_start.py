"""What the Python of a browser runs first: modules of one archive, and methods that were compiled before."""

from __future__ import annotations

import dataclasses
import gc
import gzip
import importlib
import importlib.util
import marshal
import sys
from pathlib import Path

import pytest

from heddle_server.static.archive import pack
from heddle_server.static.browser_start import METHODS, entries, import_for_good, lose_interrupts, start

DEEP = "a" * 60 + "/" + "b" * 60


def pyc(text: str) -> bytes:
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(text, "<archive>", "exec"))


def test_entries_are_those_that_were_packed() -> None:
    files = {"a.py": b"", "b/c.pyc": b"x" * 512, f"{DEEP}.md": b"y" * 513}
    tar = gzip.decompress(pack(files))
    assert {name: tar[at : at + size] for name, at, size in entries(tar)} == files


def test_modules_data_and_methods_come_from_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    methods = {"text": marshal.dumps(compile("value = 7", "<text>", "exec"))}
    files = {
        "woven/__init__.pyc": pyc("from woven.thread import LENGTH"),
        "woven/thread.pyc": pyc("from pathlib import Path\nLENGTH = Path(__file__).with_name('width').read_text()"),
        "woven/width": b"12",
        "plain.py": b"KIND = 'source'",
        METHODS: marshal.dumps(methods),
    }
    (tmp_path / "files.tar").write_bytes(gzip.decompress(pack(files)))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(dataclasses, "exec", exec, raising=False)
    start(str(tmp_path / "files.tar"), str(tmp_path / "root"))
    before = gc.get_freeze_count()
    assert import_for_good("woven").LENGTH == "12"
    assert gc.isenabled()
    assert gc.get_freeze_count() > before
    gc.unfreeze()
    assert importlib.import_module("plain").KIND == "source"
    assert [path.name for path in (tmp_path / "root" / "woven").iterdir()] == ["width"]
    assert importlib.util.find_spec("woven.none") is None
    names: dict[str, object] = {}
    execute = vars(dataclasses)["exec"]
    execute("text", {}, names)
    execute("other = 8", {}, names)
    assert (names["value"], names["other"]) == (7, 8)
    for name in ("woven", "woven.thread", "plain"):
        del sys.modules[name]


class Dropped:
    """Says so by what it raises."""

    def __init__(self, says: type[BaseException]) -> None:
        self.says = says

    def __del__(self) -> None:
        raise self.says


def test_an_interrupt_that_cannot_be_raised_is_told_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    lose_interrupts()
    for says in (ValueError, KeyboardInterrupt, OSError):
        Dropped(says)
    assert told == [ValueError, OSError]
