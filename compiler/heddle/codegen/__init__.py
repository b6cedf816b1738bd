"""Text for a machine from loops: C, CUDA and OpenCL.

Add a function that kernels call, or C of the runtime:

1. For kernels: a section between ``// @begin name`` and ``// @end`` in a file under
   ``compiler/heddle/codegen/**/functions/``, with macros in capitals for what differs; a method of the ``Support``
   asks for it. For the runtime: a file under ``compiler/heddle/runtime/native/c/``, called through
   ``native_helpers.moving``. No C in Python strings.
2. Tests: ``tests/compiler/codegen/test_functions.py`` compiles every file alone;
   ``tests/compiler/runtime/sanitized_helpers.py`` runs the runtime's under the sanitizers, on several threads.

Add a target:

1. ``compiler/heddle/targets.py``: its record, its name in ``TargetName`` and, where its kernels are texts, in
   ``CodeLanguageName``. Parser, API, exports, limits and rules follow. What it alone can do, or cannot, is a
   ``Feature`` that others ask for, never its name.
2. ``compiler/heddle/codegen/<language>/``: loop IR to ``SourceText``; ``codegen/printer.py`` and ``expressions.py``
   are shared, for the threads of a GPU ``codegen/device/printer.py`` too. One row of ``PRINTERS`` in
   ``codegen/languages.py``.
3. ``compiler/heddle/runtime/``: how its kernels are compiled and called; one row of ``EXECUTORS`` in
   ``runtime/kernels/executors.py``. What a machine must have for it is a ``Resource``;
   ``backend/heddle_server/engine/probes.py`` (``probe_machine``) finds out.
4. ``python -m heddle_server.openapi`` and ``npm --prefix frontend run generate``. The page: a row of ``TARGETS`` and
   one of ``CODE_LANGUAGES`` in ``frontend/src/plan/targets.ts``. ``GET /targets`` publishes the records.
5. Tests: ``tests/compiler/test_targets.py`` says what does not agree yet; the differential tests run every target
   that the machine has.
"""
