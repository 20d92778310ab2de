#!/usr/bin/env python3
"""embed.py ROOT OUTPUT.inc: the elements of an array of all headers that kernels may include, path and text: those
of hw/metalium/include, those headers of hw that they include, and the headers that rows of hw/facts/TileOps.def name."""

import pathlib
import re
import sys

SHARED = (
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


# Where generations of Metalium have the headers that rows name.
FOLDERS = ("api/compute", "compute_kernel_api")
FORWARD = '#pragma once\n#include "ttjit/compute_more.h"\n'


def headers_of_rows(root):
    """Yields the paths of the headers that rows name."""
    table = (root / "hw/facts/TileOps.def").read_text()
    for header in sorted(set(re.findall(r'"([\w/]+\.h)"[,)]', table)) - {"compute_kernel_api.h"}):
        for folder in FOLDERS:
            yield f"{folder}/{header}"


def main(root, output):
    root = pathlib.Path(root)
    own = root / "hw" / "metalium" / "include"
    files = [(path.relative_to(own), path) for path in sorted(own.rglob("*")) if path.is_file()]
    files += [(pathlib.Path(name), root / name) for name in SHARED]
    texts = dict.fromkeys(headers_of_rows(root), FORWARD)
    texts |= {str(name): path.read_text() for name, path in files}
    rows = "".join(f'  {{"{name}", R"ttjit({text})ttjit"}},\n' for name, text in texts.items())
    pathlib.Path(output).write_text(rows)


main(*sys.argv[1:])
