"""What the machine has, and whether Heddle finds it."""

import importlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time

from scratch import save

report = {
    "python": sys.version,
    "machine": platform.platform(),
    "cores": os.cpu_count(),
    "modules": {},
    "tools": {},
    "errors": [],
}


def attempt(name, work):
    began = time.perf_counter()
    try:
        report[name] = work()
    except BaseException as error:
        report["errors"].append(f"{name}: {type(error).__name__}: {str(error)[:400]}")
    report.setdefault("seconds", {})[name] = round(time.perf_counter() - began, 2)
    save("facts", report)


for name in ["numpy", "scipy", "cupy", "lark", "pytest", "pytest_timeout", "xdist", "hypothesis", "numba", "psutil"]:
    try:
        report["modules"][name] = str(getattr(importlib.import_module(name), "__version__", "there"))
    except BaseException as error:
        report["modules"][name] = f"MISSING {type(error).__name__}: {str(error)[:200]}"
for name in ["nvidia-smi", "nvcc", "compute-sanitizer", "ncu", "cuobjdump", "cc", "gcc", "g++"]:
    report["tools"][name] = shutil.which(name)
attempt(
    "nvidia_smi",
    lambda: subprocess.run(
        [
            "nvidia-smi",
            "--query-gpu=name,driver_version,memory.total,memory.used,clocks.sm,clocks.mem,temperature.gpu,power.draw,ecc.mode.current",
            "--format=csv",
        ],
        capture_output=True,
        text=True,
        timeout=20,
    ).stdout.splitlines(),
)
attempt(
    "nvcc",
    lambda: subprocess.run(["nvcc", "--version"], capture_output=True, text=True, timeout=20).stdout.splitlines()[-2:],
)
attempt("heddle_missing", lambda: __import__("heddle.runtime.devices.cuda", fromlist=["x"]).missing())
attempt("cusparse_missing", lambda: __import__("heddle.measuring.baselines.cusparse_library", fromlist=["x"]).missing())
attempt("device", lambda: __import__("benchmarks.device.device_facts", fromlist=["x"]).device_facts("cuda"))


def properties():
    import cupy

    p = cupy.cuda.runtime.getDeviceProperties(0)
    return {
        k: (v.decode(errors="replace") if isinstance(v, bytes) else v)
        for k, v in p.items()
        if isinstance(v, (int, float, bytes)) and k not in ("uuid", "luid")
    }


attempt("properties", properties)


def nvrtc():
    from heddle.runtime.devices import nvrtc as heddle

    text = 'extern "C" __global__ void k(float* y) { y[threadIdx.x] = 1; }'
    try:
        return {"version": heddle.version(), "sm_90": len(heddle.compile_text(text, "sm_90").cubin)}
    except Exception as error:
        return {"candidates": heddle._candidates()[:4], "error": f"{type(error).__name__}: {str(error)[:300]}"}


attempt("heddle_nvrtc", nvrtc)


def kernels():
    """As Heddle compiles and loads them: what the machine code needs, and whether subnormal numbers are kept."""
    import cupy

    from heddle.runtime.devices import cubins, occupancy

    began = time.perf_counter()
    text = (
        'extern "C" __global__ void half(float* y, const float* x) { y[threadIdx.x] = x[threadIdx.x] * 0.5f; }\n'
        'extern "C" __global__ void turn(double* y) { __shared__ double t[32]; t[threadIdx.x] = y[threadIdx.x]; '
        "__syncthreads(); y[threadIdx.x] = t[31 - threadIdx.x]; }"
    )
    code = cubins.machine_code(text, f"sm_{cupy.cuda.Device().compute_capability}")
    module = cupy.cuda.function.Module()
    module.load(code)
    x = cupy.full(32, 2e-45 * 100, "float32")
    y = cupy.zeros(32, "float32")
    module.get_function("half")((1,), (32,), (y, x))
    needs = {one.name: one for one in occupancy.figures(code)}
    return {
        "registers": needs["half"].registers,
        "shared_bytes_of_256": needs["turn"].shared_bytes,
        "subnormal_in": float(x[0]),
        "subnormal_half": float(y[0]),
        "flushed_to_zero": bool(float(y[0]) == 0),
        "first_ms": (time.perf_counter() - began) * 1e3,
    }


attempt("kernels", kernels)


def bandwidth():
    import cupy

    from benchmarks.device import device_clock
    from benchmarks.device.gpu_measuring import Gpu, bandwidth

    return {"copy_gbps": [round(bandwidth(Gpu(cupy, device_clock.busy("cuda"), 10)), 1) for _ in range(2)]}


attempt("bandwidth", bandwidth)
print(json.dumps(report, indent=1)[:6000])
sys.exit(1 if report.get("heddle_missing", "x") is not None else 0)
