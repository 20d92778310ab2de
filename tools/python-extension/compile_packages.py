"""compile_packages.py STAMP FOLDER...: compile the Python files of the folders to bytecode.

Writes STAMP, and the dependency file STAMP.d, by which ninja runs this script again when a Python file
is changed, added or removed.
"""
# SPDX-License-Identifier: Apache-2.0

import compileall
import pathlib
import sys


def watched(folder):
    yield folder
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if "__pycache__" not in path.parts and (path.is_dir() or path.suffix == ".py"):
            yield path


def main(stamp, *folders):
    if not all(compileall.compile_dir(folder, quiet=1) for folder in folders):
        sys.exit(1)
    paths = " ".join(str(path).replace(" ", "\\ ") for folder in folders for path in watched(folder))
    pathlib.Path(stamp + ".d").write_text(f"{stamp}: {paths}\n")
    pathlib.Path(stamp).touch()


main(*sys.argv[1:])
