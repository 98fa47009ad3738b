#!/usr/bin/env python3
"""Times ptxeq on pairs with a target each:  bench.py [--ptxeq PATH] [--runs N] [--check]

Wall-clock seconds of the whole process, the best of N runs, and its peak memory. --check: exit 1 where a target is missed.
"""
import argparse
import json
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "corpus/cases"
HERE = pathlib.Path(__file__).parent
GEMM = CASES / "gemm-tiled-128"

# pair, folder with a.ptx and ref.ptx, spec, target seconds, target MiB
PAIRS = [
    ("matmul tiled/naive, n=128, 16 blocks", GEMM, HERE / "matmul-128.toml", 0.3, 200),
    ("matmul tiled/naive, n=256, 64 blocks", GEMM, HERE / "matmul-256.toml", 1.0, None),
    ("vecadd v4, n=1024", CASES / "vecadd-v4-1024", CASES / "vecadd-v4-1024/spec.toml", 0.05, None),
    ("vecadd v4 with tail, n=1003", CASES / "vecadd-v4-tail-1003", CASES / "vecadd-v4-tail-1003/spec.toml", 0.05, None),
    ("vecadd grid-stride, n=4000", CASES / "vecadd-gridstride-4000", CASES / "vecadd-gridstride-4000/spec.toml", 0.05, None),
]


def measure(command):
    """(exit code, JSON report, seconds, peak MiB) of one process."""
    read, write = os.pipe()
    start = time.monotonic()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read)])
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - start
    try:
        report = json.loads(text)
    except ValueError:
        report = {}
    return os.waitstatus_to_exitcode(status), report, seconds, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptxeq", type=pathlib.Path, default=ROOT / "build/ptxeq")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    missed = 0
    print(f"{'pair':40}{'verdict':14}{'s':>8}{'target':>8}{'MiB':>8}{'target':>8}")
    for name, folder, spec, target_s, target_mib in PAIRS:
        command = [str(options.ptxeq), "prove", f"{folder}/a.ptx", f"{folder}/ref.ptx", "--spec", str(spec), "--format", "json"]
        runs = [measure(command) for _ in range(options.runs)]
        seconds, mib = min(r[2] for r in runs), max(r[3] for r in runs)
        verdict = runs[0][1].get("verdict") or f"exit {runs[0][0]}"
        ok = verdict == "equivalent" and seconds <= target_s and (target_mib is None or mib <= target_mib)
        missed += not ok
        print(f"{name:40}{verdict:14}{seconds:8.3f}{target_s:8.2f}{mib:8.0f}{target_mib or '':>8}  {'' if ok else 'MISSED'}")
    sys.exit(1 if options.check and missed else 0)


if __name__ == "__main__":
    main()
