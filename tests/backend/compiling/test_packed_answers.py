"""What the server keeps of answers: packed, at most so many bytes, and nothing that would push all others out."""

from __future__ import annotations

import gzip
import os

import pytest

from heddle_server.http.packed_answers import LEAST_BYTES, Answer, AnswerCache, answer_of, time_answer
from heddle_server.services.compiling.compile_worker import compile_answer
from heddle_server.settings import Settings

LARGE = b'{"a":' + b"1" * 5000 + b"}"
HEAVY = {
    "version": 2,
    "expression": "Y(i,j) = A(i,j) + B(i,j) + C(i,j)",
    "tensors": {name: {"format": "dcsr"} for name in "ABC"},
}


def test_a_large_answer_is_packed_and_a_small_one_is_not() -> None:
    large, small = answer_of(LARGE), answer_of(b"{}")
    assert large.packed
    assert gzip.decompress(large.content) == large.plain() == LARGE
    assert not small.packed
    assert small.content == small.plain() == b"{}"
    assert not answer_of(b"1" * (LEAST_BYTES - 1)).packed


def test_a_compile_is_packed_where_it_is_made_and_says_in_short_whether_it_compiles() -> None:
    answer, seconds = time_answer(compile_answer, HEAVY)
    assert seconds > 0
    assert answer.packed
    assert answer.size < len(answer.plain()) / 5
    assert answer.head == b'{"ok":true,"diagnostics":[]}'
    assert time_answer(lambda: LARGE)[0] == answer_of(LARGE)


def test_the_cache_drops_what_was_used_longest_ago() -> None:
    cache = AnswerCache(24)
    for key in "abcd":
        cache.put(key, Answer(b"123456"))
    assert cache.get("a") is not None
    cache.put("e", Answer(b"123456"))
    assert cache.get("b") is None
    assert cache.get("a") is not None
    assert cache.size == 24


def test_an_answer_that_would_push_out_all_others_is_not_kept() -> None:
    cache = AnswerCache(24)
    cache.put("a", Answer(b"1234"))
    cache.put("b", Answer(b"1234567"))
    assert cache.get("a") is not None
    assert cache.get("b") is None
    assert cache.size == 4
    cache.put("a", Answer(b"1234567"))
    assert (cache.get("a"), cache.size) == (None, 0)


@pytest.mark.parametrize("size", [10_000, 500_000, 3_000_000])
def test_heavy_compiles_fill_what_they_may_and_no_more(size: int) -> None:
    """The server may grow by 50 MiB under a flood of them: what it keeps of their answers is half of that."""
    capacity = Settings().compile_cache_bytes
    assert capacity <= 25 << 20
    cache = AnswerCache(capacity)
    body = os.urandom(size)
    for number in range(capacity // size * 2):
        cache.put(str(number), Answer(body))
        assert cache.size <= capacity
    assert cache.size > capacity - size
    assert sum(one.size for one in cache._answers.values()) == cache.size
