"""The table of what tests cost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.sampling.costs import CHEAP_SECONDS, as_text, costs, merge, spent

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_measured_takes_the_place_of_what_was() -> None:
    earlier = {"test_a": 1.0, "test_b": 2.0}
    assert merge(earlier, {"test_b": [3.0, 5.0]}) == {"test_a": 1.0, "test_b": 4.0}


def test_what_is_cheap_has_no_row_unless_few_of_its_cases_ran() -> None:
    cheap = CHEAP_SECONDS / 2
    assert merge({}, {"test_a": [cheap], "test_b": [cheap, cheap]}) == {"test_b": cheap}
    assert merge({"test_a": 1.0}, {"test_a": [cheap]}) == {"test_a": cheap}


def test_the_table_is_in_order_and_has_two_digits() -> None:
    assert as_text({"test_b": 0.1234, "test_a": 12.34}) == '{\n "test_a": 12.0,\n "test_b": 0.12\n}\n'


def test_every_row_is_of_a_test_that_is_there() -> None:
    texts = {file: (ROOT / file).read_text("utf-8") for file in {test.partition("::")[0] for test in costs()}}
    names = [(file, function.rpartition("::")[2]) for file, _, function in (test.partition("::") for test in costs())]
    assert [f"{file}::{name}" for file, name in names if f"def {name}(" not in texts[file]] == []


def test_what_others_spend_for_this_process_counts() -> None:
    before = spent()
    work = "import time\nwhile time.process_time() < 0.3: pass"
    subprocess.run([sys.executable, "-c", work], check=True)
    assert spent() - before >= 0.25


MEASURED = """
import time

def test_dear():
    end = time.process_time() + 0.4
    while time.process_time() < end: pass

def test_cheap(): ...
"""
RUN = """
import sys
from pathlib import Path

import pytest

from tests.sampling import costs

costs.FILE = Path("costs.json")
options = ["-p", "tests.sampling.costs", "-p", "no:cacheprovider", "--update-costs", "--rootdir=."]
sys.exit(pytest.main([*options, "."]))
"""


def test_a_run_writes_the_table(tmp_path: Path) -> None:
    (tmp_path / "test_measured.py").write_text(MEASURED)
    (tmp_path / "costs.json").write_text('{"test_other.py::test_a": 1.0}')
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", RUN], cwd=tmp_path, env=environment, capture_output=True, check=True)
    rows = json.loads((tmp_path / "costs.json").read_text("utf-8"))
    assert list(rows) == ["test_measured.py::test_dear", "test_other.py::test_a"]
    assert rows["test_measured.py::test_dear"] >= 0.4
