"""``hd.legal``: what may come next in the schedule of a program, its graph or its kernel."""

from __future__ import annotations

from typing import Any

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.legal_commands import legal_commands
from heddle.result import CompileResult
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.kernels.pickling import Travelling
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.schedule.legal import LegalCommands


def legal(result_or_graph: CompileResult | IterationGraph | Kernel[Any] | PatternKernel) -> LegalCommands:
    """Every schedule command with what may come next, and with the reason why something may not.

    Parameters
    ----------
    result_or_graph
        what :func:`lower` gives, or its ``graph``. What may come next comes behind the commands that it has. A result
        knows its target; for a graph alone commands for every target are listed. A kernel stands for its ``result``,
        which has the commands that were chosen where a schedule is.

    Returns
    -------
    LegalCommands
        A tuple: for each command its name and its ``candidates``. A candidate has a ``text`` to add to the schedule,
        the loops that it names as ``variables``, and ``why_not``: None where the longer schedule compiles, else the
        diagnostic with which the compile refuses it; ``instead`` is then the closest one that compiles. ``remark`` is
        the warning of a command that compiles and changes nothing. There is none for a program that is refused before
        there are loops.

    Raises
    ------
    OperandError
        ``runtime/argument`` for anything else.
    """
    program = result_or_graph.result if isinstance(result_or_graph, Travelling) else result_or_graph
    return LegalCommands(legal_commands(program).commands)
