# check-cpp.py - compiles what `ttl-translate --ttkernel-to-cpp` wrote to stdin, or the
# files named, without making code, against Inputs/metalium.h in place of tt-metal's headers.
# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(FOLDER, *[".."] * 5))
COMPILE = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", ROOT]
COMPILE += ["-include", os.path.join(FOLDER, "metalium.h"), "-x", "c++", "-"]

if len(sys.argv) > 1:
    files = [(name, pathlib.Path(name).read_text()) for name in sys.argv[1:]]
else:
    parts = re.split(r"^//--- (.*)\n", sys.stdin.read(), flags=re.MULTILINE)[1:]
    files = list(zip(parts[::2], parts[1::2]))
if not files:
    sys.exit("check-cpp.py: no files in the input")
for name, text in files:
    text = re.sub(r'^#include "(api|tools)/.*\n', "\n", text, flags=re.MULTILINE)
    if subprocess.run(COMPILE, input=text, text=True, check=False).returncode != 0:
        sys.exit(f"check-cpp.py: {name} is no valid C++")
