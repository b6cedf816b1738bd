"""The tensor that the document of an algorithm names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heddle.algorithms.algorithm import Algorithm
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.runtime.data_files.data_file import VERIFIED
from heddle.runtime.data_files.readers import read_data


def tensor_of(algorithm: Algorithm, paths: Mapping[str, str]) -> object:
    """What the document says that X is. ``paths`` are the files of data sets by id.

    Raises
    ------
    CompileError
        ``algorithm/no-tensor``, ``algorithm/no-shape``, ``input/…``.
    """
    source = algorithm.inputs.get("X")
    if source is None:
        raise CompileError(
            Diagnostic(
                "algorithm/no-tensor",
                "the algorithm has no input X: from the shell it needs a data set, an upload or a generator",
                Location(Part.PLAN, path="/inputs/X"),
                expected='for example {"dataset": "med"}',
                actual="nothing",
            )
        )
    if "generator" not in source:
        return read_data(Path(paths[str(source.get("dataset", source.get("upload")))]), VERIFIED)
    shape = source.get("shape")
    if not isinstance(shape, list) or not shape:
        raise CompileError(
            Diagnostic(
                "algorithm/no-shape",
                f"the generator {source['generator']} needs the shape of X",
                Location(Part.PLAN, path="/inputs/X/shape"),
                expected="a size for each mode",
                actual="nothing",
            )
        )
    return generate("X", source, tuple(int(size) for size in shape), "float64")
