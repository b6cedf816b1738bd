"""The libraries that kernels are timed alongside: one file each, listed in ``registry``.

Add a baseline:

1. ``compiler/heddle/measuring/baselines/<name>.py``: ``prepare(problem)`` answers with a ``Contender``
   (``measuring/contender.py``; preparation is timed separately from the call), or says why it is unavailable.
   ``patterns.py`` recognises what an expression computes.
2. One row in ``registry.py``: name, title, what it computes. The page offers it by itself. The name also stands in
   ``Identity`` (``compiler/heddle/measuring/schema.py``), its colour and pattern in
   ``backend/heddle_server/figures/theme.py``. Then ``python -m heddle_server.openapi`` and ``npm --prefix frontend
   run generate``. Rows and figures follow from the result.
"""
