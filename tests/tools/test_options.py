"""Options that serve refuses are refused before its page is built."""

from __future__ import annotations

import pytest

import tools.__main__
from tools.__main__ import _check_options, main

WRONG = {
    "no port": (["--port", "abc"], "a port is between 0 and 65535, found abc"),
    "no option": (["--foo"], "there is no option or argument --foo"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_options_end_the_command_before_it_builds(
    case: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def build() -> None:
        raise AssertionError("the page is built")

    monkeypatch.setattr(tools.__main__, "ensure_packages", lambda *_: None)
    monkeypatch.setattr(tools.__main__, "ensure_c_compiler", build)
    arguments, message = WRONG[case]
    assert main(["serve", *arguments]) == 2
    assert message in capfd.readouterr().err


def test_right_options_let_the_command_start() -> None:
    assert _check_options("heddle_server.cli", "serve", "--port", "0") is None
