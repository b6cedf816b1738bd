"""The start warns of what makes a break-out worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle_server.lifetime import start_warnings
from heddle_server.lifetime.start_warnings import in_container


@pytest.mark.parametrize(("user", "contained", "warned"), [(0, False, True), (0, True, False), (1000, False, False)])
def test_root_is_warned_of_outside_a_container(
    user: int, contained: bool, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_warnings.os, "geteuid", lambda: user)
    monkeypatch.setattr(start_warnings, "in_container", lambda environment: contained)
    found = start_warnings.start_warnings()
    assert bool(found) is warned
    assert all("it runs as root" in line and "a user of its own" in line for line in found)


def test_a_container_is_known_by_its_environment_or_its_marks(tmp_path: Path) -> None:
    mark = tmp_path / ".dockerenv"
    assert not in_container({}, (mark,))
    assert in_container({"container": "podman"}, (mark,))
    assert in_container({"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, (mark,))
    mark.touch()
    assert in_container({}, (mark,))
