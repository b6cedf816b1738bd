"""What costs a plan something on the data that it was followed on: a rule in each file, with a tried repair.

Add a finding of the account:

1. A file in ``compiler/heddle/explorer/cost_report/findings/`` with one function from an ``Account`` to a ``Finding``
   or None, and its row in ``table.py``. Repairs are made with ``tried`` or ``first_tried``, which run them; offer one
   only where the counted number falls.
2. A test in ``tests/compiler/explorer/cost_report/test_findings.py`` that applies the repair and compares the number
   with what the finding said.
"""
