#!/usr/bin/env python3
"""Times ptxeq on cases with a limit each:  bench.py [--ptxeq PATH] [--runs N] [--timeout S] [--check] [CASE ...]

Wall-clock seconds of the whole process, the best of N runs, and its peak memory. --check: exit 1 where a row is missed:
another verdict than the case expects, or more than its limits.
"""
import argparse
import json
import os
import pathlib
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "corpus/cases"
HERE = pathlib.Path(__file__).parent
HERE = pathlib.Path(__file__).parent

# folder with a.ptx and ref.ptx, further flags (a --spec stands in for the folder's), limits in seconds and in MiB
ROWS = [
    ("gemm-tiled-128", ["--spec", HERE / "matmul-128.toml"], 0.3, 200),
    ("mm-tiled-256", ["--concrete-blocks"], 0.5, None),
    ("mm-tiled-1024", [], 0.25, 200),
    ("mm-padded-1000", [], 0.25, 200),
    ("mm-stopped-1000", [], 0.25, 200),
    ("mm-reg-1024", [], 1.0, 500),
    ("mm-grouped-4096", [], 1.0, 500),
    ("vecadd-v4-1024", [], 0.05, None),
    ("vecadd-v4-tail-1003", [], 0.05, None),
    ("vecadd-gridstride-4000", [], 0.05, None),
    *((name, [], 0.1, None) for name in (
        "add-f4-2e30", "relu-f4-2e30", "saxpy-f4-2e30", "add-stride-2e30", "relu-stride-1e9", "saxpy-stride-2e30",
        "add-triton-1e9", "relu-triton-2e30", "add-f4-tail", "fused-temp", "fused-inplace", "relu-inplace-f4",
        "scale-inplace-stride")),
    *((name, [], 1.0, None) for name in (
        "any-add-s32", "any-add-u32", "any-relu-s32", "any-relu-u32", "any-saxpy-s32", "any-saxpy-u32",
        "any-rope-s32", "any-rope-u32", "any-stride-s32", "any-stride-u32")),
    *((name, [], 1.0, None) for name in (
        "transpose-1024", "conv5-1024", "causal-1024", "softmax-rows-4096",
        # wrong twins
        "add-block-37", "add-one-thread", "add-f4-notail", "add-stride-long", "mm-block-37", "mm-tile-short",
        "mm-padded-zeros", "mm-edge-short", "mm-edge-long", "mm-grouped-stray", "mm-grouped-twice", "transpose-edge",
        "any-add-le", "any-add-less", "any-add-signed", "any-add-signed-small", "any-add-uncovered", "any-stride-long")),
    ("loop-mm-pointers", [], 1.0, None),
    ("loop-mm-unrolled", [], 5.0, None),
    ("loop-lcg-down", [], 1.0, None),
    ("loop-columns", [], 1.0, None),
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
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("cases", nargs="*", help="parts of names; without any, all")
    options = parser.parse_args()
    missed = 0
    print(f"{'case':24}{'verdict':14}{'s':>8}{'limit':>7}{'MiB':>8}{'limit':>7}")
    for name, flags, limit_s, limit_mib in ROWS:
        if options.cases and not any(part in name for part in options.cases):
            continue
        folder = CASES / name
        spec = folder / "spec.toml"
        expect = tomllib.loads(spec.read_text())["expect"]
        command = [str(options.ptxeq), "prove", f"{folder}/a.ptx", f"{folder}/ref.ptx", "--format", "json",
                   "--timeout", str(options.timeout), *map(str, flags)]
        if "--spec" not in flags:
            command += ["--spec", str(spec)]
        runs = [measure(command)]
        while len(runs) < options.runs and runs[0][2] < 2 * limit_s:  # far off is missed after one run
            runs.append(measure(command))
        seconds, mib = min(r[2] for r in runs), max(r[3] for r in runs)
        verdict = runs[0][1].get("verdict") or f"exit {runs[0][0]}"
        ok = verdict == expect and seconds <= limit_s and (limit_mib is None or mib <= limit_mib)
        missed += not ok
        print(f"{name:24}{verdict:14}{seconds:8.3f}{limit_s:7.2f}{mib:8.0f}{limit_mib or '':>7}  {'' if ok else 'MISSED'}",
              flush=True)
    sys.exit(1 if options.check and missed else 0)


if __name__ == "__main__":
    main()
