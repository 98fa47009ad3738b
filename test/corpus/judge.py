"""Runs ptxeq on a case and says how its answer stands to the one that the case expects."""
import json
import subprocess

VERDICTS = {0: "equivalent", 1: "different", 3: "inconclusive", 4: "invalid"}

RIGHT, UNDECIDED, WRONG, FAILED = "right", "undecided", "WRONG", "FAILED"


def report_of(command, limit):
    """(exit code, JSON report, or {} where there is none)"""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return -1, {}
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return done.returncode, {}
    return done.returncode, report if isinstance(report, dict) else {}


def reason(report):
    told = report.get("reason") or {}
    return f"{told.get('code', '')}: {told.get('message', '')}" if told else ""


def prove(command, expect, accept=(), bits=False, limit=60):
    """(mark, text) for a pair whose verdict must be `expect`, or one of `accept`."""
    code, report = report_of(command, limit)
    got = VERDICTS.get(code)
    if not got or report.get("verdict") != got:
        return FAILED, f"exit {code}, verdict {report.get('verdict')}; {reason(report)}"
    if got == "different" and not (report.get("counterexample") or {}).get("replayed"):
        return FAILED, "a difference that was not replayed"
    if got == "equivalent" == expect and bits and report.get("strength") != "bits":
        return WRONG, f"equivalent with strength {report.get('strength')}, but the case asks for bits"
    if got == expect or got in accept:
        return RIGHT, got
    if got == "inconclusive":
        return UNDECIDED, reason(report)
    return WRONG, f"{got}, but the case is {expect}"


def finding(command, twin_command, code, limit=60):
    """(mark, text) for a kernel that must get the finding `code`, and a repaired twin that must not (None: no twin)."""

    def codes(report):
        return {f.get("code") for f in report.get("findings", []) if f.get("severity") in ("critical", "warning")}

    status, report = report_of(command, limit)
    if status not in (0, 2, 3, 4) or not report:
        return FAILED, f"exit {status}"
    if twin_command and code in codes(report_of(twin_command, limit)[1]):
        return WRONG, f"{code} on the repaired kernel too"
    if code not in codes(report):
        return UNDECIDED, f"no {code}"
    return RIGHT, code
