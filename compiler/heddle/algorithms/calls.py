"""``hd.cp_als``, ``hd.cp_apr`` and ``hd.cp_opt``: a tensor and parameters in, a decomposition out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from heddle.algorithms.decompose import Decomposition, Watch, run_algorithm
from heddle.algorithms.start import factor_arrays, hash_of
from heddle.algorithms.state import State
from heddle.wrong_arguments import require_mapping, wrong_argument


def cp_als(
    X: object,
    rank: int,
    sweeps: int = 50,
    tolerance: float = 1e-4,
    start: str | Sequence[object] = "uniform",
    seed: int = 0,
    *,
    resume: State | Decomposition | None = None,
    watch: Watch | None = None,
    kernels: Mapping[str, object] | None = None,
    **parameters: object,
) -> Decomposition:
    """The canonical polyadic decomposition of a sparse tensor by alternating least squares.

    Parameters
    ----------
    X
        of 2 to 9 modes and any real dtype: a dense NumPy array, whose zeros are not stored, ``(coordinates, values,
        shape)``, a SciPy sparse array, an object with ``coords``, ``data`` and ``shape``, or a :class:`heddle.Tensor`.
    rank
        how many components.
    sweeps
        how many at most.
    tolerance
        the change of the fit below which the run ends.
    start
        ``"uniform"`` or ``"normal"``, drawn with ``seed``, ``"nvecs"``, the leading eigenvectors of each mode, or a
        list of factors, one of the shape (size of the mode, rank) for each mode, which are copied.
    seed
        of the start, a whole number.
    resume
        a decomposition or its state, which goes on from there.
    watch
        called with the record of each sweep; what is true ends the run there.
    kernels
        how roles are computed, as in a document: ``{"mttkrp.0": {"tensors": …, "schedule": …}}``.
    parameters
        of :class:`heddle.algorithms.algorithm.Parameters`: ``update=[0, 2]`` fits some modes, ``order=[2, 0, 1]``
        visits them in this order; ``ridge`` is added to the diagonal of each system; ``memory`` bounds the bytes of
        sorted copies; ``reuse="best"``, or a tree such as ``"((0 1) (2 3))"``, shares products between modes.

    Returns
    -------
    Decomposition
        ``factors``, a float64 array of the shape (size of the mode, rank) for each mode, ``weights`` of the shape
        (rank,), and the ``fit``: 1 where the model equals the data, 0 where it explains nothing.

    Raises
    ------
    CompileError
        with codes ``algorithm/…``, or as :func:`heddle.pack` for a tensor that cannot be read.

    References
    ----------
    Methods and their order in a sweep are those of Phipps and Kolda 2019, see docs/references.bib.

    Examples
    --------
    >>> import heddle as hd
    >>> model = hd.cp_als([[[2.0, 4.0], [1.0, 2.0]]], rank=1)
    >>> [factor.shape for factor in model.factors], round(model.fit, 6)
    ([(1, 1), (2, 1), (2, 1)], 1.0)
    """
    asked = {"rank": rank, "sweeps": sweeps, "tolerance": tolerance, **parameters}
    return _decompose("cp-als", X, asked, start, seed, resume, watch, kernels)


def cp_apr(
    X: object,
    rank: int,
    sweeps: int = 1000,
    tolerance: float = 1e-4,
    start: str | Sequence[object] = "uniform",
    seed: int = 0,
    *,
    inner: int = 10,
    resume: State | Decomposition | None = None,
    watch: Watch | None = None,
    kernels: Mapping[str, object] | None = None,
    **parameters: object,
) -> Decomposition:
    """The decomposition of a tensor of counts by which they are most probable as Poisson variables.

    Factors are not negative, and their columns have the sum 1. ``history[-1].objective`` is the negative logarithm of
    the likelihood, but for a constant of the data. The method is that of Chi and Kolda 2012, multiplicative updates.

    Parameters
    ----------
    X
        as for :func:`cp_als`, without negative values.
    rank, sweeps, seed, resume, watch, kernels, parameters
        as for :func:`cp_als`.
    tolerance
        how far the conditions of an optimum may be from holding: ``history[-1].violation``.
    start
        as for :func:`cp_als`, without negative numbers.
    inner
        how often a mode is updated in a sweep at most.

    Returns
    -------
    Decomposition
        As of :func:`cp_als`.

    Raises
    ------
    CompileError
        as :func:`cp_als`; ``algorithm/negative-counts``.
    """
    asked = {"rank": rank, "sweeps": sweeps, "tolerance": tolerance, "inner": inner, **parameters}
    return _decompose("cp-apr", X, asked, start, seed, resume, watch, kernels)


def cp_opt(
    X: object,
    rank: int,
    sweeps: int = 1000,
    tolerance: float = 1e-8,
    start: str | Sequence[object] = "uniform",
    seed: int = 0,
    *,
    resume: State | Decomposition | None = None,
    watch: Watch | None = None,
    kernels: Mapping[str, object] | None = None,
    **parameters: object,
) -> Decomposition:
    """The decomposition of :func:`cp_als`, by steps of all factors at once (Acar, Dunlavy and Kolda 2011).

    ``history[-1].objective`` is half the squared distance, ``violation`` the largest entry of its gradient; a sweep is
    a step of the limited-memory BFGS method.

    Parameters
    ----------
    X, rank, sweeps, tolerance, start, seed, resume, watch, kernels, parameters
        as for :func:`cp_als`.

    Returns
    -------
    Decomposition
        As of :func:`cp_als`.

    Raises
    ------
    CompileError
        as :func:`cp_als`.
    """
    asked = {"rank": rank, "sweeps": sweeps, "tolerance": tolerance, **parameters}
    return _decompose("cp-opt", X, asked, start, seed, resume, watch, kernels)


def _decompose(
    algorithm: str,
    X: object,
    parameters: Mapping[str, object],
    start: str | Sequence[object],
    seed: int,
    resume: State | Decomposition | None,
    watch: Watch | None,
    kernels: Mapping[str, object] | None,
) -> Decomposition:
    if not isinstance(start, Sequence | np.ndarray) or (isinstance(start, np.ndarray) and start.ndim == 0):
        raise wrong_argument("start", "a text, or an array of numbers for each mode", start)
    arrays = None if isinstance(start, str) else factor_arrays(start)
    named: object = (
        {"kind": start, "seed": _plain(seed)} if arrays is None else {"kind": "given", "hash": hash_of(arrays)}
    )
    asked = {"start": named, **parameters}
    document = {
        "version": 1,
        "algorithm": algorithm,
        "parameters": {name: _plain(value) for name, value in asked.items() if value is not None},
        "kernels": require_mapping(kernels, "kernels"),
    }
    return run_algorithm(document, X, arrays, resume, watch)


def _plain(value: object) -> object:
    """Numbers and arrays of NumPy as Python has them, as documents do."""
    match value:
        case np.generic() | np.ndarray():
            return value.tolist()
        case tuple() | list():  # of numbers: documents have nothing deeper
            return [element if isinstance(element, tuple | list) else _plain(element) for element in value]
        case _:
            return value
