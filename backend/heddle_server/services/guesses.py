"""Answers that are guessed: after three wrong ones the question is asked of other data, and each further one waits.

Held in memory by the service, whatever the page shows. Whoever works the answer out waits for nothing.
"""

from __future__ import annotations

import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from heddle_server.http.asker import Asker

FREE = 3
"""Wrong answers to one question, and those that come without a pause."""
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 600.0
"""Seconds after the third wrong answer, doubled with each one, and at most."""
FORGOTTEN_AFTER = 3600.0
"""Seconds without a try after which somebody begins anew."""
IN_FLIGHT = 1.0
"""Seconds that a second answer waits while the first one is checked."""
MOST_REMEMBERED = 20_000

Question = tuple[str, str]
"""A lesson and one of its tasks."""


@dataclass(slots=True)
class Tries:
    """``wrong`` answers in a row of somebody at a question; the next one is taken at ``after``."""

    wrong: int = 0
    after: float = 0.0
    last: str = ""
    at: float = 0.0
    checked: bool = False


class Guesses:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[tuple[str, Question], Tries] = OrderedDict()
        self._wrong: OrderedDict[tuple[int, Question], int] = OrderedDict()

    def seed(self, question: Question, seed: int) -> int:
        """The seed of the data that a student with ``seed`` is asked about now."""
        number = self._wrong.get((seed, question), 0) // FREE
        return seed if number == 0 else zlib.crc32(f"{seed}/{number}".encode()) >> 1

    def begin(self, who: str, question: Question) -> float:
        """0 where an answer is checked now, which :meth:`end` ends; else the seconds until one is."""
        tries, now = self._tries_of(who, question), self._clock()
        if tries.checked:
            return IN_FLIGHT
        if tries.after > now:
            return tries.after - now
        tries.checked = True
        return 0.0

    def end(self, who: str, question: Question, seed: int, answers: str, passed: bool | None) -> bool:
        """Notes what became of an answer, None where it was not judged. Whether another question is asked from now on.
        The same answer again tells nobody anything, and does not count."""
        tries, now = self._tries_of(who, question), self._clock()
        tries.checked, tries.at = False, now
        if passed:
            tries.wrong, tries.last = 0, ""
        if passed is not False or answers == tries.last:
            return False
        tries.wrong, tries.last = tries.wrong + 1, answers
        if tries.wrong >= FREE:
            tries.after = now + min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(tries.wrong - FREE, 20))
        before = self._wrong.pop((seed, question), 0)
        self._wrong[seed, question] = before + 1
        _forget(self._wrong)
        return (before + 1) % FREE == 0

    def _tries_of(self, who: str, question: Question) -> Tries:
        key, now = (who, question), self._clock()
        tries = self._tries.get(key)
        if tries is None or (not tries.checked and now - tries.at > FORGOTTEN_AFTER):
            tries = self._tries[key] = Tries(at=now)
        self._tries.move_to_end(key)
        _forget(self._tries)
        return tries


def _forget(table: OrderedDict[tuple[str, Question], Tries] | OrderedDict[tuple[int, Question], int]) -> None:
    if len(table) > MOST_REMEMBERED:
        table.popitem(last=False)


def name_of(who: Asker) -> str:
    """Whose tries are counted together: a visitor's, or those of an address without an id."""
    return who.visitor or f"address {who.address}"
