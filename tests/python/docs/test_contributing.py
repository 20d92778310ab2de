# SPDX-License-Identifier: Apache-2.0
"""CONTRIBUTING.md names files that exist, and exactly seven files mention its example of a tile operation."""

import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
# Words in capitals are placeholders for a name: `passes/STAGE/NAME.cpp`.
PLACEHOLDER = re.compile(r"[A-Z]{4,}")
SEVEN = {
    "docs/accuracy.md",
    "frontend/python/ttnn/unary.py",
    "hw/explain/ExactRows.cpp",
    "hw/facts/TileOps.def",
    "hw/tile/LaneExp.h",
    "tests/corpus/soft-cap.mlir",
    "tests/unit/hw/tile/Oracles.cpp",
}
# Other files that may mention the example operation: the list of Metalium's whole API, a page about device
# numerics, tests that use the operation as an example, and this file.
OTHERS = {"tests/metalium_api/compute.txt", "docs/device-numerics.md", "tests/python/ttnn/test_api_table.py",
          "tests/unit/hw/tile/DeviceChecksTest.cpp", "tests/python/frontend/test_device_numerics.py",
          "tests/python/ttnn/test_device_numerics_of_kernels.py", "tests/python/docs/test_contributing.py"}


def expanded(path):
    """Returns the paths that a path with braces, such as {one,other}, names."""
    match = re.search(r"\{([^}]*)\}", path)
    if not match:
        return [path]
    return [each for word in match[1].split(",")
            for each in expanded(path[: match.start()] + word + path[match.end() :])]


def paths():
    for text in sorted(set(re.findall(r"`([\w./*{},-]+/[\w./*{},-]+)`", PAGE))):
        yield from (each for each in expanded(text) if not each.startswith("build/"))


@pytest.mark.parametrize("path", [path for path in paths() if not PLACEHOLDER.search(path)])
def test_paths_exist(path):
    assert list(ROOT.glob(path.rstrip("/"))), f"CONTRIBUTING.md names {path}, which does not exist"


def files():
    for folder in ("diagnostics", "docs", "frontend", "hw", "interp", "ir", "jit", "passes", "tests", "tools"):
        for parent, folders, names in os.walk(ROOT / folder):
            folders[:] = [each for each in folders if each != "__pycache__"]
            yield from (pathlib.Path(parent) / name for name in names)


def test_the_example_of_a_tile_operation_is_in_seven_files():
    naming = {str(path.relative_to(ROOT)) for path in files()
              if b"softcap" in path.read_bytes().lower()}
    assert naming - OTHERS == SEVEN and all(pathlib.Path(path).name in PAGE for path in SEVEN)
