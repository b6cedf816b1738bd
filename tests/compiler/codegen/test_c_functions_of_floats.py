"""The kernel's own functions of floats, beside those of more digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import heddle as hd

UNITS = 1.1
"""In the last place: what the text promises."""


def exponentials(values: np.ndarray, schedule: str = "") -> np.ndarray:
    kernel = hd.compile("y(i) = exp(x(i))", schedule=schedule, dtypes={"x": str(values.dtype)})
    assert f"exp_{values.dtype}(x_vals[" in kernel.source
    return np.asarray(kernel(x=values).to_numpy())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("schedule", ["", "parallelize(i, CPUVector, NoRaces)"])
def test_an_exponential_is_within_its_units_and_keeps_what_is_no_number(dtype: str, schedule: str) -> None:
    finfo = np.finfo(dtype)
    smallest, largest = np.log(float(finfo.tiny)), np.log(float(finfo.max))
    values = np.random.default_rng(7).uniform(smallest, largest, 1500)
    values = np.r_[values, np.linspace(-2, 2, 501), 0.0, -0.0].astype(dtype)
    found = exponentials(values, schedule)
    assert found.dtype == dtype
    with mpmath.workdps(40):
        for value, own in zip(values, found, strict=True):
            right = mpmath.exp(mpmath.mpf(float(value)))
            unit = max(np.spacing(np.array(float(right), dtype)), np.spacing(finfo.tiny))
            assert abs(mpmath.mpf(float(own)) - right) <= UNITS * float(unit), value
    assert (found[-2:] == 1).all()
    special = np.array([np.nan, np.inf, -np.inf, 2 * largest, 1e30, -1e30, 1.2 * smallest], dtype)
    np.testing.assert_array_equal(exponentials(special, schedule), [np.nan, np.inf, 0, np.inf, np.inf, 0, 0])
    shrinking = np.linspace(1.18 * smallest, smallest, 50).astype(
        dtype
    )  # of whose exponentials none has all its digits
    np.testing.assert_allclose(
        exponentials(shrinking, schedule),
        np.exp(shrinking.astype("longdouble")).astype(dtype),
        rtol=0,
        atol=UNITS * float(finfo.smallest_subnormal),
    )
