"""``heddle prove attacks``: floods from this machine alone against a server of its own, while another visitor works.

Each attack is a row of ``ATTACKS``: it begins, and goes on until it is told to end. The addresses are those of the
loopback network, of which a machine has as many as it likes.
"""

from __future__ import annotations

import json
import random
import shutil
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from gzip import compress
from pathlib import Path
from typing import Any

import httpx
import psutil

from proofs.connection_floods import CONNECTION_FLOODS
from proofs.heavy_programs import heavy_request
from proofs.report import machine
from tests.backend.serving import ColdServer, Server, plan

ADDRESSES = [f"127.0.1.{number}" for number in range(1, 11)]
VISITOR = "127.0.2.1"
EVERY_SECONDS = 0.1
COMPILE_P95_MILLISECONDS = 1000.0
MEMORY_BYTES = 50 << 20
# Refusals are answers; an attacker may get no other one.
ANSWERS = frozenset({200, 201, 202, 400, 403, 404, 408, 413, 415, 422, 429, 431, 503, 507})


@dataclass(slots=True)
class Flood:
    """One attack under way: what it was answered, how often; ``over`` when it is to end."""

    server: Server
    over: threading.Event = field(default_factory=threading.Event)
    answers: Counter[int] = field(default_factory=Counter)

    def client(self, address: str) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=address)
        return httpx.Client(base_url=self.server.url, timeout=60, transport=transport)

    def send(self, client: httpx.Client, method: str, path: str, **request: Any) -> None:
        """A connection that the server closes is no answer, and no failure."""
        with suppress(httpx.TransportError):
            self.answers[client.request(method, path, **request).status_code] += 1


def heavy_compiles(flood: Flood, address: str) -> None:
    """The largest sums of sparse matrices that compile at all, each a new plan."""
    names = [f"A{number}" for number in range(5)]
    expression = "Y(i,j) = " + " + ".join(f"{name}(i,j)" for name in names)
    tensors = {name: {"format": "dcsr"} for name in names}
    with flood.client(address) as client:
        while not flood.over.is_set():
            given = {"expression": expression, "tensors": tensors, "run": {"threads": random.randint(1, 1024)}}
            flood.send(client, "POST", "/api/v1/compile", json=given)


def heavy_programs(flood: Flood, address: str) -> None:
    """Work of all other kinds, each the largest that is allowed."""
    with flood.client(address) as client:
        while not flood.over.is_set():
            route, given = heavy_request()
            flood.send(client, "POST", f"/api/v1/{route}", json=given)


@cache
def matrix() -> bytes:
    """Of 3 MB, but for the last value."""
    rows = 200_000
    head = b"%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (rows, rows, rows)
    return head + b"".join(b"%d %d 1\n" % (row + 1, row + 1) for row in range(rows - 1)) + b"%d %d " % (rows, rows)


@cache
def bomb() -> bytes:
    return compress(b"%%MatrixMarket matrix coordinate real general\n9 9 9\n" + b"1 1 1\n" * 8_000_000)


def upload_flood(flood: Flood, address: str) -> None:
    """Matrices of 3 MB, packed ones that unpack to a thousand times their size, and a new visitor each time."""
    while not flood.over.is_set():
        body = matrix() + b"%d\n" % random.getrandbits(40)
        with flood.client(address) as client:
            flood.send(client, "PUT", "/api/v1/datasets?name=a.mtx", content=body)
            flood.send(client, "PUT", "/api/v1/datasets?name=b.mtx.gz", content=bomb())


def link_flood(flood: Flood, address: str) -> None:
    """Plans with as many commands that are none as a document may have."""
    while not flood.over.is_set():
        with flood.client(address) as client:
            for _ in range(10):
                garbage = [f"split({random.getrandbits(1600):x})" for _ in range(250)]
                flood.send(client, "POST", "/api/v1/links", json={"plan": {**plan(), "schedule": garbage}})
                small = {"A": {"format": "csr", "shape": [random.randint(1, 1 << 39), 9]}}
                flood.send(client, "POST", "/api/v1/links", json={"plan": {**plan(), "tensors": small}})


def event_streams(flood: Flood, address: str) -> None:
    """20 streams of one run, never read."""
    with flood.client(address) as client, ExitStack() as open_streams:
        run = client.post("/api/v1/runs", json=plan("hang"), params={"fresh": True}).json().get("id", "none")
        for _ in range(20):
            with suppress(httpx.TransportError):
                stream = client.stream("GET", f"/api/v1/runs/{run}/events")
                flood.answers[open_streams.enter_context(stream).status_code] += 1
        flood.over.wait()
        flood.send(client, "DELETE", f"/api/v1/runs/{run}")


def silent_connections(flood: Flood, address: str) -> None:
    """30 connections that say nothing."""
    with ExitStack() as open_sockets:
        for _ in range(30):
            with suppress(OSError):
                where = ("127.0.0.1", flood.server.port)
                open_sockets.enter_context(socket.create_connection(where, 10, source_address=(address, 0)))
        flood.over.wait()


