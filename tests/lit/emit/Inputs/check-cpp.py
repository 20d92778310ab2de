# check-cpp.py - compiles what `ttl-translate --ttkernel-to-cpp` wrote to stdin,
# without making code, against Inputs/metalium.h in place of tt-metal's headers.
# SPDX-License-Identifier: Apache-2.0

import os
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(FOLDER, "..", "..", "..", ".."))
COMPILE = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", ROOT]
COMPILE += ["-include", os.path.join(FOLDER, "metalium.h"), "-x", "c++", "-"]

parts = re.split(r"^//--- (.*)\n", sys.stdin.read(), flags=re.MULTILINE)[1:]
if not parts:
    sys.exit("check-cpp.py: no files in the input")
for name, text in zip(parts[::2], parts[1::2]):
    text = re.sub(r'^#include "api/.*\n', "\n", text, flags=re.MULTILINE)
    if subprocess.run(COMPILE, input=text, text=True, check=False).returncode != 0:
        sys.exit(f"check-cpp.py: {name} is no valid C++")
