"""What a search may change of a plan: genes, each with its values, and the commands that a choice of values means.

Add a gene, or a strategy of searches:

1. A gene: a ``Gene`` in ``compiler/heddle/tuning/genes/of_program.py`` with its values, the one that changes nothing
   first, and what its value means as commands in ``schedules.py``. What does not compile counts as inadmissible and
   needs no rule.
2. A strategy: a generator of generations (``compiler/heddle/tuning/strategies/strategy.py``), which draws from the
   source of chance that it is given and from nothing else, and a row of ``STRATEGIES`` in ``table.py``; its name also
   in ``StrategyName`` (``backend/heddle_server/schema/search.py``).
3. Tests: ``tests/compiler/tuning/search/``, with scripted chance and times that are made up; every strategy must
   replay from its log.
"""