Attack = Callable[[Flood, str], None]
ATTACKS: dict[str, Attack] = {
    "heavy compiles": heavy_compiles,
    "heavy programs": heavy_programs,
    "upload flood": upload_flood,
    "link flood": link_flood,
    "event streams": event_streams,
    "silent connections": silent_connections,
    **CONNECTION_FLOODS,
}


@contextmanager
def under(attack: Attack, server: Server) -> Iterator[Flood]:
    """The attack from ten addresses at once."""
    flood = Flood(server)
    with ThreadPoolExecutor(len(ADDRESSES)) as attackers:
        for address in ADDRESSES:
            attackers.submit(attack, flood, address)
        try:
            yield flood
        finally:
            flood.over.set()


def compiles_of_another(server: Server, seconds: float, first: int) -> tuple[list[float], Counter[int]]:
    """Milliseconds of each cold compile of a small plan, one after another, and what was answered."""
    times, answers = list[float](), Counter[int]()
    transport = httpx.HTTPTransport(local_address=VISITOR)
    with httpx.Client(base_url=server.url, timeout=60, transport=transport) as client:
        until, number = time.monotonic() + seconds, first
        while time.monotonic() < until:
            number += 1
            begun = time.monotonic()
            try:
                split = {**plan(), "schedule": [f"split(i, i0, i1, {number})"]}
                answers[client.post("/api/v1/compile", json=split).status_code] += 1
            except httpx.TransportError:
                answers[0] += 1
            times.append((time.monotonic() - begun) * 1000)
            time.sleep(EVERY_SECONDS)
    return times, answers


def stand(server: Server, attack: Attack, seconds: float, first: int) -> dict[str, Any]:
    """What another visitor met during an attack, and what it cost."""
    assert server.process is not None
    process = psutil.Process(server.process.pid)
    before, disk = process.memory_info().rss, folder_bytes(server.data)
    with under(attack, server) as flood:
        times, answers = compiles_of_another(server, seconds, first)
    times.sort()
    return {
        "compiles": len(times),
        "compile_p50_milliseconds": round(times[len(times) // 2], 1),
        "compile_p95_milliseconds": round(times[int(0.95 * (len(times) - 1))], 1),
        "answers": {str(status): number for status, number in answers.items()},
        "answers_to_attackers": {str(status): number for status, number in sorted(flood.answers.items())},
        "memory_growth_bytes": process.memory_info().rss - before,
        "kept_bytes": folder_bytes(server.data) - disk,
        "free_disk_bytes": shutil.disk_usage(server.data).free,
    }


def folder_bytes(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            size += path.stat().st_size
    return size


def broken_by(name: str, found: dict[str, Any], floor: int) -> list[str]:
    """``floor`` is how many bytes of disk must stay free."""
    broken = []
    if found["compile_p95_milliseconds"] > COMPILE_P95_MILLISECONDS:
        broken.append(f"{name}: compile p95 {found['compile_p95_milliseconds']:g} ms, allowed 1000 ms")
    if set(found["answers"]) != {"200"}:
        broken.append(f"{name}: another visitor was answered {json.dumps(found['answers'])}")
    if wrong := {status for status in found["answers_to_attackers"] if int(status) not in ANSWERS}:
        broken.append(f"{name}: attackers were answered {', '.join(sorted(wrong))}")
    if found["memory_growth_bytes"] > MEMORY_BYTES:
        broken.append(f"{name}: the server's memory grew by {found['memory_growth_bytes'] >> 20} MiB, allowed 50 MiB")
    if found["free_disk_bytes"] < floor:
        broken.append(f"{name}: {found['free_disk_bytes']:,} bytes of disk were left, of which {floor:,} are to stay")
    return broken


def prove_attacks(seconds: float, names: list[str] | None = None) -> tuple[dict[str, Any], list[str]]:
    """Each attack for so many seconds, one after another, on one server; what it did, and the limits that it broke."""
    found: dict[str, Any] = {}
    matrix(), bomb()  # Made before the floods: their processor time is not the attackers'.
    with tempfile.TemporaryDirectory() as folder:
        floor = shutil.disk_usage(folder).free // 2
        server = ColdServer(Path(folder) / "data", compile_processes=2, visitor_queued=2, free_disk_bytes=floor).start()
        try:
            compiles_of_another(server, min(seconds, 5.0), 0)  # Caches and pools are as they are after a while.
            for place, name in enumerate(names or ATTACKS, 1):
                found[name] = stand(server, ATTACKS[name], seconds, 1000 * place)
        finally:
            server.stop()
    broken = [line for name, one in found.items() for line in broken_by(name, one, floor)]
    told = {"seconds": seconds, "addresses": len(ADDRESSES), "free_disk_floor_bytes": floor}
    return {**told, "attacks": found, "machine": machine()}, broken
