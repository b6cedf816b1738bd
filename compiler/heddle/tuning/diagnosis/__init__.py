"""What held a kernel back, said after a run where the numbers leave no doubt: a diagnosis in each file.

Add a diagnosis after a run:

1. ``compiler/heddle/tuning/diagnosis/<what>.py``: a function from a ``Finished`` (plan, operands, machine, medians)
   to a ``Diagnosis`` with the numbers of the run and a ``Fix`` that compiles, or None wherever it is not certain. One
   row of ``RULES`` in ``table.py``, at its place in the order.
2. A case in ``tests/compiler/tuning/test_diagnosis.py`` with its text and its repair, and one where it keeps quiet.
"""
