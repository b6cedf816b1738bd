"""Where the ziglang wheel is, and that it is known however it is called."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heddle.runtime.native import toolchain, zig_wheel


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program of a wheel that is installed in a folder of Python's."""
    program = tmp_path / "ziglang" / "zig"
    program.parent.mkdir()
    (program.parent / "__init__.py").touch()
    program.write_text("#!/bin/sh\necho 'clang version 21.1.0'\n")
    program.chmod(0o755)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "ziglang", raising=False)
    return program


def test_its_program_is_called_itself(wheel: Path) -> None:
    assert zig_wheel.program() == wheel
    assert (str(wheel), "cc") in toolchain._candidates()


def test_a_wheel_without_its_program_is_none(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel.chmod(0o644)
    monkeypatch.setattr(zig_wheel.os, "access", lambda path, mode: bool(Path(path).stat().st_mode & 0o111))  # for root
    assert zig_wheel.program() is None


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("/env/lib/python3.11/site-packages/ziglang/zig", "cc"), True),
        (("/usr/bin/python3", "-m", "ziglang", "cc"), True),
        (("/usr/bin/zig", "cc"), False),
        (("/usr/bin/gcc",), False),
    ],
)
def test_what_calls_the_wheel(command: tuple[str, ...], expected: bool) -> None:
    assert zig_wheel.called_by(command) is expected
    assert (toolchain._identify(command, "clang version 21.1.0\n")[0] == "zig cc") is expected


def test_the_version_is_the_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zig_wheel.version() != ""
    monkeypatch.setattr(zig_wheel, "WHEEL", "a-wheel-that-nobody-made")
    assert zig_wheel.version() == "unknown"
