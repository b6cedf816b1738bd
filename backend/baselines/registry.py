"""All baselines by the names that a Plan's ``run.baselines`` uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backend.baselines import cusparse, mkl, scipy
from backend.baselines.contender import Contender, Problem, Unavailable

BASELINES: Mapping[str, Callable[[Problem], Contender | Unavailable]] = {
    "scipy": scipy.prepare,
    "mkl": mkl.prepare,
    "cusparse": cusparse.prepare,
}
"""From a problem to a library that is ready to be timed, or to the reason why it is not. What a library needs to have
done once (conversion, analysis) is done here and timed apart; none of them raises for an expression that it lacks."""
