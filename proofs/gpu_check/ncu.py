"""What the profiler counts of the rules' kernels."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import time

import scratch
from scratch import HERE, OUT, end_of_step

until = end_of_step(60, 3)
tool = shutil.which("ncu") or next((p for p in ("/usr/local/cuda/bin/ncu",) if os.path.exists(p)), None)
report = {"tool": tool, "runs": {}}


def save():
    scratch.save("ncu", report)


save()
if tool is None:
    (OUT / "ncu.txt").write_text("ncu is not here\n")
    print("ncu is not here")
    sys.exit(2)
METRICS = ",".join(
    (
        "gpu__time_duration.sum",
        "dram__bytes.sum",
        "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "lts__t_sector_hit_rate.pct",
        "sm__warps_active.avg.pct_of_peak_sustained_active",
        "smsp__thread_inst_executed_per_inst_executed.ratio",
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
        "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "launch__registers_per_thread",
    )
)
with (OUT / "ncu.txt").open("w") as file:
    for kind in ("spmv", "spmm32", "sddmm", "mttkrp-coo", "spmm128"):
        name = "uniform"
        if time.time() > until - 8:
            report["runs"][kind] = "no time left"
            continue
        try:
            run = subprocess.run(
                [
                    tool,
                    "--clock-control",
                    "none",
                    "-k",
                    "regex:^kernel_",
                    "--launch-count",
                    "4",
                    "--metrics",
                    METRICS,
                    "--csv",
                    sys.executable,
                    HERE / "ncu_target.py",
                    kind,
                    name,
                ],
                capture_output=True,
                text=True,
                timeout=max(5, until - time.time()),
            )
            file.write(f"===== {kind} {name}: exit {run.returncode}\n{run.stdout[-6000:]}\n{run.stderr[-1500:]}\n")
            file.flush()
            lines = run.stdout[run.stdout.find('"ID"') :] if '"ID"' in run.stdout else ""
            rows = [
                {k: r.get(k) for k in ("Kernel Name", "Metric Name", "Metric Unit", "Metric Value")}
                for r in csv.DictReader(io.StringIO(lines))
            ]
            report["runs"][kind] = {
                "exit": run.returncode,
                "rows": rows[-24:],
                "stderr": run.stderr[-300:] if run.returncode else "",
            }
        except BaseException as error:
            report["runs"][kind] = f"{type(error).__name__}: {str(error)[:300]}"
        save()
        print("  ", kind, json.dumps(report["runs"][kind])[:700], flush=True)
save()
sys.exit(0 if any(isinstance(r, dict) and r["rows"] for r in report["runs"].values()) else 1)
