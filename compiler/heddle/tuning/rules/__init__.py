"""One rule per file; ``table.py`` says in which order they are asked.

Add a rule that chooses schedules:

1. ``compiler/heddle/tuning/rules/<what>.py`` (``rules/gpu/<what>.py`` for CUDA and OpenCL): a function from a
   ``Program`` (expression, formats, statistics of the operands, machine) to commands with a reason for each choice,
   or None. Rules look at structure, never at names. Threads are shared out by ``tuning/rules/threads.py``.
2. ``compiler/heddle/tuning/rules/table.py``: one line among those for the CPU or for GPUs; the first rule whose
   schedule compiles is taken.
3. ``compiler/heddle/tuning/facts/measured.py``: for which classes of machines it was measured
   (``HEDDLE_MARCH=x86-64-v3`` compiles and chooses as on one of them); on the others the suggestion says that it was
   not.
4. Tests state their ``Machine``: a case in ``tests/compiler/tuning/rules/test_rules.py`` or ``test_gpu_rules.py``,
   its shape in the C text in ``test_shapes.py``.
5. ``./heddle bench regret`` times what the rules choose and what they do not; a decision with its own parameters gets
   its variants in ``benchmarks/suite/schedule_variants.py``.
"""
