"""d2m programs: the engines give the same values, and those of the evaluator."""

import pathlib

import judge
import numpy as np
import pytest

PROGRAMS = sorted((pathlib.Path(__file__).parent / "programs").glob("*.mlir"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program, tmp_path):
    assert not judge.check(program.read_text(), tmp_path)


def test_functions_run_with_random_arguments():
    program = pathlib.Path(__file__).parent / "programs" / "matmul.mlir"
    result = judge.tool("ttl-jit", "run", str(program))
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("matmul result 0: tensor<64x64xf32> hash ")


def test_evaluator_multiplies_matrices():
    """The evaluator itself against numpy."""
    function = judge.functions_of((pathlib.Path(__file__).parent / "programs" / "matmul.mlir").read_text())[0]
    x, y = judge.arguments_of(function)
    found, _ = function.run([x, y])
    np.testing.assert_allclose(found[0], np.maximum(x @ y, 0), rtol=1e-6, atol=1e-6)
