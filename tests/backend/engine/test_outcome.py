"""How the end of a child process is told."""

from __future__ import annotations

import signal

import pytest

from heddle_server.engine.children.outcome import EXIT_OUT_OF_MEMORY, decode_exit


@pytest.mark.parametrize(
    ("code", "ending", "text"),
    [
        (EXIT_OUT_OF_MEMORY, "oom", "more memory than a run is allowed"),
        (0, "failed", "ended with status 0 and reported nothing"),
        (-signal.SIGXCPU, "timeout", "used up its processor time"),
        (-signal.SIGSEGV, "crashed", "accessed memory that does not belong to it (SIGSEGV)"),
        (-signal.SIGFPE, "crashed", "the processor or the system does not allow (SIGFPE)"),
        (-signal.SIGXFSZ, "crashed", "a larger file than a run is allowed (SIGXFSZ)"),
        (-signal.SIGKILL, "crashed", "often the system because memory ran out (SIGKILL)"),
        (-signal.SIGTERM, "crashed", "ended by a signal (SIGTERM)"),
        (-63, "crashed", "signal 63"),
    ],
)
def test_every_exit_has_a_name_and_a_reason(code: int, ending: str, text: str) -> None:
    outcome = decode_exit(code, "")
    assert outcome.ending == ending
    assert text in outcome.title + outcome.detail


def test_only_the_last_lines_of_stderr_are_repeated() -> None:
    outcome = decode_exit(1, "first\nsecond\nthird\n\n")
    assert outcome.detail.endswith("It said: second / third")
