"""Whose work is next: small work first, then by who had least; large work never has the last process."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from heddle_server.engine import turns
from heddle_server.engine.turns import PATIENCE_SECONDS, Displaced, Turns
from tests.backend.engine.timing.crowd import Crowd, people, quantile


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Office:
    """Turns whose work ends when the test says so; ``begun`` has the names of what has begun."""

    def __init__(self, places: int, most: int = 100, large_of_each: int | None = None) -> None:
        self.clock = Clock()
        self.turns = Turns(places, most, self.clock, large_of_each)
        self.begun: list[str] = []
        self.used: dict[str, float] = {}
        self.ends: dict[str, asyncio.Event] = {}

    async def ask(self, name: str, who: str = "someone", small: bool = True, address: str = "") -> asyncio.Task[None]:
        self.ends[name] = asyncio.Event()

        async def work() -> None:
            async with self.turns.turn(who, small, lambda: self.used.get(who, 0.0), address):
                self.begun.append(name)
                await self.ends[name].wait()

        task = asyncio.create_task(work())
        await rest()
        return task

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await rest()


async def rest() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_nobody_has_more_large_work_under_way_than_each_may() -> None:
    office = Office(3, large_of_each=1)
    for number in range(2):
        await office.ask(f"mine {number}", "me", small=False)
    await office.ask("small of mine", "me")
    await office.end("small of mine")
    await office.ask("yours", "you", small=False)
    assert office.begun == ["mine 0", "small of mine", "yours"]
    await office.end("mine 0")
    assert office.begun[3:] == ["mine 1"]


async def test_large_work_leaves_a_process_to_small_work() -> None:
    office = Office(2)
    for number in range(3):
        await office.ask(f"large {number}", small=False)
    assert office.begun == ["large 0"]
    await office.ask("small")
    assert office.begun == ["large 0", "small"]
    await office.end("small")
    assert office.begun == ["large 0", "small"]
    await office.end("large 0")
    assert office.begun == ["large 0", "small", "large 1"]


async def test_one_process_does_large_work_too() -> None:
    office = Office(1)
    await office.ask("large", small=False)
    assert office.begun == ["large"]


async def test_small_work_goes_first_but_large_work_does_not_wait_forever() -> None:
    office = Office(2)
    for number in range(2):
        await office.ask(f"under way {number}")
    await office.ask("large", small=False)
    await office.ask("small")
    await office.end("under way 0")
    assert office.begun[2:] == ["small"]
    office.clock.now += PATIENCE_SECONDS
    await office.ask("later small")
    await office.end("under way 1")
    assert office.begun[2:] == ["small", "large"]


async def test_who_had_least_goes_first() -> None:
    office = Office(1)
    await office.ask("under way")
    office.used = {"greedy": 9.0, "modest": 1.0}
    await office.ask("first asked", "greedy")
    await office.ask("asked later", "modest")
    await office.end("under way")
    assert office.begun == ["under way", "asked later"]


async def test_a_full_queue_sends_away_whoever_has_most_in_it() -> None:
    office = Office(1, most=3)
    await office.ask("under way")
    flood = [await office.ask(f"flood {number}", "flood") for number in range(3)]
    other = await office.ask("other", "other")
    with pytest.raises(Displaced):
        await flood[2]
    assert not other.done()
    await office.end("under way")
    await office.end("flood 0")
    await office.end("flood 1")
    assert office.begun == ["under way", "flood 0", "flood 1", "other"]


async def test_many_ids_at_one_address_do_not_send_others_away() -> None:
    office = Office(1, most=30)
    await office.ask("under way")
    crowd = [await office.ask(f"crowd {each}", f"id {each}", address="one") for each in range(30)]
    others = [await office.ask(f"other {each}", f"other {each}", address=f"address {each}") for each in range(5)]
    assert not any(other.done() for other in others)
    for displaced in crowd[-5:]:
        with pytest.raises(Displaced):
            await displaced
    assert not any(task.done() for task in crowd[:-5])


async def test_a_class_behind_one_address_outlasts_a_flood_of_one_visitor() -> None:
    office = Office(1, most=40)
    await office.ask("under way")
    flood = [await office.ask(f"flood {each}", "flood", address="elsewhere") for each in range(15)]
    students = [await office.ask(f"student {each}", f"student {each}", address="school") for each in range(30)]
    assert not any(student.done() for student in students)
    assert [task.done() for task in flood].count(True) == 5


async def test_a_turn_that_is_given_up_goes_to_the_next() -> None:
    office = Office(1)
    first = await office.ask("under way")
    second = await office.ask("given up")
    await office.ask("next")
    office.ends["under way"].set()
    second.cancel()
    await rest()
    assert office.begun == ["under way", "next"]
    assert first.done()


async def test_a_turn_that_comes_just_as_it_is_given_up_is_not_lost() -> None:
    office = Office(1)
    await office.ask("under way")
    given_up = await office.ask("given up")
    await office.ask("next")
    turn = office.turns._waiting[0].turn
    office.ends["under way"].set()
    await asyncio.sleep(0)
    assert turn.done()
    given_up.cancel()
    await rest()
    assert office.begun == ["under way", "next"]


CROWDS = {
    "all alike": Crowd({**people(60)}),
    "who had most among them": Crowd({**people(60, most=1000.0)}),
    "each had more than the one before": Crowd({f"person {each}": float(each) for each in range(60)}),
    "a tenth had much": Crowd({f"person {each}": 60.0 * (each % 10 == 0) for each in range(60)}),
    "half had much": Crowd({f"person {each}": 60.0 * (each % 2) for each in range(60)}),
    "one with large work": Crowd({**people(59, large=0.0)}, large={"large"}),
}


@pytest.mark.parametrize("name", CROWDS)
async def test_nobody_waits_much_longer_than_the_rest_when_too_much_comes(name: str) -> None:
    """Small work of who had most waited as long as the crowd stayed: p99 was 900 times p50."""
    crowd = replace(CROWDS[name], used=dict(CROWDS[name].used), waits={}, events=[])
    await crowd.come(20.0, overload=1.4)
    for large in (False, True):
        if waits := crowd.of_size(large=large):
            assert quantile(waits, 0.99) <= 4 * quantile(waits, 0.5)


@pytest.mark.parametrize("number", [1, 3, 12])
async def test_large_work_of_some_makes_nobody_wait_much_longer_than_in_a_queue(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where large work takes up what is too much, half of the small work does not wait at all, and four times nothing
    is nothing: the longest waits are those that came in a rush. First come, first served makes the longest of them as
    short as can be, and by turns they are not half as long again."""
    names = {f"person {each}": float(each) for each in range(60 - number)} | {
        f"large {each}": 0.0 for each in range(number)
    }
    waits = {}
    for cycle in (turns.CYCLE, 1_000_000):
        monkeypatch.setattr(turns, "CYCLE", cycle)
        crowd = Crowd({**names}, large={name for name in names if name.startswith("large")})
        await crowd.come(20.0, overload=1.4, seed=2)
        waits[cycle] = crowd.of_size(large=False), crowd.of_size(large=True)
    (small, large), (small_in_line, _) = waits.values()
    assert quantile(large, 0.99) <= 4 * quantile(large, 0.5)
    assert quantile(small, 0.99) <= max(4 * quantile(small, 0.5), 1.5 * quantile(small_in_line, 0.99))


async def test_who_asks_for_little_is_served_beside_a_flood() -> None:
    crowd = Crowd({**people(10, 30.0, modest=0.0)}, most=256)
    await crowd.come(20.0, overload=1.4)
    assert quantile(crowd.waits["modest"], 0.95) < 0.1 * quantile(crowd.of_size(large=False), 0.5)


async def test_large_work_begins_while_small_work_never_ends() -> None:
    crowd = Crowd({**people(59, large=0.0)}, large={"large"}, most=100)
    await crowd.come(20.0, overload=2.0)
    assert len(crowd.waits["large"]) > 20.0 / (2 * PATIENCE_SECONDS)
