"""All baselines by the names that a Plan's ``run.baselines`` uses, in the order in which they are offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from heddle.measuring.contender import Contender, Problem, Unavailable
from heddle.targets import Resource

if TYPE_CHECKING:
    from heddle.measuring.schema import Identity

Prepare = Callable[[Problem], Contender | Unavailable]


@dataclass(frozen=True, slots=True)
class Baseline:
    """A library that kernels are timed beside. ``computes`` says in words which expressions it can; ``prepare`` gives a
    call with its operands converted, or the reason why there is none for this expression or on this machine. It runs on
    machines with the ``resource``, where Python finds the ``modules``."""

    name: Identity
    title: str
    computes: str
    prepare: Prepare
    resource: Resource = Resource.CPU
    modules: tuple[str, ...] = ()

    @property
    def missing(self) -> str | None:
        """Why it cannot take part on this machine, as two words; None where it can, as far as is seen without a run."""
        return "not installed" if any(find_spec(module) is None for module in self.modules) else None


def _prepared_by(module: str) -> Prepare:
    """``prepare`` of a module of this package, which is imported with its libraries when a run asks for it: the service
    only lists what there is."""

    def prepare(problem: Problem) -> Contender | Unavailable:
        prepared: Contender | Unavailable = import_module(f"heddle.measuring.baselines.{module}").prepare(problem)
        return prepared

    return prepare


BASELINES: Mapping[str, Baseline] = {
    baseline.name: baseline
    for baseline in (
        Baseline(
            "scipy",
            "SciPy",
            "Products, sums, scalings and reductions of matrices and vectors, sampled products, and convolutions",
            _prepared_by("scipy"),
        ),
        Baseline(
            "mkl",
            "MKL",
            "A sparse matrix times a vector, a dense or a sparse matrix, and sums of sparse matrices",
            _prepared_by("mkl"),
        ),
        Baseline(
            "numpy",
            "NumPy",
            "Dense programs: einsum, operations by element, reductions, convolutions; takes part in them by itself "
            "where the choice is left as it is",
            _prepared_by("numpy"),
        ),
        Baseline(
            "cusparse",
            "cuSPARSE",
            "A sparse matrix times a vector or a dense matrix, on an NVIDIA GPU",
            _prepared_by("cusparse"),
            Resource.GPU,
        ),
        Baseline(
            "torch",
            "PyTorch",
            "Dense programs, and a sparse matrix times a dense operand, where PyTorch is installed beside Heddle",
            _prepared_by("torch"),
            modules=("torch",),
        ),
        Baseline(
            "pyg",
            "PyG",
            "A relational graph layer, where PyTorch and PyG are installed beside Heddle",
            _prepared_by("pyg"),
            modules=("torch", "torch_geometric"),
        ),
    )
}
"""From a problem to a library that is ready to be timed, or to the reason why it is not. What a library needs to have
done once (conversion, analysis) is done here and timed apart; none of them raises for an expression that it lacks."""
