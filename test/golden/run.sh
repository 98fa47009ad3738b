#!/usr/bin/env bash
# run.sh PTXEQ NAME.cmd [--update]: runs the shell line in NAME.cmd beside the files it names, with `ptxeq` being
# PTXEQ, and compares output, messages and exit status with NAME.expected. Times and memory are left out.
set -u
program=$(realpath "$1")
command=$(realpath "$2")
expected=${command%.cmd}.expected
cd "$(dirname "$command")" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ptxeq() { "$program" "$@"; }
export NO_COLOR=1
eval "$(cat "$command")" > "$work/out" 2> "$work/err"
status=$?
{
  cat "$work/out"
  echo "--- stderr"
  cat "$work/err"
  echo "--- exit $status"
} | sed -E -e 's/^[0-9.]+ s, [0-9]+ MiB.*/T s, M MiB/' -e 's/"(time_s|peak_mib|read|spec)": ?[0-9.e+-]+/"\1":T/' \
  -e 's/^[0-9]+ instructions, [0-9.]+ s/N instructions, T s/' \
  -e 's/"instructions":[0-9]+/"instructions":N/' -e 's/"z3": "[^"]*"/"z3": "Z"/' > "$work/got"
if [ "${3:-}" = --update ]; then
  cp "$work/got" "$expected"
else
  diff -u "$expected" "$work/got"
fi
