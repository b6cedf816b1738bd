"""What runs in a compile process: a submission in, the JSON of its verdict out."""

from __future__ import annotations

import json
from typing import Any

from heddle.plan import parse_plan
from heddle_server.lessons.course import lesson_named
from heddle_server.lessons.judge import judge
from heddle_server.lessons.views import verdict_view


def check_document(
    lesson: str,
    task: str,
    document: dict[str, Any],
    answers: dict[str, str | float],
    seed: int,
    timed: dict[str, Any] | None,
) -> bytes:
    """The TaskResultView as JSON bytes."""
    named_lesson = lesson_named(lesson)
    assert named_lesson is not None
    wanted = named_lesson.task(task)
    assert wanted is not None
    verdict = judge(wanted, parse_plan(document), answers, seed, timed)
    return json.dumps(verdict_view(named_lesson, wanted, verdict), separators=(",", ":"), allow_nan=False).encode()
