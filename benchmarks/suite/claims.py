"""Keeps what a measurement says in benchmarks/results/claims.json, from which the site's page about speed is made.

    python -m benchmarks.suite.claims FILE --command "./heddle bench kernels" [--date 2026-11-22] [--commit 0123abcd]

FILE is the JSON that a suite writes. It takes the place of what was kept under that name before; the raw results of
earlier measurements lie in benchmarks/archive/.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.operators import promises

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ROOT / "benchmarks" / "results" / "claims.json"


def claims_of(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a document claims: of kernels a ratio to an opponent over all inputs, of other suites a number.

    A ratio above 1 says that Heddle was faster. ``wanted`` is the number that was to be reached.
    """
    for row in document.get("summary", ()) if isinstance(document.get("summary"), list) else ():
        if not row["kernel"].startswith(("all", "spmv+")):
            ratios = {name: round(row[name], 2) for name in ("geometric_mean", "worst")}
            yield {**{name: row[name] for name in ("kernel", "opponent", "dtype", "threads", "cases")}, **ratios} | {
                "worst_input": row["worst_input"]
            }
    for row in (*document.get("promises", ()), *document.get("numbers", ())):
        yield number(row.get("name") or row["title"], row.get("unit"), row["wanted"], row["found"])
    if isinstance(document.get("results"), dict) and "promises" not in document:
        for each in promises.kept(document["results"]):
            yield number(each.promise.title, None, each.promise.wanted, each.found)
    programs = document.get("summary", {}) if isinstance(document.get("summary"), dict) else {}
    for kind in ("median", "worst"):
        if f"{kind}_distance" in programs:
            title = f"time of a program over that of the best opponent, {kind}"
            yield number(title, "×", None, programs[f"{kind}_distance"])
    for case in document.get("cases", ()):
        if "seconds" in case and "torch" in case["seconds"] and case.get("best"):
            ratio = case["seconds"]["torch"] / case["seconds"][case["best"]]
            yield number(f"{case['name']}, PyTorch over ours", "×", None, ratio)


def number(title: str, unit: str | None, wanted: float | None, found: float | None) -> dict[str, Any]:
    unit = unit or ("ms" if "in ms" in title else "×")
    return {"number": title, "unit": unit, "wanted": wanted, "found": found and float(f"{found:.3g}")}


def machine_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Whose numbers these are: processor, cores, and the class of machine that kernels were compiled for."""
    facts = document.get("machine") or document["results"][0]["machine"]
    return {"cpu": facts["cpu"], "cores": facts["cores"], "class": facts.get("machine_class", "native")}


def entry(name: str, document: Mapping[str, Any], date: str, commit: str, command: str) -> dict[str, Any]:
    origin = {"name": name, "machine": machine_of(document), "date": date, "commit": commit, "command": command}
    return {**origin, "claims": list(claims_of(document))}


def read_claims() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(CLAIMS.read_text(encoding="utf-8")) if CLAIMS.exists() else []
    return entries


def keep(added: Mapping[str, Any]) -> None:
    """In the place of what has its name; one line for each claim, so that a change reads well."""
    entries = sorted(
        (*(each for each in read_claims() if each["name"] != added["name"]), added), key=lambda each: each["name"]
    )
    texts = []
    for each in entries:
        head = json.dumps({name: value for name, value in each.items() if name != "claims"}, ensure_ascii=False)
        rows = ",\n  ".join(json.dumps(claim, ensure_ascii=False) for claim in each["claims"])
        texts.append(f'{head[:-1]}, "claims": [\n  {rows}\n]}}')
    CLAIMS.write_text("[\n" + ",\n".join(texts) + "\n]\n", encoding="utf-8")


def current_commit() -> str:
    command = ["git", "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main(arguments: list[str]) -> int:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suite.claims", description=summary)
    parser.add_argument("file", type=Path, help="the JSON of a suite")
    parser.add_argument("--name", help="what it is kept as (default: the file's name)")
    parser.add_argument("--command", required=True, help="what measured it")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="default: today")
    parser.add_argument("--commit", help="default: the one that is checked out")
    options = parser.parse_args(arguments)
    document = json.loads(options.file.read_text(encoding="utf-8"))
    commit = options.commit or current_commit()
    keep(entry(options.name or options.file.stem, document, options.date, commit, options.command))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
