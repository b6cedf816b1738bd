"""What threads of a GPU combine where they meet, in the checked interpreter: sums of a group, sums of its runs."""

from __future__ import annotations

from functools import reduce
from typing import Any

from heddle.loop_ir.dtypes import reduction_identity
from heddle.loop_ir.interpreter import arithmetic
from heddle.loop_ir.interpreter.evaluate import Scalar
from heddle.loop_ir.interpreter.execute import Executor
from heddle.loop_ir.interpreter.execute_block import Exchange
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.nodes import BOOL, Combine, CombineRuns


class CombiningExecutor(Executor):
    """Compiles what a meeting does to the scalars of its threads: an :class:`Exchange`."""

    def combine(self, combine: Combine, site: Site) -> Exchange:
        scalar = self._scalar(combine.name)
        operation = self.operation(combine.operator, scalar.dtype, site)

        def exchange(threads: list[list[Any]], first: int) -> None:
            total = reduce(operation, (thread[scalar.slot - first] for thread in threads))
            for thread in threads:
                thread[scalar.slot - first] = total

        return exchange

    def combine_runs(self, combine: CombineRuns, site: Site) -> Exchange:
        scalar, key = self._scalar(combine.name), self._scalar(combine.key)
        head = self.new_scalar(combine.head, BOOL, site, mutable=False)
        operation = self.operation(combine.operator, scalar.dtype, site)
        neutral = arithmetic.convert(reduction_identity(combine.operator, scalar.dtype), scalar.dtype)

        def exchange(threads: list[list[Any]], first: int) -> None:
            value, run = scalar.slot - first, threads[0]
            keys = [thread[key.slot - first] for thread in threads]
            for number, thread in enumerate(threads):
                starts = thread[head.slot - first] = number == 0 or keys[number] != keys[number - 1]
                if starts:
                    run = thread
                else:
                    run[value] = operation(run[value], thread[value])
                    thread[value] = neutral

        return exchange

    def _scalar(self, name: str) -> Scalar:
        symbol = self._symbols[name]
        assert isinstance(symbol, Scalar)
        return symbol
