"""``heddle tune`` says what its options may be."""

from __future__ import annotations

import pytest

from heddle_server.cli import parser
from heddle_server.tuning.options import DEFAULTS, read_named_options


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("--budget", "0", "seconds, more than 0 and at most 604,800, are expected, found 0"),
        ("--budget", "-5", "seconds, more than 0 and at most 604,800, are expected, found -5"),
        ("--budget", "nan", "seconds, more than 0 and at most 604,800, are expected, found nan"),
        ("--budget", "inf", "seconds, more than 0 and at most 604,800, are expected, found inf"),
        ("--budget", "soon", "seconds, more than 0 and at most 604,800, are expected, found soon"),
        ("--seed", "-1", "a whole number from 0 to 4,294,967,295 is expected, found -1"),
        ("--seed", "4294967296", "a whole number from 0 to 4,294,967,295 is expected, found 4294967296"),
        ("--seed", "1.5", "a whole number from 0 to 4,294,967,295 is expected, found 1.5"),
        ("--population", "1", "a whole number from 2 to 1,000,000 is expected, found 1"),
        ("--evaluations", "0", "a whole number from 1 to 1,000,000 is expected, found 0"),
        ("--generations", "0", "a whole number from 1 to 1,000,000 is expected, found 0"),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_range(
    option: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["tune", "plan.json", f"{option}={text}"])
    assert ended.value.code == 2
    assert f"heddle: tune: argument {option}: {said}" in capsys.readouterr().err


def test_what_was_named_is_told_from_what_was_not() -> None:
    options = parser().parse_args(["tune", "plan.json", "--seed", "0", "--budget", "60"])
    assert read_named_options(options) == {"seed": 0, "seconds": 60.0}
    assert set(read_named_options(options)) < set(DEFAULTS)
