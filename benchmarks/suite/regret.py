"""The suite `regret`: how much longer the schedule that the rules choose takes than the best of a stated set.

The set: what every rule proposes that fits, and the choice with one decision changed (``schedule_variants.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.suite.case import Case
from benchmarks.suite.summary import PLACE, place_of

CHOSEN = "heddle"


def measure_regret(case: Case) -> dict[str, Any]:
    """Medians of every schedule in the set that compiles, all timed in turns; each result is verified first."""
    import heddle as hd
    from benchmarks.suite import kernels
    from benchmarks.suite.given import given
    from benchmarks.suite.timing import timed
    from heddle.measuring.rounds import Protocol, measure

    known = given(case)
    choice = known.automatic.bind(**known.packed)
    suggestion = known.automatic.suggestion
    calls, schedules, left_out = {CHOSEN: choice}, {CHOSEN: suggestion.schedule}, {}
    for name, schedule in _candidates(known):
        if schedule in schedules.values():
            continue
        result = hd.lower(replace(suggestion.result.plan, schedule=schedule))
        if not result.ok:
            left_out[name] = result.diagnostics[0].message
            continue
        calls[name], schedules[name] = hd.Kernel(result).bind(**known.packed), schedule
    for name, call in calls.items():
        call.run()
        error = kernels.error_of(call.output, known.reference)
        if error > kernels.tolerance(case.dtype):
            raise AssertionError(f"the result of {schedules[name]} is wrong by {error:.3g}")
    protocol = Protocol(min_seconds=case.seconds / 10, cap_seconds=case.seconds, warm_up_seconds=case.seconds / 40)
    timings = measure([call.run for call in calls.values()], protocol, lambda share: None)
    contenders = {}
    for place, name in enumerate(calls):
        one = timed(timings.samples, place)
        contenders[name] = {**one, "schedule": list(schedules[name])}
    best, regret = fastest(contenders)
    return {
        "nonzeros": int(known.packed[known.kernel.sparse].stored),
        "rounds": timings.rounds,
        "complete": timings.complete,
        "rule": suggestion.rule,
        "contenders": contenders,
        "left_out": left_out,
        "best": best,
        "regret": regret,
    }


def fastest(contenders: Mapping[str, Mapping[str, Any]]) -> tuple[str, float]:
    """The fastest schedule and the regret: the time of the choice over its time, in the same rounds. The choice itself
    and 1 where none is faster."""
    ratios = {name: one["ratio"]["value"] for name, one in contenders.items() if one["ratio"]}
    best = min(ratios, key=ratios.__getitem__, default=CHOSEN)
    return (best, 1 / ratios[best]) if best in ratios and ratios[best] < 1 else (CHOSEN, 1.0)


def _candidates(known: Any) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Names and schedules, with repetitions."""
    from benchmarks.suite.schedule_variants import variants
    from heddle.iteration_graph.analysis.prefetchable import is_located
    from heddle.iteration_graph.graph.provenance import operand_accesses
    from heddle.notation.printer import to_text
    from heddle.tuning.facts.statistics import statistics_of
    from heddle.tuning.search.suggest import proposals

    automatic, packed = known.automatic, known.packed
    plan = automatic.suggestion.result.plan
    statistics = {name: statistics_of(one) for name, one in packed.items() if not one.format.is_dense}
    shapes = {name: one.shape for name, one in packed.items()}
    for one in proposals(plan, statistics, automatic.machine, shapes):
        yield one.rule, one.schedule
    tensor = automatic.signature.tensors[known.kernel.sparse]
    stored = [tensor.indices[dimension] for dimension in tensor.format.order]
    summed = stored[-1] if stored[-1] not in automatic.signature.result.indices else None
    graph = automatic.suggestion.result.graphs[-1]
    operands = operand_accesses(graph, graph.statement)
    located = tuple(dict.fromkeys(to_text(access) for access in operands if is_located(graph, access)))
    yield from variants(automatic.suggestion.schedule, tensor.name, stored[0], summed, located)


def table(results: Iterable[Mapping[str, Any]]) -> str:
    """Fixed columns: geometric means of the regret by kernel and over all, then the regret of each case."""
    rows, regrets = [], {}
    for result in results:
        kernel, place = result["case"]["kernel"], place_of(result)
        if "failure" in result:
            rows.append(f"{place}  FAILED: {result['failure']}")
            continue
        if "regret" not in result:
            rows.append(f"{place}  left out: {result['left_out'][CHOSEN]}")
            continue
        regrets.setdefault(kernel, []).append(result["regret"])
        regrets.setdefault("all", []).append(result["regret"])
        contenders, best = result["contenders"], result["best"]
        faster = (
            "" if best == CHOSEN else f"  faster: {best}: {'; '.join(contenders[best]['schedule']) or 'no schedule'}"
        )
        time = contenders[CHOSEN]["median_ns"] / 1e3
        flag = "" if result["complete"] else "  [too few rounds]"
        rows.append(
            f"{place} {time:10.1f} {result['regret']:6.2f} {len(contenders):3d}  {result['rule']:16s}{faster}{flag}"
        )
    means = [
        f"{name:14s} {len(found):5d} {np.exp(np.mean(np.log(found))):9.2f} {max(found):6.2f}"
        for name, found in sorted(regrets.items(), key=lambda pair: pair[0] == "all")
    ]
    return "\n".join(
        [
            f"{'kernel':14s} {'cases':>5s} {'geo. mean':>9s} {'worst':>6s}  time of the choice / of the fastest",
            *means,
            "",
            f"{PLACE} {'µs':>10s} {'regret':>6s} {'of':>3s}  rule",
            *rows,
        ]
    )
