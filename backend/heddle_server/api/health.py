"""GET /healthz: the process answers. GET /readyz: it can do its work."""

from __future__ import annotations

import shutil
from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy.exc import SQLAlchemyError
from typing_extensions import TypedDict

from heddle_server.api.dependencies import FromServices
from heddle_server.services.services import Services

router = APIRouter(tags=["health"])

STUCK_SECONDS = 60.0


class Health(TypedDict):
    status: str


class Readiness(TypedDict):
    """``checks`` maps each check to ``ok`` or to what is wrong; ``sandbox`` says how the first worker confines runs
    (GET /machines has it of each), in its ``lacks`` what they can reach that they should not, and in its ``hint`` what
    that means. A server is ready to answer and to compile before it can time runs, which wait for it: ``measuring`` is
    ``starting`` until then, ``ready`` afterwards, or says what is lacking."""

    status: str
    checks: dict[str, str]
    measuring: str
    sandbox: dict[str, Any]


@router.get("/healthz", response_model=Health)
async def health() -> Health:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz", response_model=Readiness, responses={503: {"model": Readiness}})
async def readiness(services: FromServices, response: Response) -> Readiness:
    """Whether the database takes writes, the queue is looked into, a worker is connected and the disk has room.

    `sandbox` says how the first worker confines runs, and its `lacks` what is open to them for that.
    """
    checks = {"database": await check_database(services), "queue": check_queue(services), "disk": check_disk(services)}
    ready = all(answer == "ok" for answer in checks.values())
    response.status_code = 200 if ready else 503
    workers = services.running.dispatcher.pool.workers
    sandbox = workers[0].declaration.sandbox if workers else {}
    sandbox = {**sandbox, "hint": hint(sandbox), "lacks": lacks_of(sandbox)}
    status, measuring = "ok" if ready else "not ready", services.running.dispatcher.measuring
    return {"status": status, "checks": checks, "measuring": measuring, "sandbox": sandbox}


# Of each part of a sandbox: the value that is safe, and what the lack of it means.
LACKS = (
    ("network", ("none",), "runs reach the network"),
    ("processes", ("own",), "runs see other processes"),
    ("file_system", ("read-only", "rules"), "runs write wherever the server's user may"),
    ("data", ("hidden",), "runs can read the database and all uploads"),
    ("home", ("hidden",), "runs can read this user's home, temporary files, and other servers' data and sockets"),
    ("devices", ("few",), "runs can open every device that the server's user may"),
    ("system_calls", ("filtered",), "no system calls are refused"),
    ("cache", ("own",), "runs write their kernels to the disk of the server until that is too much"),
)


def lacks_of(sandbox: dict[str, Any]) -> list[str]:
    """Where the system does not allow a confinement, each thing that is open to runs for that."""
    return [meaning for part, safe, meaning in LACKS if sandbox.get(part) not in safe] if sandbox else []


def hint(sandbox: dict[str, Any]) -> str:
    """What the form in force means, in a sentence."""
    if not sandbox:
        return "No worker is connected that could say."
    lacks = lacks_of(sandbox)
    if not lacks:
        return "Runs are confined in every way that Heddle knows."
    ways = "Linux with user namespaces, Landlock and seccomp allows more (docs/reference/service.md, What a run may do)"
    return f"On this system {', '.join(lacks)}. {ways}."


async def check_database(services: Services) -> str:
    try:
        await services.store.database.ping()
    except (SQLAlchemyError, OSError) as error:
        return f"the database does not answer: {type(error).__name__}"
    return "ok"


def check_queue(services: Services) -> str:
    if services.running.notices.stopping:
        return "the server is stopping"
    if not services.running.dispatcher.alive:
        return "the dispatch of runs has stopped"
    if services.running.dispatcher.silent_seconds > STUCK_SECONDS:
        return f"the dispatch of runs has not moved for {services.running.dispatcher.silent_seconds:.0f} s"
    measuring = services.running.dispatcher.measuring
    return measuring if measuring == "no scheduler is connected" else "ok"


def check_disk(services: Services) -> str:
    free = shutil.disk_usage(services.settings.data_directory).free
    least = services.settings.free_disk_bytes
    return "ok" if free >= least else f"{free:,} bytes are free, {least:,} are needed"
