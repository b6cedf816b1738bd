"""How results are made and how sums grow: outputs, accumulations, and what chooses them.

Add a way of accumulating:

1. ``compiler/heddle/lowering/results/<what>.py``: a frozen dataclass with ``enter`` and ``leave`` (``Accumulation``
   in ``choose_accumulator.py``), the ``Destination`` of the assignments inside the loop, and a ``find_…`` function that
   gives back None where it does not suit.
2. One row of ``ACCUMULATIONS``, in front of those that it should win over. A way of making a whole result is an
   ``Output`` (``lowering/environment/output.py``), chosen in ``results/outputs.py``.
3. Tests: a loop that takes it in ``tests/compiler/lowering/test_accumulation.py``, and its results in
   ``tests/differential/``.
"""
