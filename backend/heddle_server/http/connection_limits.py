"""How much a connection may send and hold before anything looks at its request, and how many there may be."""

from __future__ import annotations

import ipaddress
import resource
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Network, IPv6Network

from heddle_server.http.networks import network_of, owner_of

# Descriptors that are for files, workers and the database, not for connections.
KEPT_DESCRIPTORS = 256


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Sizes in bytes, times in seconds. A class of 100 behind one address has some 300 connections."""

    connections: int = 2000
    of_owner: int = 800
    of_network: int = 1200
    header_bytes: int = 32 << 10
    headers: int = 100
    header_seconds: float = 10.0
    # A body has this long, and the longer the more of it comes.
    body_seconds: float = 20.0
    body_rate: int = 500
    # An answer that nobody reads.
    read_seconds: float = 30.0
    read_rate: int = 10_000
    unread_bytes: int = 24 << 20
    # Of all addresses together. Whoever leaves more than an equal share is cut off when it is too much.
    unread_total: int = 32 << 20
    pipelined: int = 8
    pipelined_seconds: float = 0.25
    # How long a client that is refused may go on sending before it is cut off, so that it reads why.
    linger_seconds: float = 1.0
    most_lingering: int = 64


def with_descriptors(limits: ConnectionLimits) -> ConnectionLimits:
    """Raises this process's limit of open files as far as the connections need and the system allows; what remains
    impossible is not promised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + KEPT_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    room = limits.connections if soft == resource.RLIM_INFINITY else max(16, soft - KEPT_DESCRIPTORS)
    return replace(limits, connections=min(limits.connections, room))


Networks = Sequence[IPv4Network | IPv6Network]


@dataclass(slots=True)
class Register:
    """Who is connected, and how much is written to each that has not been read. Connections of a trusted proxy count
    only in all: the proxy counts those of each client."""

    limits: ConnectionLimits
    proxies: Networks = ()
    total: int = 0
    lingering: int = 0
    parties: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str) -> str | None:
        """Counts a connection; the reason when it is one too many. ``leave`` must follow in either case."""
        self.total += 1
        owner, network = owner_of(address), f"net {network_of(address)}"
        self.parties.update((owner, network))
        if self.total > self.limits.connections:
            return f"This server takes {self.limits.connections:,} connections at a time, and all are in use."
        if self.is_proxy(address):
            return None
        if self.parties[owner] > self.limits.of_owner:
            return f"Your address has {self.limits.of_owner:,} connections to this server, which is the limit."
        if self.parties[network] > self.limits.of_network:
            return f"Your network has {self.limits.of_network:,} connections to this server, which is the limit."
        return None

    def leave(self, address: str) -> None:
        self.total -= 1
        for party in (owner_of(address), f"net {network_of(address)}"):
            subtract(self.parties, party, 1)

    def hold(self, address: str, size: int) -> bool:
        """Counts bytes that wait to be read; whether there are more than this address may leave unread."""
        owner = owner_of(address)
        self.unread[owner] += size
        held_bytes = self.unread[owner]
        if held_bytes > self.limits.unread_bytes:
            return True
        total = self.limits.unread_total
        return self.unread.total() > total and held_bytes > total / len(self.unread)

    def release(self, address: str, size: int) -> None:
        subtract(self.unread, owner_of(address), size)

    def may_linger(self) -> bool:
        """Whether one more connection that is refused is listened to for a moment; others are cut off at once."""
        return self.lingering < self.limits.most_lingering

    def is_proxy(self, address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self.proxies)


def subtract(counts: Counter[str], name: str, size: int) -> None:
    counts[name] -= size
    if counts[name] <= 0:
        del counts[name]
