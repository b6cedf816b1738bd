"""The embedded scheduler and its worker listen on the loopback interface, which every user of the machine reaches: they
speak only to those that hold the key of this start."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from heddle_server.engine.cluster.cluster_security import ephemeral_security
from heddle_server.engine.cluster.placement import Placement
from heddle_server.settings import Settings

pytestmark = pytest.mark.takes_turns(4)

ROOT = Path(__file__).resolve().parents[4]
NOBODY = 65534  # the user that owns nothing

STRANGER = """
import asyncio, contextlib, json, os, sys
from distributed.comm import connect
from distributed.security import Security

async def asked(address, **secured):
    try:
        async with asyncio.timeout(10):
            comm = await connect(address, timeout=3, **secured)
            await comm.write({"op": "identity", "reply": True})
            return f"{address} answered {await comm.read()}"
    except Exception as error:
        return f"refused: {type(error).__name__}"

async def main(ports, user):
    forged = Security.temporary().get_connection_args("client")
    if user != os.geteuid():
        with contextlib.suppress(OSError):  # some containers have no other users
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
    tries = [asked(f"tcp://127.0.0.1:{port}") for port in ports]
    tries += [asked(f"tls://127.0.0.1:{port}", **forged) for port in ports]
    print(json.dumps(await asyncio.gather(*tries)))

asyncio.run(main(json.loads(sys.argv[1]), int(sys.argv[2])))
"""


def listening_ports() -> list[int]:
    """Of this process and all that it started."""
    here = psutil.Process()
    found = {
        connection.laddr.port
        for process in (here, *here.children(recursive=True))
        for connection in process.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    return sorted(found)


def ask_as_browser(port: int) -> bytes:
    """Dask's pages asked nobody for a key."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"GET /sitemap.json HTTP/1.0\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            return connection.recv(100)
    return b""


def answers_to_a_stranger(ports: list[int], user: int) -> list[str]:
    """What comes of asking each port who it is, without a certificate and with one of another authority."""
    done = subprocess.run(
        [sys.executable, "-c", STRANGER, json.dumps(ports), str(user)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    answers: list[str] = json.loads(done.stdout.splitlines()[-1])
    return answers


async def test_nobody_else_runs_code_in_the_server(tmp_path: Path) -> None:
    before = set(listening_ports())
    placed = Placement(Settings(data_directory=tmp_path), lambda event: None)
    await placed.start()
    try:
        ports = [port for port in listening_ports() if port not in before]
        assert len(ports) == 3, "the scheduler, the worker and what watches over it listen, and no page of Dask's"
        pages = await asyncio.gather(*(asyncio.to_thread(ask_as_browser, port) for port in ports))
        assert pages == [b""] * len(ports)
        # A process of this user has every right that one of another has, and more. None has the key.
        users = [os.geteuid(), *([NOBODY] if os.geteuid() == 0 else [])]
        asked = (asyncio.to_thread(answers_to_a_stranger, ports, user) for user in users)
        answers = [answer for answered in await asyncio.gather(*asked) for answer in answered]
        assert len(answers) == 2 * len(ports) * len(users)
        assert [answer for answer in answers if not answer.startswith("refused")] == []
        (worker,) = await placed.workers()
        assert worker.address.startswith("tls://127.0.0.1")
    finally:
        await placed.stop()


def test_every_start_has_a_key_of_its_own() -> None:
    one, other = ephemeral_security(), ephemeral_security()
    assert one.require_encryption
    assert one.tls_worker_key != other.tls_worker_key
