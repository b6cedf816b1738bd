"""What Dask says of a busy machine reaches nobody: it is advice about disks that are not there."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import warnings

import dask.config
import distributed.core
import pytest

from heddle_server.engine.cluster.slow_start import SLOW_START, ignore_slow_start
from heddle_server.engine.cluster.worker_options import configuration


def test_a_slow_start_is_told_in_these_words() -> None:
    assert f'"{SLOW_START} is taking' in inspect.getsource(distributed.core)


def test_a_server_says_nothing_of_a_slow_start(recwarn: pytest.WarningsRecorder) -> None:
    with warnings.catch_warnings():
        ignore_slow_start()
        warnings.warn(f"{SLOW_START} is taking a surprisingly long time.", stacklevel=1)
    assert not recwarn


def test_a_worker_says_nothing_of_a_slow_start() -> None:
    with dask.config.set(configuration()):
        environment = dict(dask.config.get("distributed.nanny.pre-spawn-environ"))
    # What Dask itself sets there stays.
    assert "OMP_NUM_THREADS" in environment
    told = {name: str(value) for name, value in environment.items()}
    script = f"import warnings; warnings.warn('{SLOW_START} is taking long'); warnings.warn('another')"
    said = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **told}, capture_output=True, text=True, check=True
    ).stderr
    assert SLOW_START not in said.replace(script, "")
    assert "UserWarning: another" in said
