"""Whom an address stands for. One household or campus has one IPv4 address, or a whole network of IPv6 addresses; one
landlord of machines has neighbouring ones."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

UNKNOWN = "unknown"
# Bits of an address that name its owner, and those that name its owner's neighbourhood.
OWNER_BITS = {4: 32, 6: 64}
NETWORK_BITS = {4: 24, 6: 48}


@lru_cache(maxsize=4096)
def owner_of(address: str) -> str:
    """An IPv4 address as it is, the /64 of an IPv6 address."""
    return prefix(address, OWNER_BITS)


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The /24 of an IPv4 address, the /48 of an IPv6 address."""
    return prefix(address, NETWORK_BITS)


def prefix(address: str, bits: dict[int, int]) -> str:
    try:
        parsed = ipaddress.ip_address(address[:64].partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    return str(ipaddress.ip_network((parsed, bits[parsed.version]), strict=False))
