"""Runs the service under uvicorn until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send

from heddle.cli.status import Status
from heddle_server.engine.cluster.cluster_security import UnprotectedError, cluster_security, require_protection
from heddle_server.engine.cluster.slow_start import ignore_slow_start
from heddle_server.engine.fork_server import begin_fork_server
from heddle_server.http.connection import connections
from heddle_server.http.connection_limits import ConnectionLimits, Register, with_descriptors
from heddle_server.http.request_log import log_as_json
from heddle_server.lifetime.early_end import Start, end_early
from heddle_server.lifetime.start_warnings import start_warnings
from heddle_server.lifetime.stop_limit import CLOSING_SECONDS, end_after
from heddle_server.main import create_app
from heddle_server.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


# Longer than proxies (60 s) and students between two edits leave a connection idle: a request that is sent just as the
# server closes it gets no answer.
KEEP_ALIVE_SECONDS = 75


class SayWhy:
    """Around the application: a start that fails for a known reason is told by its sentence, not by a traceback."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        failure: str | None = None

        async def tell(message: Message) -> None:
            nonlocal failure
            if message["type"] == "lifespan.startup.failed":
                failure = getattr(self.app.state, "start_failure", None)
                message = {**message, "message": failure or message.get("message", "")}
            await send(message)

        try:
            await self.app(scope, receive, tell)
        except Exception:
            if failure is None:
                raise


class Server(uvicorn.Server):
    """Ends the open event streams at the first signal: one alone would hold the stop up to its time limit. A stop that
    takes longer than ``stop_limit_seconds`` is cut short; one before the start has ended, at once."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, stop_limit_seconds: float, start: Start) -> None:
        super().__init__(config)
        self._app = app
        self._stop_limit_seconds = stop_limit_seconds
        self._start = start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        loop = asyncio.get_running_loop()

        def interrupt(number: int) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and all else is about to
                loop.call_soon_threadsafe(self.handle_exit, number, None)

        self._start.ready(interrupt)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.started:
            end_early(sig)
        if not self.should_exit:
            end_after(self._stop_limit_seconds)
        services = getattr(self._app.state, "services", None)
        if services is not None:
            services.end_streams()
        super().handle_exit(sig, frame)


def serve(options: argparse.Namespace, start: Start) -> int:
    chosen: dict[str, Any] = {}
    if options.data_directory is not None:
        chosen["data_directory"] = options.data_directory
    if options.scheduler is not None:
        chosen["scheduler"] = options.scheduler
    if options.certificates is not None:
        chosen["certificates"] = options.certificates
    settings = Settings(**chosen)
    if settings.certificates is not None and settings.scheduler is None:
        print(
            "heddle: --certificates protects the connection to a scheduler: expected --scheduler tls://HOST:8786 "
            "beside it. The page gets TLS from a proxy in front of the server.",
            file=sys.stderr,
        )
        return Status.REFUSED
    os.umask(0o077)  # the database, uploads and what runs write are for this user alone
    ignore_slow_start()
    begin_fork_server()
    if options.host in LOOPBACK and not settings.allowed_hosts:
        settings = settings.model_copy(update={"allowed_hosts": LOCAL_NAMES})
    if settings.scheduler is not None:
        try:
            require_protection(settings.scheduler, settings.certificates, trusted_network=options.trusted_network)
            cluster_security(settings.certificates)
        except (UnprotectedError, FileNotFoundError, ValueError) as error:
            print(f"heddle: {error}", file=sys.stderr)
            return 1
    try:
        listener = listen(options.host, options.port)
    except OSError as error:
        print(f"heddle: cannot listen on {options.host} port {options.port}: {error.strerror}", file=sys.stderr)
        return 1
    for warning in start_warnings():
        print(f"heddle: warning: {warning}", file=sys.stderr)
    if settings.json_log:
        log_as_json()
    app = create_app(settings)
    register = Register(with_descriptors(connection_limits(settings)), settings.trusted_proxies)
    config = uvicorn.Config(
        SayWhy(app),
        http=connections(register),
        ws="none",
        # Without a proxy that is trusted, a client may not say who it is.
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[str(network) for network in settings.trusted_proxies],
        log_level="warning",
        access_log=False,
        log_config=None if settings.json_log else uvicorn.config.LOGGING_CONFIG,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(settings.stop_seconds)),
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
    server = Server(config, app, settings.stop_seconds + CLOSING_SECONDS, start)
    announce(server, listener, options.open)
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn raises a signal again when it has stopped, which would end Python before it has tidied up. One that
        # comes before uvicorn listens is not lost.
        signal.signal(number, lambda number, _: None if server.started else end_early(number))
    with contextlib.suppress(SystemExit):  # uvicorn's own way to end where the start failed
        server.run(sockets=[listener])
    return 0 if server.started else 1


def connection_limits(settings: Settings) -> ConnectionLimits:
    return ConnectionLimits(
        connections=settings.connections,
        of_owner=settings.address_connections,
        of_network=settings.address_connections * 3 // 2,
        header_seconds=settings.header_seconds,
        body_seconds=settings.body_seconds,
    )


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.set_inheritable(False)
    return listener


def announce(server: Server, listener: socket.socket, open_browser: bool) -> None:
    """Say the address, and open the page, once requests are answered."""
    host, port = listener.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def wait() -> None:
        while not server.started:
            if server.should_exit:
                return
            time.sleep(0.05)
        print(f"Heddle is at {address} (Ctrl+C stops it)", file=sys.stderr, flush=True)
        if open_browser:
            webbrowser.open(address)

    threading.Thread(target=wait, name="announce", daemon=True).start()
