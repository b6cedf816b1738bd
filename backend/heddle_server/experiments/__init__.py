"""Guided experiments over what the service measures: plans that differ in one parameter, a figure over their runs.

Add an experiment:

1. ``backend/heddle_server/experiments/<name>.py``: an ``Experiment`` of plans that differ in one parameter, and a
   function from their results to a Plotly figure (``drawing.py`` has lines of times). One line in ``registry.py``.
   Nothing in the page changes. Studies of GPU schedules are ``backend/heddle_server/studies/``, which ``./heddle
   study`` measures as well.
2. Tests: ``tests/backend/experiments/`` compiles every plan and draws every figure; add what the figure must show.
"""
