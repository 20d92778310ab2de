# SPDX-License-Identifier: Apache-2.0
"""Programs of tests/broken/d2m print what NAME.expected beside them says; positions are those of the .mlir file."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import COMPILE_ERROR, ROOT, RUNTIME_FAULT, SUCCESS, ttl_jit  # noqa: E402

FOLDER = ROOT / "tests" / "broken" / "d2m"
STATUS = {
    "pop_without_wait": COMPILE_ERROR, "push_without_reserve": COMPILE_ERROR, "pushes_unwritten": COMPILE_ERROR,
    "stores_unwritten": COMPILE_ERROR, "stores_nothing": SUCCESS,
}  # fmt: skip
OPTIONS = {"one_shard": ["--check=race"]}  # engines look for races only with this option


@pytest.mark.parametrize("engine", ("jit", "interp", "emitted"))
@pytest.mark.parametrize("module", sorted(path.stem for path in FOLDER.glob("*.mlir")))
def test_a_broken_module_is_reported(module, engine):
    process = ttl_jit("run", f"{module}.mlir", f"--engine={engine}", *OPTIONS.get(module, []), cwd=FOLDER)
    assert process.stderr == (FOLDER / f"{module}.expected").read_text()
    assert process.returncode == STATUS.get(module, RUNTIME_FAULT)
