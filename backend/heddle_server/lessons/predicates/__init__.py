"""The facts that checks are made of: one registry, a function for each, in a file for each name space.

Add a fact for checks:

1. A function with ``@predicate(name, unit, …)`` in ``backend/heddle_server/lessons/predicates/``, whose docstring
   says what it is, and its name in ``PREDICATES`` at the end of the file. What is counted comes from
   ``compiler/heddle/explorer/cost_report/``.
2. A lesson that asks for it, or a case in ``tests/backend/lessons/``.
"""
