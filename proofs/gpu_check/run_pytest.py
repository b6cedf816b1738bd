"""pytest over tests/gpu in several processes; a test that fails is run again alone."""

import os
import re
import subprocess
import sys
import time
from importlib.util import find_spec

from scratch import OUT, SCRATCH, end_of_step, save

until = end_of_step(100, 5)
command = [
    sys.executable,
    "-m",
    "pytest",
    "tests/gpu",
    "-q",
    "-p",
    "no:cacheprovider",
    "--tb=short",
    "--junitxml",
    str(SCRATCH / "junit.xml"),
]
command += ["--timeout=40"] if find_spec("pytest_timeout") else []
command += (
    ["-n", str(min(6, os.cpu_count() or 1)), "--maxfail=25"]
    if find_spec("xdist") and (os.cpu_count() or 1) > 2
    else ["--maxfail=10"]
)
report = {"command": " ".join(command)}
with (OUT / "pytest.log").open("w") as log:
    try:
        whole = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        report["exit"] = whole.wait(timeout=max(5, until - time.time()))
    except subprocess.TimeoutExpired:
        report["exit"] = "out of time"
        os.killpg(whole.pid, 9)
    log.flush()
    text = (OUT / "pytest.log").read_text()
    report["last"] = text.strip().splitlines()[-1:]
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.*?)?)(?: - .*)?$", text, re.M)
    report["failed"], report["alone"] = failed[:40], {}
    for name in failed[:6]:
        if time.time() > until - 8 or "::" not in name:
            break
        name = name if name.startswith("tests/") else f"tests/gpu/{name}"
        try:
            again = subprocess.run(
                [sys.executable, "-m", "pytest", name, "-q", "-p", "no:cacheprovider", "--tb=short"],
                capture_output=True,
                text=True,
                timeout=30,
            )
            report["alone"][name] = again.returncode
            log.write(f"\n===== alone: {name}\n{again.stdout[-4000:]}\n")
        except subprocess.TimeoutExpired:
            report["alone"][name] = "out of time"
save("pytest", report)
print("\n".join(text.strip().splitlines()[-12:]))
sys.exit(0 if report["exit"] == 0 and "passed" in " ".join(report["last"]) else 1)
