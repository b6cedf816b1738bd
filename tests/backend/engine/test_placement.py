"""The connection to the workers is renewed whatever state the last one is in."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from backend.engine.placement import Placement
from backend.settings import Settings


class Broken:
    """A client that a dead scheduler left in the middle of joining again raises that error when it is closed."""

    status = "running"

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def close(self) -> None:
        raise self.error


@pytest.mark.parametrize(
    "error", [ValueError("IOStream is not idle; cannot convert to SSL"), TimeoutError(), OSError("gone")]
)
def test_a_client_that_does_not_close_is_let_go_of(
    error: Exception, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    placed = Placement(Settings(data_directory=tmp_path), lambda event: None)
    placed._client = Broken(error)  # type: ignore[assignment]
    assert placed.connected
    asyncio.run(placed.stop())
    assert not placed.connected
    # What was open is gone, so that the next start connects anew; the log tells why it went as it did.
    assert placed._client is None
    assert f"a Broken did not close in order: {error!r}" in caplog.text
