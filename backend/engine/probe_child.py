"""Child process that does nothing: its sandbox's first line tells what this system allows."""

from __future__ import annotations

import json

if __name__ == "__main__":
    print(json.dumps({"event": "result", "result": {}}), flush=True)
