"""``heddle scheduler``, ``heddle worker`` and ``heddle certificates``."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from typing import Any

from heddle.cli.source import SourceError
from heddle_server.engine.cluster.certificates import make_certificates
from heddle_server.engine.cluster.cluster_processes import run_scheduler, run_worker
from heddle_server.engine.cluster.cluster_security import UnprotectedError
from heddle_server.engine.cluster.slow_start import ignore_slow_start
from heddle_server.engine.cluster.worker_options import replace_quickly
from heddle_server.engine.fork_server import begin_fork_server
from heddle_server.settings import Settings
from heddle_server.store.private_files import make_contents_private, make_private


def start(options: argparse.Namespace) -> int:
    """The exit code: 1, with the reason on stderr, for what cannot be done. Raises OSError and SourceError."""
    try:
        match options.command:
            case "scheduler":
                scheduler(options)
            case "worker":
                worker(options)
            case "certificates":
                certificates(options)
            case other:
                raise AssertionError(other)
    except (UnprotectedError, ValueError) as error:
        print(f"heddle: {error}", file=sys.stderr)
        return 1
    return 0


def scheduler(options: argparse.Namespace) -> None:
    running = run_scheduler(options.host, options.port, options.certificates, trusted_network=options.trusted_network)
    asyncio.run(running)


def worker(options: argparse.Namespace) -> None:
    chosen: dict[str, Any] = {"scheduler": options.scheduler}
    if options.certificates is not None:
        chosen["certificates"] = options.certificates
    if options.data_directory is not None:
        chosen["data_directory"] = options.data_directory
    settings = Settings(**chosen)
    os.umask(0o077)  # copies of what visitors sent are for this user alone
    make_private(settings.data_directory)
    make_contents_private(settings.data_directory)
    running = run_worker(
        options.scheduler, options.name, options.host, settings, trusted_network=options.trusted_network
    )
    ignore_slow_start()
    begin_fork_server()
    replace_quickly()
    asyncio.run(running)


def certificates(options: argparse.Namespace) -> None:
    if options.folder.exists() and not options.folder.is_dir():
        raise SourceError(f"{options.folder} is a file, expected a folder")
    folders = make_certificates(options.folder, options.machines)
    if options.json:
        print(json.dumps([str(folder) for folder in folders]))
        return
    for folder in folders:
        print(f"{folder}: copy it to that machine, and give it with --certificates")
