"""A Python script that compiles, runs and verifies a plan with Heddle's packages alone."""

from __future__ import annotations

import json
import pprint

from heddle.plan import Plan, plan_hash, to_document
from heddle_server.version import VERSION

SCRIPT = '''"""Reproduces plan {key} (Heddle {version}).

Run it with the Python that has Heddle: .venv/bin/python of a checkout, or any after
pip install "heddle-sparse[server]".
"""

import json
import subprocess
import sys
from importlib.util import find_spec

import heddle as hd

PLAN = {plan}

if __name__ == "__main__":
    kernel = hd.compile(PLAN)
    print(kernel.source, flush=True)
    if find_spec("heddle_server") is None:
        sys.exit('To run and verify it: pip install "heddle-sparse[server]"')
    # Makes the inputs, verifies the result against a reference, and times it beside the baselines.
    command = [sys.executable, "-m", "heddle_server.cli", "run", "-"]
    sys.exit(subprocess.run(command, input=json.dumps(PLAN), text=True, check=False).returncode)
'''


def reproducer(plan: Plan) -> str:
    document = json.loads(json.dumps(to_document(plan)))
    return SCRIPT.format(
        key=plan_hash(plan), version=VERSION, plan=pprint.pformat(document, sort_dicts=False, width=100)
    )
