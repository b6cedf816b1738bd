"""Readers and writers of data files, one kind in each file.

Add a kind of data file:

1. ``compiler/heddle/runtime/data_files/<kind>.py``: a reader over ``data_file.py`` that takes memory only for the
   entries. One line in ``readers.py``.
2. ``backend/heddle_server/services/data/uploads.py`` (``KINDS``). Tests: each refusal with its line;
   ``benchmarks/reading.py``.
"""
