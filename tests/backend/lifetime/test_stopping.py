"""What one service raises when it is stopped keeps no other one from being stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import uvicorn
from fastapi import FastAPI

from heddle.cli import program
from heddle_server import cli, server
from heddle_server.engine import cancellation
from heddle_server.lifetime.early_end import Start
from heddle_server.lifetime.stop_limit import CLOSING_SECONDS
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.data.downloads import DownloadService
from heddle_server.services.machine import MachineService
from heddle_server.services.retention import Retention
from heddle_server.services.runs.dispatch import Dispatcher
from heddle_server.services.services import running_services
from heddle_server.settings import Settings
from heddle_server.store.database import Database
from tests.backend.runs.test_dispatch import FakePlacement, dispatching
from tests.backend.serving import PATIENCE_SECONDS, ROOT, ColdServer, assert_ended

pytestmark = pytest.mark.takes_turns(4)


async def test_every_service_is_stopped_although_others_fail_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[str] = []

    def failing(name: str) -> Any:
        async def stop(*_: object) -> None:
            stopped.append(name)
            raise OSError(name)

        return stop

    async def nothing(*_: object) -> None:
        pass

    for service in (CompileService, Dispatcher):
        monkeypatch.setattr(service, "start", nothing)
    # Its sweep would go on with the database behind the end of the test.
    monkeypatch.setattr(Retention, "start", lambda _: None)
    for service in (DownloadService, Retention, Dispatcher, CompileService):
        monkeypatch.setattr(service, "stop", failing(service.__name__))
    close = Database.close

    async def closed(database: Database) -> None:
        stopped.append("Database")
        await close(database)

    monkeypatch.setattr(Database, "close", closed)
    with pytest.raises(OSError, match="CompileService"):
        async with running_services(Settings(data_directory=tmp_path, scheduler="tcp://127.0.0.1:1")) as services:
            pass
    assert services.running.notices.stopping
    assert stopped == ["DownloadService", "Retention", "Dispatcher", "CompileService", "Database"]


class Stubborn(FakePlacement):
    """A scheduler that has gone: letting go of it swallows a cancellation, as Dask's client does, and coming back takes
    long."""

    def __init__(self) -> None:
        super().__init__()
        self.letting_go = asyncio.Event()

    async def reconnect(self) -> None:
        self.letting_go.set()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(600)
        raise TimeoutError("no scheduler")


async def test_a_dispatch_whose_cancellation_is_swallowed_ends(tmp_path: Path) -> None:
    placement = Stubborn()
    async with dispatching(tmp_path, placement) as (dispatcher, _, _):
        await placement.letting_go.wait()
        async with asyncio.timeout(60):
            await dispatcher.stop()
        assert not dispatcher.alive


async def test_a_task_that_swallows_cancellations_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "AGAIN_SECONDS", 0.01)
    swallowed = 0

    async def stubborn() -> None:
        nonlocal swallowed
        while swallowed < 3:
            try:
                await asyncio.sleep(600)
            except asyncio.CancelledError:
                swallowed += 1

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    assert await cancellation.end([task], 60) == set()
    assert swallowed == 3


async def test_a_task_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "AGAIN_SECONDS", 0.01)
    leave = asyncio.Event()

    async def deaf() -> None:
        while not leave.is_set():
            with suppress(asyncio.CancelledError):
                await leave.wait()

    task = asyncio.create_task(deaf())
    await asyncio.sleep(0)
    assert await cancellation.end([task], 0.05) == {task}
    leave.set()
    await task


def test_a_server_that_does_not_end_is_ended() -> None:
    script = "from heddle_server.lifetime.stop_limit import end_after; import time; end_after(0.1); time.sleep(600)"
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 1
    assert "still not ended 0.1 s after it was told to" in ended.stderr
    assert 'File "<string>", line 1' in ended.stderr


def test_the_first_signal_sets_the_limit_of_a_stop_and_later_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []
    monkeypatch.setattr(server, "end_after", limits.append)
    app = FastAPI()
    running = server.Server(uvicorn.Config(app), app, 9.5, Start())
    running.started = True
    for _ in range(2):
        running.handle_exit(signal.SIGTERM, None)
    assert limits == [9.5]
    # As it is promised: 10 s.
    assert Settings().stop_seconds + CLOSING_SECONDS < 10


async def test_half_a_file_about_the_machine_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "machine.json").write_text('{"cpu": "In')
    assert (await MachineService(tmp_path, elsewhere=True).facts())["cores"] >= 1


@pytest.mark.parametrize(
    ("number", "children"),
    [(signal.SIGINT, 0), (signal.SIGINT, 1), (signal.SIGTERM, 1)],
    ids=["while it imports", "while its processes start", "told by a service manager"],
)
def test_a_server_that_is_told_to_end_while_it_starts_ends_without_a_word(
    tmp_path: Path, number: signal.Signals, children: int
) -> None:
    command = [
        sys.executable,
        "-m",
        "heddle_server",
        "serve",
        "--port",
        "0",
        "--data-directory",
        str(tmp_path / "data"),
    ]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True) as starting:
        assert starting.stderr is not None
        assert starting.stderr.readline() == "heddle: starting (Ctrl+C stops it)\n"
        while len(psutil.Process(starting.pid).children()) < 2 * children:  # Python's tracker is one as well
            time.sleep(0.01)
        os.killpg(starting.pid, number)  # as a terminal does
        said = [line for line in starting.stderr if not line.startswith("heddle: warning: ")]
    if said:  # the machine was so busy that the signal came behind the start
        assert (starting.returncode, len(said)) == (0, 1), "".join(said)
        assert said[0].startswith("Heddle is at ")
    else:
        assert starting.returncode == 128 + number


def test_ctrl_c_in_a_terminal_ends_everything_quietly(tmp_path: Path) -> None:
    """What a server starts never takes an interrupt: Python would tell it with a traceback in each process that is
    importing what it needs."""
    standing = ColdServer(tmp_path / "data").start()
    try:
        assert standing.process is not None
        # It answers before the thread that says so has said it. What it says of the machine is another matter.
        ready = f"Heddle is at {standing.url} (Ctrl+C stops it)\n"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (begun := standing.log).endswith(ready):
            assert time.monotonic() < deadline, begun
            time.sleep(0.01)
        children = psutil.Process(standing.process.pid).children(recursive=True)
        assert children
        for child in children:
            status = dict(line.split(":\t") for line in Path(f"/proc/{child.pid}/status").read_text().splitlines())
            refused = int(status["SigBlk"], 16) | int(status["SigIgn"], 16)
            assert refused & 1 << (signal.SIGINT - 1), child.cmdline()
        # A terminal sends the signal to the whole group.
        os.killpg(standing.process.pid, signal.SIGINT)
        assert standing.process.wait(timeout=PATIENCE_SECONDS) == 0
        for child in children:
            assert_ended(child.pid)
        assert standing.log == begun
    finally:
        standing.kill()


def test_a_signal_between_the_start_and_uvicorn_is_not_lost(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from heddle_server import cli, server\n"
        "server.Server.run = lambda self, sockets: os.kill(os.getpid(), signal.SIGTERM)\n"
        f"sys.exit(cli.main(['serve', '--port', '0', '--data-directory', {str(tmp_path / 'data')!r}]))"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=300, check=False)
    assert ended.returncode == 128 + signal.SIGTERM


def test_an_interrupt_that_an_import_turned_into_another_error_is_still_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken_off(words: list[str]) -> int:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            raise AttributeError("half a module") from interrupt

    monkeypatch.setattr(cli, "main", broken_off)
    assert program.main(["run", "-"]) == 130
    assert capsys.readouterr() == ("", "heddle: interrupted\n")
