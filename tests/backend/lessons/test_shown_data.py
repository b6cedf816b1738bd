"""What a lesson's page shows: a task that asks about data has them at hand, as they are checked."""

from __future__ import annotations

import numpy as np

from heddle_server.lessons.course import course
from heddle_server.lessons.data import operands_of
from heddle_server.lessons.views import lesson_view

SEED = 3


def test_a_task_that_asks_about_data_shows_those_that_it_checks() -> None:
    shown = {}
    for lesson in course():
        blocks = [block["task"] for block in lesson_view(lesson, SEED)["blocks"] if block["task"] is not None]
        for task, view in zip(lesson.tasks, blocks, strict=True):
            assert task.questions or view["data"] is None, task.id
            if view["data"] is not None:
                shown[task.id] = view["data"]
                for name, array in operands_of(task, SEED)[0].items():
                    np.testing.assert_array_equal(np.array(view["data"][name]), array)
    assert {"which-row", "union", "how-far"} <= shown.keys()
    assert "packed-triangle" not in shown, "arguments of patterns are no tensors that pictures are drawn with"
