#!/usr/bin/env python3
"""Proves the pairs of one family and compares with the verdict that stands in each case.

usage: run.py --ptxeq PATH [--family F] [--self | --agree] [--undecided FILE] [--timeout S] [--slow] FOLDER

FOLDER holds cases: a.ptx, ref.ptx and spec.toml, or expect.toml where a bare launch is enough. With --self each kernel
is held against itself. A case that is not decided must stand in the undecided list, and one that stands there must not
be decided: so the list only shrinks. With --agree each pair is proved with block ids as symbols and block by block: both
must say the same where both decide, and symbols must decide what single blocks do. --slow (sanitizer builds) lets a listed case pass and any case time out.
"""
import argparse
import math
import pathlib
import sys
import tempfile
import tomllib

import judge

most_threads_alone = 1 << 24


def twin_spec(text, side):
    """The spec with both sides launched as `side` is."""
    blocks, current = [], []
    for line in text.splitlines():
        if line.lstrip().startswith("[") and "=" not in line:
            blocks.append(current)
            current = []
        current.append(line)
    blocks.append(current)
    other = {"a": "ref", "ref": "a"}[side]
    out = []
    for block in blocks:
        table = block[0].strip("[] ").split(".")[0] if block else ""
        if table != other:
            out += block
        if table == side:
            out += [block[0].replace(side, other, 1), *block[1:]]
    return "\n".join(out) + "\n"


def pair_jobs(folder, spec, options):
    command = [options.ptxeq, "prove", f"{folder}/a.ptx", f"{folder}/ref.ptx", "--spec", f"{folder}/spec.toml"]
    yield folder.name, lambda: judge.prove(command + options.common, spec["expect"], spec.get("accept", ()),
                                           spec.get("float") == "bits", options.limit)


def self_jobs(folder, spec, options):
    text = (folder / "spec.toml").read_text()
    for side in ("a", "ref"):
        if side == "a" and spec["expect"] == "different" and spec["a"].get("grid") == "any":
            continue  # what it leaves out may depend on the launch, so it need not equal itself
        # The faulty kernel of an invalid case stays invalid beside itself; its reference is a sound one.
        expect = "invalid" if spec["expect"] == "invalid" and side == "a" else "equivalent"

        def job(side=side, expect=expect):
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write(twin_spec(text, side))
                file.flush()
                kernel = f"{folder}/{side}.ptx"
                command = [options.ptxeq, "prove", kernel, kernel, "--spec", file.name]
                return judge.prove(command + options.common, expect, (), spec.get("float") == "bits", options.limit)

        yield f"{folder.name}/{side}", job


def threads_and_blocks(side):
    """(threads, blocks) of a side's one fixed launch; (0, 0) where it has none."""
    grid, block = side.get("grid"), side.get("block")
    if not isinstance(grid, list) or not isinstance(block, list):
        return 0, 0
    return math.prod(grid) * math.prod(block), math.prod(grid)


def agreement(command, options):
    """(mark, text) for what symbols say beside single blocks."""

    def ask(seconds, *more):
        code, report = judge.report_of([*command, *more, "--timeout", str(seconds), "--format", "json"], seconds + 20)
        return report if code in judge.VERDICTS and report.get("verdict") == judge.VERDICTS[code] else {}

    together = ask(options.timeout)
    if together and together["evidence"]["grid"]["mode"] == "concrete" and together["verdict"] != "inconclusive":
        return judge.RIGHT, f"{together['verdict']}; without symbols"  # single blocks have decided it
    alone = ask(options.timeout, "--concrete-blocks")
    undecided = together and alone and "inconclusive" == together["verdict"] != alone["verdict"]
    if undecided:  # symbols come first and take half of the time; and the machine may be busy
        together = ask(4 * options.timeout)
    if not together or not alone:
        return judge.FAILED, "no verdict"
    text = f"{together['verdict']} with symbols, {alone['verdict']} block by block"
    if "inconclusive" not in (together["verdict"], alone["verdict"]) and together["verdict"] != alone["verdict"]:
        return judge.WRONG, text
    if "inconclusive" == together["verdict"] != alone["verdict"]:
        return judge.WRONG, f"{text}; {judge.reason(together)}"
    return judge.RIGHT, text


