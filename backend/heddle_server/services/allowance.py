"""What a visitor, and an address, may use up of something: so much at once, and so much again as time goes by.

Addresses have a multiple of it, because a class sits behind one. They are held in memory alone.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from heddle_server.engine.turns import VISITORS_OF_ADDRESS
from heddle_server.http.asker import Asker

# The least used are forgotten, which is as if they had used nothing.
MOST_REMEMBERED = 20_000


@dataclass(slots=True)
class Account:
    used: float
    at: float


class Allowance:
    """``at_once`` for a visitor that has used nothing lately, of which ``per_second`` comes back. ``factor`` scales
    both; 0 allows everything."""

    def __init__(
        self,
        at_once: float,
        per_second: float,
        factor: float = 1.0,
        *,
        of_address: int = VISITORS_OF_ADDRESS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._per_second, self._clock = at_once * factor, per_second * factor, clock
        self._of_address = of_address
        self._accounts: OrderedDict[tuple[str, str], Account] = OrderedDict()

    def wait(self, who: Asker, amount: float = 0.0) -> float:
        """Seconds until they may use so much; 0 when they may now. Who owes nothing may use more than there ever is."""
        if not self._at_once:
            return 0.0
        return max((self._wait(key, share, amount) for key, share in self._parties(who)), default=0.0)

    def use(self, who: Asker, amount: float) -> None:
        for key, share in self._parties(who):
            account = self._settle(key, share)
            account.used += amount

    def used(self, who: Asker) -> float:
        """Lately, as a share of what a visitor may at once; of an address that of the average one behind it."""
        return max((self._settle(key, share).used / share for key, share in self._parties(who)), default=0.0)

    def _wait(self, key: tuple[str, str], share: int, amount: float) -> float:
        left = self._at_once * share - self._settle(key, share).used
        missing = min(amount, self._at_once * share) - left
        return max(0.0, missing / (self._per_second * share))

    def _settle(self, key: tuple[str, str], share: int) -> Account:
        now = self._clock()
        account = self._accounts.setdefault(key, Account(0.0, now))
        account.used = max(0.0, account.used - (now - account.at) * self._per_second * share)
        account.at = now
        self._accounts.move_to_end(key)
        if len(self._accounts) > MOST_REMEMBERED:
            self._accounts.popitem(last=False)
        return account

    def _parties(self, who: Asker) -> list[tuple[tuple[str, str], int]]:
        """The accounts that somebody uses, each with how many visitors it is for."""
        accounts = [(("address", who.address), self._of_address)] if who.address else []
        return [*accounts, (("visitor", who.visitor), 1)] if who.visitor is not None else accounts
