"""Progress at a shell: one line on a terminal, few lines elsewhere."""

from __future__ import annotations

import io

from heddle_server.command_line.progress_lines import ProgressLines


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def feed(stream: io.StringIO) -> str:
    lines = ProgressLines(stream)
    lines({"event": "running"})
    for fraction in (0.0, 0.01, 0.05, 0.11, 0.12, 0.3):
        lines({"event": "progress", "phase": "measure", "fraction": fraction, "message": "Timing"})
    lines({"event": "progress", "phase": "end", "fraction": None, "message": "Done"})
    lines.end()
    lines.end()
    return stream.getvalue()


def test_a_file_gets_a_line_per_phase_and_tenth() -> None:
    assert feed(io.StringIO()) == "  0% Timing\n 11% Timing\n 30% Timing\nDone\n"


def test_a_terminal_gets_one_line_that_is_rewritten() -> None:
    text = feed(Terminal())
    assert text.count("\r\x1b[K") == 8
    assert text.endswith("Done\r\x1b[K")
    assert "\n" not in text
