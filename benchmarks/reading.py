"""Reading data files: MB of text per second of processor time, and memory beyond the entries that are returned.

Each kind is read in its own process, which reads nothing else.

python benchmarks/reading.py [--megabytes 500]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from heddle.runtime.data_files.readers import read_data

SIZE = 500_000
BATCH = 100_000
Line = Callable[[np.ndarray, np.ndarray], str]

KINDS: dict[str, tuple[str, Line]] = {
    "real.mtx": ("coordinate real general", lambda at, value: f"{at[0]} {at[1]} {value[0]:.16g}\n"),
    "symmetric.mtx": ("coordinate real symmetric", lambda at, value: f"{max(at)} {min(at)} {value[0]:.6g}\n"),
    "pattern.mtx": ("coordinate pattern general", lambda at, value: f"{at[0]} {at[1]}\n"),
    "complex.mtx": (
        "coordinate complex general",
        lambda at, value: f"{at[0]} {at[1]} {value[0]:.16g} {value[1]:.16g}\n",
    ),
    "order-3.tns": ("", lambda at, value: f"{at[0]} {at[1]} {at[2]} {value[0]:.6g}\n"),
}


def lines(line: Line) -> list[str]:
    rng = np.random.default_rng(1)
    places, values = rng.integers(1, SIZE + 1, (BATCH, 3)), rng.random((BATCH, 2))
    return [line(at, value) for at, value in zip(places, values, strict=True)]


def write(path: Path, megabytes: int) -> None:
    """About so many MB: a batch of lines, again and again."""
    banner, line = KINDS[path.name]
    batch = "".join(lines(line))
    times = max(1, megabytes * 1_000_000 // len(batch))
    with path.open("w") as file:
        if banner:
            file.write(f"%%MatrixMarket matrix {banner}\n{SIZE} {SIZE} {BATCH * times}\n")
        for _ in range(times):
            file.write(batch)


def write_smtx(path: Path, megabytes: int) -> None:
    rng = np.random.default_rng(1)
    count = megabytes * 1_000_000 // 7
    positions = np.linspace(0, count, 1001).astype(int)
    with path.open("w") as file:
        file.write(f"1000, {SIZE}, {count}\n{' '.join(map(str, positions))}\n")
        for start in range(0, count, BATCH):
            file.write(" ".join(map(str, rng.integers(0, SIZE, min(BATCH, count - start)))) + " ")
        file.write("\n")


def peak() -> int:
    """Bytes, of this program so far. Not from ``getrusage``, which counts what the process was before exec."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def measure(path: Path) -> str:
    before, start = peak(), time.process_time()
    entries = read_data(path)
    seconds, megabytes = time.process_time() - start, path.stat().st_size / 1e6
    kept = sum(column.nbytes for column in entries.columns) + entries.values.nbytes
    beyond = peak() - before - kept
    return f"{megabytes / seconds:8.1f} MB/s {kept / 1e6:10.0f} MB {beyond / 1e6:10.0f} MB"


def files(folder: Path, megabytes: int) -> Iterator[Path]:
    for name in KINDS:
        write(folder / name, megabytes)
        yield folder / name
    write_smtx(folder / "pattern.smtx", megabytes)
    yield folder / "pattern.smtx"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=500, help="the size of each file")
    parser.add_argument("--file", type=Path, help="measure one file, in this process")
    options = parser.parse_args()
    if options.file is not None:
        print(measure(options.file))
        return
    print(f"{options.megabytes} MB each     {'read':>13s} {'entries':>13s} {'beyond':>13s}")
    with tempfile.TemporaryDirectory() as folder:
        for path in files(Path(folder), options.megabytes):
            command = [sys.executable, __file__, "--file", str(path)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip()
            print(f"{path.name:16s} {answer}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
