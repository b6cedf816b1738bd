"""``heddle scheduler`` and ``heddle worker``: what spreads runs over machines."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from pathlib import Path

import dask.config

from heddle_server.engine.cluster.admission import find_obstacle, say_refusals
from heddle_server.engine.cluster.cluster_security import cluster_security, require_protection
from heddle_server.engine.cluster.declaration import Declaration, declare
from heddle_server.engine.cluster.pageless import PagelessNanny, PagelessScheduler
from heddle_server.engine.cluster.scheduler_options import scheduler_options
from heddle_server.engine.cluster.slow_start import ignore_slow_start
from heddle_server.engine.cluster.worker_options import configuration, quiet, worker_options
from heddle_server.engine.cluster.worker_state import joined_state
from heddle_server.engine.scratch import remove_abandoned
from heddle_server.settings import Settings

RETRY_SECONDS = 2.0
JOIN_SECONDS = 30.0


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def run_scheduler(host: str, port: int, certificates: Path | None, *, trusted_network: bool) -> None:
    """Until a signal ends it. Raises UnprotectedError, FileNotFoundError or OSError when it cannot start."""
    scheme = "tls" if certificates is not None else "tcp"
    require_protection(f"{scheme}://{host}", certificates, trusted_network=trusted_network)
    quiet()
    say_refusals(say)
    ignore_slow_start()
    stopped = stop_signal()
    with dask.config.set(configuration()):
        async with PagelessScheduler(
            host=host,
            port=port,
            protocol=f"{scheme}://",
            security=cluster_security(certificates),
            **scheduler_options(),
        ) as scheduler:
            say(f"The scheduler is at {scheduler.address} (Ctrl+C stops it)")
            await stopped.wait()


async def run_worker(
    scheduler: str, name: str | None, host: str | None, settings: Settings, *, trusted_network: bool
) -> None:
    """Joins, and joins again when the scheduler comes back, until a signal ends it.

    Raises UnprotectedError or FileNotFoundError when it may not or cannot start.
    """
    require_protection(scheduler, settings.certificates, trusted_network=trusted_network)
    cluster_security(settings.certificates)
    quiet()
    stopped = stop_signal()
    ignore_slow_start()
    declaration = await asyncio.to_thread(declare, settings)
    say(f"This machine offers {', '.join(sorted(declaration.resources))}. Joining {scheduler} (Ctrl+C leaves)")
    ending = asyncio.create_task(stopped.wait())
    while not stopped.is_set():
        obstacle = await find_obstacle(scheduler, settings.certificates)
        if obstacle is not None:
            say(f"Not joined {scheduler}: {obstacle}; trying again")
            await asyncio.wait({ending}, timeout=RETRY_SECONDS)
            continue
        membership = asyncio.create_task(stay(scheduler, name, host, declaration, settings))
        await asyncio.wait({membership, ending}, return_when=asyncio.FIRST_COMPLETED)
        membership.cancel()
        (outcome,) = await asyncio.gather(membership, return_exceptions=True)
        if not stopped.is_set():
            reason = f" ({outcome})" if isinstance(outcome, Exception) else ""
            say(f"No scheduler at {scheduler}{reason}: trying again")
            await asyncio.wait({ending}, timeout=RETRY_SECONDS)


async def stay(
    scheduler: str, name: str | None, host: str | None, declaration: Declaration, settings: Settings
) -> None:
    """A member of the cluster until the scheduler is gone. Raises OSError or TimeoutError when it does not answer."""
    await asyncio.to_thread(remove_abandoned)
    with dask.config.set(configuration()):
        nanny = PagelessNanny(
            scheduler,
            name=name,
            host=host,
            nthreads=1,
            security=cluster_security(settings.certificates),
            death_timeout=JOIN_SECONDS,
            silence_logs=logging.CRITICAL,
            **worker_options(declaration, joined_state(settings)),
        )
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                await nanny
            say(f"Joined as {nanny.worker_address}")
            await nanny.finished()  # type: ignore[no-untyped-call]
        finally:
            await nanny.close(timeout=3)


def stop_signal() -> asyncio.Event:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    return stopped
