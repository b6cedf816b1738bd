"""What a person may want of a schedule, each with commands that compile: the start of "what may come next".

Add a goal of *What may come next*, or a text that can be pasted:

1. A goal: a function from a ``Start`` to whole schedules, the best first, and one ``Goal`` in
   ``compiler/heddle/explorer/schedule_sketches/table.py``. Only what compiles is shown.
   ``tests/compiler/explorer/schedule_sketches/`` says which commands it finds for which program.
2. A text: a module in ``backend/heddle_server/imports/`` that makes an ``Imported`` of it, where ``leave`` says what
   the plan does not hold and why, and one row of ``READERS`` in ``table.py``.
   ``frontend/src/schedule/foreign-text.ts`` recognises it when it is pasted into an editor. What is exported must
   come back the same (``tests/backend/imports/``).
"""

from heddle.explorer.schedule_sketches.reached import Reached, find_reachable

__all__ = ["Reached", "find_reachable"]
