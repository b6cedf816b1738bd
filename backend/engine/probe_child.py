"""Child process that asks what its machine offers to runs; its sandbox's first line tells what the system allows."""

from __future__ import annotations

import json

from backend.engine.resources import offered_here

if __name__ == "__main__":
    print(json.dumps({"event": "result", "result": {"resources": offered_here()}}), flush=True)
