"""compute-sanitizer over the small smoke, several at once."""

import os
import re
import shutil
import subprocess
import sys
import time

import scratch
from scratch import HERE, OUT, SCRATCH, end_of_step

until = end_of_step(90, 4)
tool = shutil.which("compute-sanitizer") or next(
    (p for p in ("/usr/local/cuda/bin/compute-sanitizer",) if os.path.exists(p)), None
)
report = {"tool": tool, "runs": {}}


def save():
    scratch.save("sanitizer", report)


save()
if tool is None:
    print("compute-sanitizer is not here")
    (OUT / "sanitizer.txt").write_text("compute-sanitizer is not here\n")
    sys.exit(2)
todo = [
    (t, g)
    for t in ("memcheck", "racecheck", "synccheck", "initcheck")
    for g in ("spmv", "spmm", "mttkrp", "sddmm", "spgemm", "misc")
]
extra = {"memcheck": [], "racecheck": ["--racecheck-report", "all"], "synccheck": [], "initcheck": []}
running = {}


def finish(key):
    process, began = running.pop(key)
    path = SCRATCH / f"sanitizer-{key[0]}-{key[1]}.txt"
    text = path.read_text(errors="replace") if path.exists() else ""
    console = path.with_suffix(".out").read_text(errors="replace")
    summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: .*", text + console)
    report["runs"][" ".join(key)] = {
        "exit": process.returncode,
        "seconds": round(time.time() - began, 1),
        "summary": summary[-1:],
        "first": (text or console)[:1500] if process.returncode else "",
    }
    save()


while todo or running:
    while todo and len(running) < 6 and time.time() < until - 10:
        key = todo.pop(0)
        path = SCRATCH / f"sanitizer-{key[0]}-{key[1]}.txt"
        environment = {**os.environ, "NO_POOL": "1", "SMOKE_PREFIX": f"S-{key[0]}-"}
        command = [tool, "--tool", key[0], *extra[key[0]], "--error-exitcode", "9", "--print-limit", "10"]
        command += ["--log-file", path, sys.executable, HERE / "smoke.py", key[1], "small"]
        with path.with_suffix(".out").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        running[key] = process, time.time()
    for key in [k for k, (p, _) in running.items() if p.poll() is not None]:
        finish(key)
    if time.time() > until:
        for key, (process, _) in list(running.items()):
            process.kill()
            process.wait()
            finish(key)
            report["runs"][" ".join(key)]["exit"] = "out of time"
        break
    if todo and not running and time.time() >= until - 10:
        break
    time.sleep(0.2)
report["not_run"] = [" ".join(k) for k in todo]
save()
with (OUT / "sanitizer.txt").open("w") as file:
    for key, run in report["runs"].items():
        file.write(f"===== {key}: exit {run['exit']}, {run['seconds']} s, {run['summary']}\n{run['first']}\n")
for key, run in report["runs"].items():
    print(f"   {key}: exit {run['exit']}, {run['seconds']} s, {run['summary']}")
sys.exit(0 if report["runs"] and all(r["exit"] == 0 for r in report["runs"].values()) else 1)
