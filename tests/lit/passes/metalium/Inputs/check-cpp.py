# check-cpp.py - compiles what `ttl-translate --ttkernel-to-cpp` wrote to stdin, or the
# files named, without making code, against the declarations of tests/metalium in place of
# tt-metal's headers. --metalium=GENERATION chooses the declarations.
# SPDX-License-Identifier: Apache-2.0

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "metalium"))
import headers  # noqa: E402

names = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
options = [argument for argument in sys.argv[1:] if argument.startswith("--metalium=")]
generation = options[0].partition("=")[2] if options else "mid"
if names:
    files = [(name, pathlib.Path(name).read_text()) for name in names]
else:
    parts = re.split(r"^//--- (.*)\n", sys.stdin.read(), flags=re.MULTILINE)[1:]
    files = list(zip(parts[::2], parts[1::2]))
if not files:
    sys.exit("check-cpp.py: no files in the input")
with tempfile.TemporaryDirectory() as folder:
    declared = headers.write_headers(folder, generation)
    for name, text in files:
        for target in headers.TARGETS:
            if errors := headers.compile_errors(text, declared, target):
                sys.exit(f"{errors}check-cpp.py: {name} is no valid C++ for {target}")
