"""Plotly figures of results, one function per figure: the same picture on the page and in notebooks.

Add a figure:

1. ``backend/heddle_server/figures/<name>.py``: a function from a ``RunResult`` to a Plotly figure, entered in
   ``registry.py``. The page shows every figure that a run lists; nothing there changes.
"""
