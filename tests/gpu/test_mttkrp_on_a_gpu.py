"""On a machine with an NVIDIA GPU: GenTen's forms of MTTKRP, for every order and with its own tiles."""

from __future__ import annotations

import pytest

from heddle.runtime.devices import cuda
from heddle.tuning.rules.gpu.mttkrp import Form, mttkrp
from tests.differential.check import check

pytestmark = pytest.mark.skipif(cuda.missing() is not None, reason=f"no GPU for CUDA here: {cuda.missing()}")
SIZES = {
    3: {"i": 31, "k": 17, "l": 29},
    4: {"i": 7, "k": 5, "l": 6, "m": 8},
    5: {"i": 5, "k": 3, "l": 4, "m": 5, "n": 3},
}


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("order", SIZES)
@pytest.mark.parametrize("rank", [1, 7, 33, 100])
def test_the_result_is_right(order: int, form: Form, rank: int) -> None:
    for mode in range(order):
        made = mttkrp(order, form, rank, mode)
        sizes = SIZES[order] | {"j": rank}
        check(made.expression, made.formats, "\n".join(made.schedule), targets=("cuda",), sizes=sizes)
