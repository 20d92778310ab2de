# SPDX-License-Identifier: Apache-2.0
"""A pass plugin plants mistakes. ttl-diff must find them, and reduce the programs that show them."""

import ast

import pytest
from diff_command import BUILD, DIFFERENT, outcome, ttl_diff

PLUGIN = BUILD / "lib" / "ttjit-test-passes.so"


def options_of(mistake, engine):
    return f"--engine={engine} --insert-pass=test-{mistake}@ttkernel"


def search(options, folder, *more):
    """Looks for a program whose results change with the mistake; returns the finished process."""
    process = ttl_diff("--generate", 200, "--engines=interp", "--schedules=fair", "--dma=",
                       "--stages=ttkernel", f"--options={options}", "--most-found", 1, "--found",
                       folder, *more, TTL_PASS_PLUGIN=str(PLUGIN))
    assert process.returncode == DIFFERENT, outcome(process)[1]


@pytest.mark.parametrize("mistake", ["drop-read-barriers", "next-page", "wrong-function"])
def test_a_planted_mistake_is_found(mistake, tmp_path):
    search(options_of(mistake, "jit"), tmp_path, "--no-reduce")
    assert len(list(tmp_path.glob("*.py"))) == 1


# Reducing a program takes a minute.
@pytest.mark.parametrize("mistake, engine", [
    ("swap-operands", "jit"), ("drop-fills", "jit"), ("stale-init", "emitted")])
def test_a_planted_mistake_is_found_and_made_small(mistake, engine, tmp_path):
    options = options_of(mistake, engine)
    # With one worker, it does not depend on times which program is found first.
    search(options, tmp_path, "--workers", 1)
    (file,) = tmp_path.glob("*.py")
    comments = [line for line in file.read_text().splitlines() if line.startswith("# ttl-diff ")]
    assert comments[:2] == ["# ttl-diff first: --engine=interp --schedule=fair",
                            f"# ttl-diff second: {options}"]
    assert kernel_lines(file) <= 15, file.read_text()
    replayed = ttl_diff("replay", file, TTL_PASS_PLUGIN=str(PLUGIN))
    assert replayed.returncode == DIFFERENT, outcome(replayed)[1]
    # The message names lines of the reduced program.
    first_line = replayed.stdout.splitlines()[0].removeprefix(f"{file}: ")
    assert comments[2] == f"# ttl-diff found: {first_line}"


def kernel_lines(file):
    """Returns how many lines the kernels in a file have."""
    kernels = [node for node in ast.parse(file.read_text()).body
               if isinstance(node, ast.FunctionDef) and node.decorator_list]
    return sum(len(line.strip()) > 0 for kernel in kernels for line in ast.unparse(kernel).splitlines())
