"""smoke.py GROUP small|medium: kernels for cuda by the rules' schedules against SciPy and NumPy, one JSON line each."""

import json
import os
import re
import sys
import time
import traceback

from scratch import SCRATCH

group, size = sys.argv[1], sys.argv[2]
path = SCRATCH / "smoke" / f"{os.environ.get('SMOKE_PREFIX', '')}{group}-{size}.jsonl"
path.write_text("")


def note(**row):
    with path.open("a") as out:
        out.write(json.dumps({"group": group, "size": size, **row}, default=str) + "\n")


try:
    import numpy as np
    import scipy.sparse as sp

    import heddle as hd
    from heddle.runtime.devices import cuda

    cupy = cuda.gpu()
    if os.environ.get("NO_POOL"):  # so that memcheck sees where each array ends
        cupy.cuda.set_allocator(None)
except BaseException as error:
    note(case="start", status="error", error=f"{type(error).__name__}: {str(error)[:600]}")
    sys.exit(2)
rng = np.random.default_rng(5)
M = size == "medium"


def ints(shape, dtype):
    return rng.integers(0 if dtype.startswith("u") else -4, 5, shape).astype(dtype)


def matrix(rows, columns, count, dtype, skew=False):
    r, c = rng.integers(0, rows, count), rng.integers(0, columns, count)
    r = np.where(r % 5 == 2, (r + 1) % rows, r)  # empty rows
    if skew:
        r[: count // 3] = rows // 2
    key = np.unique(r.astype(np.int64) * columns + c)
    result = sp.csr_array(
        (
            rng.integers(1, 5, key.size).astype(dtype),
            ((key // columns).astype(np.int32), (key % columns).astype(np.int32)),
        ),
        shape=(rows, columns),
    )
    result.sort_indices()
    return result


def wide(a):
    return sp.csr_array((a.data, a.indices.astype(np.int64), a.indptr.astype(np.int64)), shape=a.shape)


SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
SDDMM, MTTKRP = "A(i,k) = B(i,k) * C(i,j) * D(j,k)", "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
R, N, E = (20_000, 15_000, 400_000) if M else (61, 47, 300)


def f64(a):
    return a.astype(np.float64)


def spmv(format, dtype="float64", skew=False, wider=False):
    a, x = matrix(R, N, E, dtype, skew), ints(N, dtype)
    return SPMV, {"A": format}, {"A": wide(a) if wider else a, "x": x}, f64(a) @ f64(x), dtype


def spmm(k, dtype="float64", format="csr", skew=False):
    a, b = matrix(R, N, E, dtype, skew), ints((N, k), dtype)
    return SPMM, {"A": format}, {"A": a, "B": b}, f64(a) @ f64(b), dtype


def sddmm(k, dtype="float64"):
    b, c, d = matrix(R, N, E, dtype), ints((R, k), dtype), ints((k, N), dtype)
    coo = b.tocoo()
    values = coo.data * np.einsum("pj,pj->p", f64(c)[coo.row], f64(d).T[coo.col])
    return (
        SDDMM,
        {"A": "csr", "B": "csr"},
        {"B": b, "C": c, "D": d},
        sp.csr_array((values, (coo.row, coo.col)), shape=b.shape),
        dtype,
    )


def mttkrp(format, rank, dtype="float64", schedule="", skew=False):
    shape = (3000, 2000, 64) if M else (23, 17, 9)
    count = 300_000 if M else 200
    key = np.unique(rng.integers(0, shape[0] * shape[1] * shape[2], count))
    if skew:
        key = np.unique(np.concatenate([key, np.arange(min(count, shape[1] * shape[2]))]))
    i, k, j = np.unravel_index(key, shape)
    v, c, d = rng.integers(1, 5, key.size).astype(dtype), ints((shape[1], rank), dtype), ints((shape[2], rank), dtype)
    rows = sp.csr_array((f64(v), (i, np.arange(key.size))), shape=(shape[0], key.size))
    expected = rows @ (f64(c)[k] * f64(d)[j])
    coordinates = tuple(one.astype(np.int32) for one in (i, k, j))
    return (
        MTTKRP,
        {"B": format},
        {"B": hd.pack((coordinates, v, shape), format), "C": c, "D": d},
        expected,
        dtype,
        schedule,
    )


def genten(form, rank):
    from heddle.tuning.rules.gpu.mttkrp import Form
    from heddle.tuning.rules.gpu.mttkrp import mttkrp as made

    one = made(3, next(f for f in Form if f.name == form or str(f) == form), rank, 0)
    _, _, operands, expected, dtype, _ = mttkrp("coo", rank)
    names = list(dict.fromkeys(re.findall(r"(\w+)\(", one.expression)))
    renamed = dict(zip(names[1:], (operands["B"], operands["C"], operands["D"]), strict=True))
    return one.expression, dict(one.formats), renamed, expected, dtype, "\n".join(one.schedule)


def spgemm(dtype="float64"):
    n, e = (4000, 30_000) if M else (37, 90)
    a, b = matrix(n, n, e, dtype), matrix(n, n, e, dtype)
    return (
        "C(i,j) = A(i,k) * B(k,j)",
        dict.fromkeys("ABC", "csr"),
        {"A": a, "B": b},
        sp.csr_array(f64(a) @ f64(b)),
        dtype,
    )


TABLES = """precompute(A(i,j) + B(i,j), j, jw, w)
parallelize(i, GPUBlock, NoRaces)
parallelize(jw, GPUThread, Atomics)"""


def spadd(dtype="float64"):
    a, b = matrix(R, N, E, dtype), matrix(R, N, E, dtype)
    return (
        "C(i,j) = A(i,j) + B(i,j)",
        dict.fromkeys("ABC", "csr"),
        {"A": a, "B": b},
        sp.csr_array(f64(a) + f64(b)),
        dtype,
    )


def dot(dtype="float64"):
    x, z = ints(R * 7, dtype), ints(R * 7, dtype)
    return "a = x(i) * z(i)", {}, {"x": x, "z": z}, np.asarray(f64(x) @ f64(z)), dtype


def added(dtype="float64"):
    x, z = ints(R * 7, dtype), ints(R * 7, dtype)
    return "y(i) = x(i) + z(i)", {}, {"x": x, "z": z}, f64(x) + f64(z), dtype


def rowmax(dtype="float64"):
    a, x = matrix(R, N, E, dtype), ints(N, dtype)
    coo, best = a.tocoo(), np.full(R, -np.inf)
    np.maximum.at(best, coo.row, f64(coo.data) + f64(x)[coo.col])
    return (
        "y(i) max= A(i,j) + x(j)",
        {"A": "csr"},
        {"A": a, "x": x, "y": np.full(R, -np.inf)},
        np.maximum(best, float(x.max())),
        dtype,
    )  # what is not stored is 0


def empty():
    return SPMV, {"A": "csr"}, {"A": sp.csr_array((R, N)), "x": ints(N, "float64")}, np.zeros(R), "float64"


GROUPS = {
    "spmv": {
        "csr": lambda: spmv("csr"),
        "csr skew": lambda: spmv("csr", skew=True),
        "csr float32": lambda: spmv("csr", "float32"),
        "csr int64": lambda: spmv("csr", "int64"),
        "csr int32": lambda: spmv("csr", "int32", True),
        "csr int8": lambda: spmv("csr", "int8") if not M else spmv("csr", "int32"),
        "csr indices of 64 bits": lambda: spmv("csr", wider=True),
        "coo": lambda: spmv("coo", skew=True),
        "csc": lambda: spmv("csc"),
        "sell(8)": lambda: spmv("sell(8)"),
        "dcsr": lambda: spmv("dcsr"),
        "empty": empty,
    },
    "spmm": {
        "32": lambda: spmm(32),
        "128": lambda: spmm(128, skew=True),
        "7": lambda: spmm(7),
        "1": lambda: spmm(1),
        "100 float32": lambda: spmm(100, "float32"),
        "33 int64": lambda: spmm(33, "int64"),
        "32 coo": lambda: spmm(32, format="coo"),
    },
    "sddmm": {
        "32": lambda: sddmm(32),
        "5": lambda: sddmm(5),
        "100": lambda: sddmm(100),
        "64 float32": lambda: sddmm(64, "float32"),
    },
    "mttkrp": {
        "csf 32": lambda: mttkrp("csf", 32),
        "coo 32": lambda: mttkrp("coo", 32, skew=True),
        "csf 7": lambda: mttkrp("csf", 7),
        "coo 100 float32": lambda: mttkrp("coo", 100, "float32"),
        "GenTen A 32": lambda: genten("A", 32),
        "GenTen B 16": lambda: genten("B", 16),
        "GenTen C 33": lambda: genten("C", 33),
    },
    "spgemm": {
        "csr": spgemm,
        "csr float32": lambda: spgemm("float32"),
        "sum": spadd,
        "sum float32": lambda: spadd("float32"),
        "sum in tables": lambda: (*spadd(), TABLES),
    },
    "misc": {
        "dot": dot,
        "dot float32": lambda: dot("float32"),
        "vectors": added,
        "row maxima": rowmax,
        "vectors int32": lambda: added("int32"),
    },
}
FATAL = (
    "IllegalAddress",
    "LaunchFailure",
    "illegal memory",
    "launch failed",
    "Misaligned",
    "IllegalInstruction",
    "HardwareStackError",
    "AssertTriggered",
    "device-side assert",
)


def agree(result, expected, dtype):
    if sp.issparse(expected):
        given = sp.csr_array(result.to_scipy())
        if given.shape != expected.shape:
            return f"shape {given.shape}"
        off = abs(given.astype(np.float64) - expected)
        worst = float(off.max()) if off.nnz else 0.0
    else:
        given = np.asarray(result.to_numpy(), np.float64)
        if given.shape != np.shape(expected):
            return f"shape {given.shape}"
        same = (given == expected) | (np.isnan(given) & np.isnan(expected))
        worst = (
            0.0
            if same.all()
            else float(np.nanmax(np.abs(np.where(same, 0, given - expected))))
            if np.isfinite(np.where(same, 0, given)).all()
            else float("nan")
        )
        if not same.all():
            place = tuple(int(n) for n in np.argwhere(~same)[0]) if given.ndim else ()
            first = f"first at {place}: {given[place]} for {expected[place]}"
            return f"{int((~same).sum())} of {same.size} elements differ, the largest by {worst}; {first}"
    return "" if worst == 0 else f"differs by {worst}"


if group == "huge":  # more than 2^31 elements: the text with indices of 64 bits, in blocks beyond 65,535
    row = {"case": "vectors past 2^31"}
    try:
        n = (1 << 31) + 4099 if M else 4099
        x, z = (cupy.tile(cupy.arange(k, dtype="int8"), n // k + 1)[:n].copy() for k in (61, 53))
        kernel = hd.compile("y(i) = x(i) + z(i)", {}, "", "cuda", dict.fromkeys("xyz", "int8"))
        call = kernel.bind(x=x, z=z)
        call.output.vals.fill(-1)
        call.run()
        result = call.output.to_cupy()
        off = sum(
            int((result[f : f + (1 << 28)] != x[f : f + (1 << 28)] + z[f : f + (1 << 28)]).sum())
            for f in range(0, n, 1 << 28)
        )
        row["status"] = "wrong" if off else "right"
        row["wrong" if off else "elements"] = f"{off} of {n} differ" if off else n
        row["launches"] = [
            {
                "kernel": launch.kernel,
                "blocks": launch.blocks,
                "threads": launch.threads,
                "bits": launch.index_bits,
                "beyond": launch.beyond,
            }
            for launch in call.device.launched()
        ]
    except BaseException as error:
        row["status"], row["error"] = "error", f"{type(error).__name__}: {str(error)[:500]}"
        row["traceback"] = traceback.format_exc(limit=-4)[-1500:]
    note(**row)
    sys.exit(row["status"] != "right")
code = 0
for case, make in GROUPS[group].items():
    row = {"case": case}
    try:
        began = time.perf_counter()
        made = make()
        expression, formats, operands, expected, dtype, schedule = (*made, "")[:6]
        dtypes = None if dtype == "float64" else dict.fromkeys({*operands, expression.split("(")[0].split()[0]}, dtype)
        t0 = time.perf_counter()
        kernel = hd.compile(expression, formats, schedule, "cuda", dtypes)
        t1 = time.perf_counter()
        there = {
            n: (o if isinstance(o, hd.Tensor) else hd.pack(o, formats[n], dtype))
            if n in formats
            else hd.pack(o, ", ".join(["dense"] * np.ndim(o)), dtype)
            for n, o in operands.items()
        }
        if "max=" not in expression:
            there = {n: t.on_gpu() for n, t in there.items()}
        call = kernel.bind(**there)
        if (
            dtype.startswith("float")
            and not sp.issparse(expected)
            and "max=" not in expression
            and hasattr(call.output.vals, "fill")
        ):
            call.output.vals.fill(np.nan)
        call.run()
        row["seconds"] = {
            "operands": round(t0 - began, 3),
            "compile": round(t1 - t0, 3),
            "bind and run": round(time.perf_counter() - t1, 3),
        }
        wrong = agree(call.output, expected, dtype)
        if not wrong:
            call.run()
            again = agree(call.output, expected, dtype)
            wrong = again and f"the second run: {again}"
        row["status"] = "wrong" if wrong else "right"
        if wrong:
            row["wrong"], row["schedule"] = wrong, list(kernel.result.plan.schedule)
        row["launches"] = [
            {
                "kernel": launch.kernel,
                "blocks": launch.blocks,
                "threads": launch.threads,
                "registers": launch.registers,
                "occupancy": launch.occupancy,
                "bits": launch.index_bits,
            }
            for launch in call.device.launched()
        ]
        # Operands of the host, once: they are copied there and back.
        if not wrong and all(not isinstance(o, hd.Tensor) for o in operands.values()):
            other = agree(kernel(**operands), expected, dtype)
            if other:
                row["status"], row["wrong"] = "wrong", f"with operands of the host: {other}"
    except hd.CompileError as error:
        row["status"], row["error"] = "refused", str(error)[:500]
    except BaseException as error:
        row["status"], row["error"] = "error", f"{type(error).__name__}: {str(error)[:500]}"
        row["traceback"] = traceback.format_exc(limit=-4)[-1500:]
        if any(word in row["error"] for word in FATAL):
            note(**row)
            note(case="the rest", status="not run", error="the GPU's context is lost")
            sys.exit(3)
    code = code or row["status"] in ("wrong", "error")
    note(**row)
sys.exit(int(code))
