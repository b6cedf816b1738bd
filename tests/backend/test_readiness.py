"""What /readyz says of how runs are confined: each lack by its name."""

from __future__ import annotations

import pytest

from heddle_server.api.health import LACKS, hint, lacks_of

WHOLE = {part: safe[0] for part, safe, _ in LACKS}


def test_a_sandbox_that_lacks_nothing_is_told_so() -> None:
    assert hint(WHOLE) == "Runs are confined in every way that Heddle knows."
    assert hint({**WHOLE, "file_system": "rules"}) == hint(WHOLE)
    assert lacks_of(WHOLE) == lacks_of({}) == []


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("network", "open", "runs reach the network"),
        ("processes", "visible", "runs see other processes"),
        ("file_system", "open", "runs write wherever the server's user may"),
        ("data", "visible", "runs can read the database and all uploads"),
        ("home", "visible", "runs can read this user's home, temporary files, and other servers' data and sockets"),
        ("devices", "all", "runs can open every device that the server's user may"),
        ("system_calls", "open", "no system calls are refused"),
    ],
)
def test_each_lack_is_told(part: str, value: str, told: str) -> None:
    said = hint({**WHOLE, part: value})
    assert said.startswith(f"On this system {told}. ")
    assert "docs/reference/service.md, What a run may do" in said
    assert lacks_of({**WHOLE, part: value}) == [told]
    missing = {name: safe for name, safe in WHOLE.items() if name != part}
    assert hint(missing) == said


def test_without_a_worker_nobody_can_say() -> None:
    assert hint({}) == "No worker is connected that could say."
