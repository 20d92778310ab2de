"""The programs of d2m/programs give the same values on every engine and in the evaluator."""

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
    """Checks the evaluator itself: its matrix product equals numpy's."""
    function = judge.functions_of((pathlib.Path(__file__).parent / "programs" / "matmul.mlir").read_text())[0]
    x, y = judge.arguments_of(function)
    found, _ = function.run([x, y])
    np.testing.assert_allclose(found[0], np.maximum(x @ y, 0), rtol=1e-6, atol=1e-6)


SPLIT = pathlib.Path(__file__).parent / "programs" / "split.mlir"
MOVERS = "threads = [#d2m.thread<datamovement>, #d2m.thread<datamovement>, #d2m.thread<compute>]"
CORES = [("", "", ""), (", dm_core = 1", "", ""), (", dm_core = 0", ", dm_core = 1", "noc1 noc0"),
         ("", ", dm_core = 1", "noc1 noc0")]


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("first, second, processors", CORES)
def test_cores_of_threads(tmp_path, engine, first, second, processors):
    """dm_core assigns a thread to a data movement processor; it must not change values."""
    text = SPLIT.read_text().partition("// Rows of blocks")[0]
    plain, bound = tmp_path / "plain.mlir", tmp_path / "bound.mlir"
    plain.write_text(text)
    bound.write_text(text.replace(MOVERS, f"threads = [#d2m.thread<datamovement{first}>, "
                                          f"#d2m.thread<datamovement{second}>, #d2m.thread<compute>]"))
    found, wanted = (judge.tool("ttl-jit", "run", str(each), "--stats", f"--engine={engine}")
                     for each in (bound, plain))
    assert found.returncode == wanted.returncode == 0, found.stderr
    assert found.stdout == wanted.stdout and "hash" in found.stdout
    places = " ".join(line for line in found.stderr.splitlines() if "processors:" in line)
    movers = [each.partition("=")[2] for each in places.split() if "datamovement" in each]
    assert movers == processors.split()
