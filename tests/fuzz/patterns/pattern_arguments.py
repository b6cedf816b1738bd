"""Arguments of drawn programs in patterns, some of which break what the types claim."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.fuzz.patterns.pattern_types import PARAMETERS


def draw_arguments(seed: int, used: set[str]) -> tuple[dict[str, Any], dict[str, int]]:
    """Arguments by name for the parameters in ``used``, and the sizes that they have."""
    random_numbers = np.random.default_rng(seed)
    n, m, k = (int(random_numbers.choice((0, 1, 2, 3, 5))) for _ in range(3))
    m = max(m, 1) if random_numbers.random() < 0.8 else m
    k = max(k, 1) if random_numbers.random() < 0.8 else k
    lengths = random_numbers.integers(0, 4, n) * random_numbers.integers(0, 2, n) if m else np.zeros(n, int)
    lens = random_numbers.integers(0, 3, n)
    offset = np.concatenate(([0], np.cumsum(lengths))) + 0

    def whole(*shape: int) -> Any:
        return random_numbers.integers(-3, 4, shape).astype(np.float64)

    total = int(offset[-1])
    columns = random_numbers.integers(0, max(m, 1), total).astype(np.int32)
    made: dict[str, Any] = {
        "offset": offset.astype(np.int32),
        "lens": lens.astype(np.int32),
        "a": whole(total),
        "b": whole(total),
        "cols": columns,
        "packed": (columns, whole(total)),
        "l": whole(int(lens.sum())),
        "tri": whole(n * (n + 1) // 2),
        "band": whole(sum(min(2, n - i) for i in range(n))),
        "nested": whole(sum(i + j for i in range(n) for j in range(i + 1))),
        "blocks": whole(total, k),
        "D": whole(n, m),
        "xs": whole(m),
        "ys": whole(n),
        "ints": random_numbers.integers(-3, 4, n).astype(np.int32),
        "pick": random_numbers.integers(0, max(m, 1), k).astype(np.int32) if m else np.zeros(k, np.int32),
        "order": random_numbers.permutation(n).astype(np.int32),
        "q": int(random_numbers.choice((0, 1, 1, 2, -1))),
    }
    chosen = {name: made[name] for name in PARAMETERS if name in used}
    if seed % 8 == 7:
        _broken(random_numbers, chosen)
    return chosen, {"n": n, "m": m, "k": k}


def _broken(random_numbers: np.random.Generator, arguments: dict[str, Any]) -> None:
    """One element of an array of integers is another one."""
    names = [name for name in ("offset", "lens", "cols", "pick", "order") if name in arguments and arguments[name].size]
    if names:
        array = arguments[names[int(random_numbers.integers(len(names)))]]
        array[int(random_numbers.integers(array.size))] += int(random_numbers.choice((-9, -1, 1, 9)))
