# SPDX-License-Identifier: Apache-2.0
"""The emitted run_on_device.py also runs with ttl-jit's own ttnn. Every tensor gets the same bits as from
the JIT."""

import pytest
from running import EXAMPLES, ROOT, SUCCESS, run
from test_examples import HASHES

SCRIPT = ROOT / "tests" / "python" / "tools" / "rerun_emitted.py"


@pytest.mark.parametrize("example", HASHES)
def test_an_example_has_the_bits_of_the_jit(tmp_path, example):
    name, *arguments = example.split()
    arch = ["--arch=wormhole_b0@10x10"] if name == "matmul_multicore" else []
    process = run(SCRIPT, f"--emit={tmp_path}", *arch, "--", tmp_path, EXAMPLES / f"{name}.py", *arguments)
    assert process.returncode == SUCCESS, process.stderr
    assert " launches again, " in process.stdout


def test_cpp_functions_of_the_user_have_the_bits_of_the_jit(tmp_path):
    program = ROOT / "tests" / "python" / "frontend" / "external" / "program.py"
    process = run(SCRIPT, f"--emit={tmp_path}", "--", tmp_path, program)
    assert process.returncode == SUCCESS, process.stderr
    assert "1 launches again, " in process.stdout
