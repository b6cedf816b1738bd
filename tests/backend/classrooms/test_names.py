"""Nicknames with anything in them: kept as one line that looks like what it is, or refused with what was expected."""

from __future__ import annotations

import pytest

from heddle_server.problem import ProblemError
from heddle_server.services.classrooms.names import fold, read_name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Mina", "Mina"),
        ("  Mina \t\n K. ", "Mina K."),
        ("Jose\u0301", "José"),
        ("李雷 🧵", "李雷 🧵"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("\u202enimda\u202c", "nimda"),
        ("a\x00b\x1b[31m\u0085c\u2028d", "ab[31m c d"),
        ("\ufeffAnn\u200b", "Ann"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("'; DROP TABLE students; --", "'; DROP TABLE students; --"),
        ("=1+1", "=1+1"),
        ("Z" + "\u0300\u0301\u0302\u0303" * 20, "Z\u0300\u0301"),
        ("\u00a0Ben\u3000Lee", "Ben Lee"),
    ],
)
def test_a_name_is_one_line_that_can_be_seen(typed: str, kept: str) -> None:
    assert read_name(typed, 40, "nickname") == kept


@pytest.mark.parametrize(
    "typed", ["", "  \n", "\u200b\u200d\u2060", "\x00\x07", "\u202e\u202c", "\u0301\u0301", "\ud800"]
)
def test_a_name_that_cannot_be_seen_is_refused(typed: str) -> None:
    with pytest.raises(ProblemError, match="at least one letter or digit, found none that can be seen") as refused:
        read_name(typed, 40, "nickname")
    assert refused.value.status == 422


def test_a_name_that_is_too_long_is_refused_with_both_lengths() -> None:
    assert read_name("x" * 40, 40, "nickname") == "x" * 40
    with pytest.raises(ProblemError, match="at most 40 characters, found 41"):
        read_name("x" * 41, 40, "nickname")


@pytest.mark.parametrize("other", ["MINA", "ｍｉｎａ", "mi\u200dna", "𝓶𝓲𝓷𝓪"])
def test_names_that_look_alike_are_one(other: str) -> None:
    assert fold(read_name(other, 40, "nickname")) == fold("mina")


def test_what_a_name_folds_to_fits_its_column() -> None:
    assert len(fold("\ufdfa" * 40)) == 160
