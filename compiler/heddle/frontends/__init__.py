"""The door for expressions: every language that a Plan may be written in, and where its programs enter the compiler.

Add a language for expressions:

1. ``compiler/heddle/<language>/`` beside ``notation/``: grammar, parser, nodes, checks, limits, printer, and what a
   program means on dense arrays, which shares no code with what lowers it. Its place in ``COMPILER_LAYERS`` is below
   ``frontends``.
2. ``compiler/heddle/frontends/<language>.py``: its ``FrontEnd``. Its ``entry`` is ``Statements``, for programs that
   index notation can say, or ``Loops``, for a language that lowers its programs itself and has steps of its own in
   the schedule.
3. ``compiler/heddle/frontends/table.py``: one row, and its name in ``LanguageName``. Plans, command line, API and
   ``GET /languages`` follow; ``frontend/src/plan/plan.ts`` (``EXPRESSION_LANGUAGES``) lets addresses keep it.
   Addresses and hashes of other plans do not change.
4. The page: a mode of the editor by the name that ``editor`` says.
5. Tests: ``tests/compiler/frontends/`` prints the example, compiles it and compares it with the reference; negative
   tests for every diagnostic in ``tests/errors/``; a Plan in ``tests/compiler/plan/fixtures/``.
"""
