"""Who may speak to a scheduler and its workers: those whose certificate our own authority has signed, both ways."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from heddle.runtime.checkout import PROGRAM

if TYPE_CHECKING:
    from distributed.security import Security

AUTHORITY, CERTIFICATE, KEY = "authority.pem", "certificate.pem", "key.pem"


class UnprotectedError(Exception):
    """A way to run code on this machine would be open to whoever reaches it."""


def cluster_security(certificates: Path | None) -> Security | None:
    """Mutual TLS from a folder that ``heddle certificates`` made; None without one.

    Raises FileNotFoundError, with a text for a person, when the folder lacks a file.
    """
    if certificates is None:
        return None
    for name in (AUTHORITY, CERTIFICATE, KEY):
        if not (certificates / name).is_file():
            raise FileNotFoundError(f"{certificates} has no {name}; '{PROGRAM} certificates' makes such a folder")
    from distributed.security import Security

    pair = {"cert": str(certificates / CERTIFICATE), "key": str(certificates / KEY)}
    roles = {f"tls_{role}_{part}": path for role in ("client", "scheduler", "worker") for part, path in pair.items()}
    return Security(  # type: ignore[no-untyped-call]
        tls_ca_file=str(certificates / AUTHORITY), require_encryption=True, **roles
    )


def ephemeral_security() -> Security:
    """Mutual TLS for an embedded scheduler and its worker: a key of this start, which nobody else has. The loopback
    interface belongs to every user of the machine, and to whatever escapes from a run; whoever reaches a scheduler
    without one runs code in the server."""
    from distributed.security import Security

    return Security.temporary()  # type: ignore[no-untyped-call, no-any-return]


def require_protection(address: str, certificates: Path | None, *, trusted_network: bool) -> None:
    """Raises UnprotectedError for an address that others can reach, without TLS, and where address and certificates do
    not fit each other; ValueError for what is no address."""
    try:
        parts = urlsplit(address)
        encrypted, _ = parts.scheme == "tls", parts.port
    except ValueError as error:
        raise ValueError(f"{address} is no address ({error}); expected one such as tls://lab-1:8786") from None
    if encrypted and certificates is None:
        raise UnprotectedError(
            f"{address} speaks TLS, for which this machine needs certificates: give their folder with --certificates "
            f"('{PROGRAM} certificates FOLDER NAME…' makes one)."
        )
    if certificates is not None and not encrypted:
        raise UnprotectedError(f"{address} is not protected by the certificates given: write tls:// before the host.")
    if encrypted or trusted_network or is_loopback(address):
        return
    raise UnprotectedError(
        f"{address} can be reached from elsewhere, and whoever reaches a scheduler or worker can run code on it. "
        f"Make certificates ('{PROGRAM} certificates FOLDER NAME…') and give them with --certificates, or say "
        "--trusted-network if nobody else is on that network."
    )


def is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