def agree_jobs(folder, spec, options):
    launches = [threads_and_blocks(spec[side]) for side in ("a", "ref")]
    if max(blocks for _, blocks in launches) < 2:
        return  # no symbols
    if max(threads for threads, _ in launches) > most_threads_alone:
        return  # not decided block by block, so that there is nothing to compare
    command = [options.ptxeq, "prove", f"{folder}/a.ptx", f"{folder}/ref.ptx", "--spec", f"{folder}/spec.toml"]
    yield folder.name, lambda: agreement(command, options)


def bare_jobs(folder, spec, options):
    launch = ["--grid", str(spec["grid"]), "--block", str(spec["block"])]
    a, ref = f"{folder}/a.ptx", f"{folder}/ref.ptx"
    floats = spec.get("float", "bits")

    def check(kernel):
        return [options.ptxeq, "check", kernel, *launch, *options.common]

    def job():
        if spec["expect"] == "finding":
            twin = check(ref) if spec.get("ptxas_ref", "accept") == "accept" else None
            return judge.finding(check(a), twin, spec["finding_a"], options.limit)
        command = [options.ptxeq, "prove", a, ref, "--float", floats, *launch, *options.common]
        return judge.prove(command, spec["expect"], spec.get("accept", ()), floats == "bits", options.limit)

    yield folder.name, job


def jobs(options):
    for folder in sorted(options.folder.iterdir()):
        bare = not (folder / "spec.toml").exists()
        path = folder / ("expect.toml" if bare else "spec.toml")
        if not path.exists():
            continue
        spec = tomllib.loads(path.read_text())
        if options.family and spec.get("family") != options.family:
            continue
        make = bare_jobs if bare else self_jobs if options.self else agree_jobs if options.agree else pair_jobs
        yield from make(folder, spec, options)


def complaint(mark, text, listed, slow):
    """Why this outcome fails the test; nothing where it does not."""
    if mark in (judge.WRONG, judge.FAILED):
        return f"{mark}: {text}"
    if mark == judge.UNDECIDED and not listed and not (slow and text.startswith("timeout")):
        return f"undecided: {text}"
    if mark == judge.RIGHT and listed and not slow:
        return f"decided ({text}): remove its line from the undecided list"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptxeq", required=True)
    parser.add_argument("--family")
    parser.add_argument("--self", action="store_true")
    parser.add_argument("--agree", action="store_true")
    parser.add_argument("--undecided", type=pathlib.Path)
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    lines = options.undecided.read_text().splitlines() if options.undecided else []
    undecided = {line.split("#")[0].strip() for line in lines} - {""}

    strangers = {name for name in undecided if not (options.folder / name.split("/")[0]).is_dir()}
    if strangers:
        sys.exit(f"{options.undecided}: no such case: {', '.join(sorted(strangers))}")

    count, right, bad = 0, 0, 0
    for name, job in jobs(options):
        # A listed case gets less time: one that is decided only just in time may stay, for another machine may not
        # manage it.
        timeout = max(1, options.timeout // 4) if name in undecided else options.timeout
        options.common = ["--timeout", str(timeout), "--format", "json"]
        options.limit = timeout + 20
        mark, text = job()
        why = complaint(mark, text, name in undecided, options.slow)
        count, right, bad = count + 1, right + (mark == judge.RIGHT), bad + bool(why)
        print(f"{'FAIL' if why else 'ok':5}{mark:11}{name:34}{why or text}", flush=True)
    print(f"{right} of {count} decided, {bad} failed")
    sys.exit(1 if bad or not (count or options.agree) else 0)


if __name__ == "__main__":
    main()
