"""All groups at once, each in its own process: what one breaks, the others do not see."""

import json
import os
import subprocess
import sys
import time

from scratch import HERE, SCRATCH, SMALL, end_of_step, save

groups, sizes = ("spmv", "spmm", "sddmm", "mttkrp", "spgemm", "misc"), ("small",) if SMALL else ("small", "medium")
began, running = time.time(), {}
until = end_of_step(75, 5)
wave = int(os.environ.get("WAVE", 2 if SMALL else 13))
todo = [(g, s) for s in sizes for g in groups] + ([] if SMALL else [("huge", "medium")])


def collect():
    rows = []
    for path in sorted(SCRATCH.glob("smoke/[a-z]*.jsonl")):
        rows += [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    count = {}
    for row in rows:
        count[row["status"]] = count.get(row["status"], 0) + 1
    exits = {f"{g} {s}": p.returncode for (g, s), p in running.items()}
    save("smoke", {"count": count, "exits": exits, "seconds": round(time.time() - began, 1), "rows": rows})
    return count, rows


while todo or any(p.poll() is None for p in running.values()):
    while todo and sum(p.poll() is None for p in running.values()) < wave:
        g, s = todo.pop(0)
        with (SCRATCH / "smoke" / f"{g}-{s}.log").open("w") as log:
            running[g, s] = subprocess.Popen([sys.executable, HERE / "smoke.py", g, s], stdout=log, stderr=log)
    if time.time() > until:
        for p in running.values():
            p.kill()
        break
    time.sleep(0.2)
count, rows = collect()
print("smoke:", count)
for row in rows:
    if row["status"] != "right":
        print("  ", row["group"], row["size"], row["case"], row["status"], row.get("wrong") or row.get("error"))
for (g, s), p in running.items():
    tail = (SCRATCH / "smoke" / f"{g}-{s}.log").read_text()[-600:]
    if p.returncode and tail.strip():
        print(f"   {g} {s}: exit {p.returncode}: {tail}")
sys.exit(0 if set(count) <= {"right", "refused"} and count.get("right") else 1)
