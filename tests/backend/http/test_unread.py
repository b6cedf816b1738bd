"""What waits to be read is bounded, for one address and for all: whoever leaves most is cut off first."""

from __future__ import annotations

import asyncio
from typing import Any

from heddle_server.http.connection import Guarded
from heddle_server.http.connection_limits import ConnectionLimits, Register

LIMITS = ConnectionLimits(unread_bytes=1000, unread_total=1500)
ATTACKERS = [f"10.0.{number}.1" for number in range(10)]


def test_one_address_may_leave_so_many_bytes_unread() -> None:
    register = Register(LIMITS)
    assert not register.hold("10.0.0.1", 1000)
    assert register.hold("10.0.0.1", 1)
    register.release("10.0.0.1", 1001)
    assert not register.hold("10.0.0.1", 900)


def test_many_addresses_together_are_cut_off_at_equal_shares_and_a_slow_reader_is_not() -> None:
    register = Register(LIMITS)
    assert not register.hold("192.0.2.1", 100)
    cut = 0
    for _ in range(20):
        for attacker in ATTACKERS:
            if register.hold(attacker, 50):
                register.release(attacker, 50)  # as a connection that is cut off does
                cut += 1
            assert register.unread.total() <= LIMITS.unread_total + 50
    assert cut > 100
    assert not register.hold("192.0.2.1", 20)


def test_the_server_grows_by_less_than_an_attack_may_cost() -> None:
    assert ConnectionLimits().unread_total <= 40 << 20


def test_what_is_written_behind_the_end_of_a_connection_is_dropped() -> None:
    class Closed(asyncio.Transport):
        closing = False

        def is_closing(self) -> bool:
            return self.closing

        def write(self, data: Any) -> None:
            written.append(data)

        def get_write_buffer_size(self) -> int:
            return 7

    written: list[bytes] = []
    transport = Closed()
    guarded = Guarded(transport)
    guarded.write(b"a")
    transport.closing = True
    guarded.write(b"b")
    assert (written, guarded.get_write_buffer_size()) == ([b"a"], 7)
