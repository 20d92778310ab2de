# SPDX-License-Identifier: Apache-2.0
"""The kernels of every example are saved to a file and loaded; the loaded kernels give the same bits."""

import pytest
from running import EXAMPLES, KERNELS, hashes, run
from test_examples import HASHES, NAMES


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("example", NAMES)
def test_example(example, engine, tmp_path):
    process = run(KERNELS / "saving.py", f"--engine={engine}", "--", tmp_path,
                  EXAMPLES / f"{example}.py", "--hash")
    assert hashes(process) == HASHES[example].split()
    assert process.stdout.splitlines()[-1] == "2", process.stdout
