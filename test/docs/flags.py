#!/usr/bin/env python3
"""docs/prove.md names every option that --help does, and no other:  flags.py PTXEQ prove.md"""
import re
import subprocess
import sys

ptxeq, page = sys.argv[1:]
FLAG = re.compile(r"--[a-z][a-z0-9-]*")


def help_of(*command):
    return subprocess.run([ptxeq, *command, "--help"], capture_output=True, text=True, check=True).stdout


commands = re.findall(r"`ptxeq ([a-z]+)", open(page).read())
built = set().union(*(FLAG.findall(help_of(command)) for command in ["prove", *commands]))
built = {re.sub(r"^--(a|ref)-", "--", flag) for flag in built} - {"--help", "--quiet", "--verbose"}  # -q and -v there
said = {re.sub(r"^--(a|ref)-", "--", flag) for flag in FLAG.findall(open(page).read())}
for flag in sorted(built - said):
    print(f"{flag} is not in {page}")
for flag in sorted(said - built):
    print(f"{flag} is in {page}, but no command has it")
sys.exit(built != said)
