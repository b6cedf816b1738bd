#!/usr/bin/env bash
# What a visit of a few minutes to a bare machine with one NVIDIA GPU tells of Heddle's target cuda.
#
#   OUT=folder proofs/gpu_check/visit.sh        needs python3 with numpy, scipy, cupy, pytest
#
# Wheels of what that python3 lacks (lark) are taken from .whl/. Steps in order of value, each with a limit of its own and
# none able to stop the next: facts, smoke, pytest, bench, sanitizer, sandbox, ncu. What they found is in
# $OUT/summary.json (written again after each step) and in the text files beside it; eight files in all.
# BUDGET: seconds for everything (400). STEPS: some of the steps only. PYTHON: another interpreter. SMALL=1: tiny
# operands, to try the script itself. KERNELS, MATRICES: some of those of
# bench.py only.
set -u
START=$(date +%s)
BUDGET=${BUDGET:-400}
PYTHON=${PYTHON:-python3}
STEPS=${STEPS:-facts smoke pytest bench sanitizer sandbox ncu}
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
mkdir -p "${OUT:=/tmp/gpu-check-out}" && OUT=$(cd "$OUT" && pwd)
cd "$ROOT" || exit 2
W=$(mktemp -d /tmp/gpu-check.XXXXXX)
mkdir -p "$W/steps" "$W/smoke" "$W/data"
export OUT W START BUDGET SMALL=${SMALL:-} PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
export CUPY_CACHE_DIR=${CUPY_CACHE_DIR:-/tmp/gpu-check-cupy}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-4} OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-4}
exec > >(tee "$OUT/log.txt") 2>&1

left() { echo $((START + BUDGET - $(date +%s))); }

say() { printf '[%3ds] %s\n' $(($(date +%s) - START)) "$*"; }

# Only the keys, for people; never stops anything.
merge() { "$PYTHON" -S "$HERE/merge.py" >/dev/null 2>>"$W/merge.err" || true; }

# step NAME LIMIT COMMAND…: runs it under min(LIMIT, what is left), notes status and seconds.
step() {
  local name=$1 limit=$2 rest began status
  shift 2
  case " $STEPS " in *" $name "*) ;; *) return 0 ;; esac
  rest=$(left)
  if [ "$rest" -lt 8 ]; then
    printf '{"step": "%s", "status": "no time left"}\n' "$name" >"$W/steps/$name.json"
    say "$name: no time left"
    merge
    return 0
  fi
  [ "$rest" -lt "$limit" ] && limit=$rest
  say "$name (at most $limit s)"
  began=$(date +%s)
  STEP_SECONDS=$limit timeout -k 5 "$limit" "$@"
  status=$?
  printf '{"step": "%s", "exit": %d, "seconds": %d, "limit": %d, "status": "%s"}\n' "$name" "$status" \
    $(($(date +%s) - began)) "$limit" "$(case $status in 0) echo done ;; 124 | 137) echo "out of time" ;; *) echo failed ;; esac)" \
    >"$W/steps/$name.json"
  say "$name: exit $status after $(($(date +%s) - began)) s"
  merge
  return 0
}

# ------------------------------------------------------------------------------------------------------ the wheels
if ls .whl/*.whl >/dev/null 2>&1; then
  mkdir -p "$W/site"
  "$PYTHON" -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --upgrade --target "$W/site" .whl/*.whl \
    2>"$W/pip.err" || for wheel in .whl/*.whl; do "$PYTHON" -m zipfile -e "$wheel" "$W/site"; done
fi
export PYTHONPATH="$W/site:$HERE:$ROOT/compiler:$ROOT/backend:$ROOT${PYTHONPATH:+:$PYTHONPATH}"

# ---------------------------------------------------------------------------------------------------------- the visit
prepared=()
case " $STEPS " in *" bench "* | *" ncu "*)
  if [ -n "$SMALL" ]; then names="rmat uniform" count=300; else names="rmat uniform stencil-3d stencil-2d dense-row short-wide" count=4000000; fi
  if "$PYTHON" -c 'import sys; from heddle.runtime.devices import cuda; sys.exit(cuda.missing() is not None)' 2>/dev/null; then
    for name in $names; do
      CUDA_VISIBLE_DEVICES= timeout 240 nice -n 10 "$PYTHON" "$HERE/prepare.py" "$name" "$count" >"$W/prepare-$name.log" 2>&1 &
      prepared+=($!)
    done
  fi
  ;;
esac
export STEP_SECONDS
STEP_SECONDS=30 && step facts $STEP_SECONDS "$PYTHON" "$HERE/facts.py"
STEP_SECONDS=75 && step smoke $STEP_SECONDS "$PYTHON" "$HERE/smoke_all.py"
STEP_SECONDS=100 && step pytest $STEP_SECONDS "$PYTHON" "$HERE/run_pytest.py"
rest=$(($(left) - 95)) && STEP_SECONDS=$((rest < 150 ? (rest < 20 ? 20 : rest) : 150)) && step bench $STEP_SECONDS "$PYTHON" "$HERE/bench.py"
rest=$(($(left) - 30)) && STEP_SECONDS=$((rest < 90 ? (rest < 15 ? 15 : rest) : 90)) && step sanitizer $STEP_SECONDS "$PYTHON" "$HERE/sanitizer.py"
STEP_SECONDS=25 && step sandbox $STEP_SECONDS "$PYTHON" "$HERE/sandbox.py"
rest=$(($(left) - 3)) && STEP_SECONDS=$((rest < 60 ? (rest < 10 ? 10 : rest) : 60)) && step ncu $STEP_SECONDS "$PYTHON" "$HERE/ncu.py"
for one in "${prepared[@]+"${prepared[@]}"}"; do kill "$one" 2>/dev/null; done
merge
tail -n 3 "$W"/prepare-*.log 2>/dev/null | grep -v '^$' | tail -n 20
cat "$W/merge.err" 2>/dev/null
say "done: $(ls "$OUT" | tr '\n' ' ')"
"$PYTHON" -S - <<'PY'
import json, os
try:
    found = json.load(open(os.environ["OUT"] + "/summary.json"))
    print({name: one.get("status") for name, one in found["steps"].items()})
    print("smoke", found.get("smoke", {}).get("count"), "| pytest", found.get("pytest", {}).get("last"), "| bench", json.dumps(found.get("bench", {}).get("means")))
except Exception as error:
    print("no summary:", error)
PY
rm -rf "$W"
exit 0
