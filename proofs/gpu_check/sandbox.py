"""A kernel inside the sandbox in which the service runs plans: does it leave the driver what it needs?"""

import json
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from scratch import save

d = tempfile.mkdtemp()
Path(d, "job.json").write_text("{}")
limits = {
    "seconds": 60,
    "memory_bytes": 8 << 30,
    "output_bytes": 1 << 30,
    "processor_seconds": 3841,
    "file_bytes": 1 << 30,
    "open_files": 1024,
    "threads": 8192,
    "processes": 64,
    "scratch_bytes": 512 << 20,
    "cache_bytes": 256 << 20,
    "bound_addresses": False,
}
report = {}
for title, bound in (("as for cuda", False), ("with addresses bounded", True)):
    order = {
        "module": "gpu_check_child",
        "limits": {**limits, "bound_addresses": bound, "graphics": True},
        "directory": d,
        "places": {"cache": tempfile.mkdtemp(), "writable": [], "hidden": [], "readable": []},
    }
    # By which a worker learns of the child's changes of the cache; nobody asks for them here.
    changes, teller = socket.socketpair(type=socket.SOCK_DGRAM)
    try:
        run = subprocess.run(
            [sys.executable, "-P", "-m", "heddle_server.engine.children.sandbox"],
            input=json.dumps({**order, "teller": teller.fileno()}) + "\n",
            pass_fds=(teller.fileno(),),
            capture_output=True,
            text=True,
            timeout=20,
        )
        events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        report[title] = {"exit": run.returncode, "events": events, "stderr": run.stderr[-800:]}
    except BaseException as error:
        report[title] = {"error": f"{type(error).__name__}: {str(error)[:300]}"}
    finally:
        changes.close()
        teller.close()
    save("sandbox", report)
result = [e["result"] for e in report["as for cuda"].get("events", []) if e.get("event") == "result"]
print(result or report["as for cuda"])
sys.exit(0 if result and result[0].get("right") else 1)
