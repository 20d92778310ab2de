#!/usr/bin/env python3
"""embed.py ROOT OUTPUT.inc: the elements of an array of all headers that kernels may include, path and text: those
of hw/metalium/include, and those headers of hw that they include."""

import pathlib
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


def main(root, output):
    root = pathlib.Path(root)
    own = root / "hw" / "metalium" / "include"
    files = [(path.relative_to(own), path) for path in sorted(own.rglob("*")) if path.is_file()]
    files += [(pathlib.Path(name), root / name) for name in SHARED]
    rows = "".join(f'  {{"{name}", R"ttjit({path.read_text()})ttjit"}},\n' for name, path in files)
    pathlib.Path(output).write_text(rows)


main(*sys.argv[1:])
