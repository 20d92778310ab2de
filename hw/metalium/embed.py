#!/usr/bin/env python3
"""embed.py ROOT OUTPUT.inc: the elements of an array of all headers that kernels may include, path and text: those
of hw/metalium/include, those that only include another one (hw/metalium/forwards.txt lists them, and rows of
hw/facts/TileOps.def name some), and those headers of hw that they include."""

import pathlib
import re
import sys

SHARED = (
    "hw/abi/CppApi.h",
    "hw/abi/ExternApi.h",
    "hw/abi/KernelApi.h",
    "hw/facts/DataFormat.h",
    "hw/facts/FaultText.h",
    "hw/facts/ReduceKind.h",
    "hw/facts/TileDims.h",
    "hw/facts/TileOpFwd.h",
    "hw/facts/TileOps.h",
    "hw/facts/TileOps.def",
    "hw/facts/UnitOp.h",
    "hw/facts/VectorOp.h",
)


# The folders in which some generation of Metalium has the headers that rows name.
FOLDERS = ("api/compute", "compute_kernel_api")
WHOLE_API = "ttjit/compute_api.h"


def forwards_of_rows(path):
    """(path, included header) of the headers that rows of hw/facts/TileOps.def name."""
    named = set(re.findall(r'"([\w/]+\.h)"[,)]', path.read_text())) - {"compute_kernel_api.h"}
    for header in sorted(named):
        for folder in FOLDERS:
            yield f"{folder}/{header}", WHOLE_API


def forwards_of_list(path):
    """(path, included header) of the headers that hw/metalium/forwards.txt names."""
    target = None
    for line in path.read_text().splitlines():
        if line.startswith(" "):
            yield line.strip(), target
        elif not line.startswith("#"):
            target = line


def main(root, output):
    root = pathlib.Path(root)
    own = root / "hw" / "metalium" / "include"
    texts = {str(path.relative_to(own)): path.read_text() for path in sorted(own.rglob("*")) if path.is_file()}
    listed = root / "hw" / "metalium" / "forwards.txt"
    for name, target in forwards_of_rows(root / "hw" / "facts" / "TileOps.def"):
        texts.setdefault(name, f'#pragma once\n#include "{target}"\n')
    for name, target in forwards_of_list(listed):
        if name in texts:
            sys.exit(f"{listed}: there are two headers {name}")
        texts[name] = f'#pragma once\n#include "{target}"\n'
    texts |= {name: (root / name).read_text() for name in SHARED}
    rows = "".join(f'  {{"{name}", R"ttjit({text})ttjit"}},\n' for name, text in texts.items())
    pathlib.Path(output).write_text(rows)


main(*sys.argv[1:])
