# SPDX-License-Identifier: Apache-2.0
"""Kernels whose threads name processors: two passes add and remove these names; engines see no difference."""

import os
import pathlib
import subprocess

import pytest
from running import ROOT, environment, run

BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))
CORPUS = sorted((ROOT / "tests" / "corpus").glob("*.mlir"))
# Kernels with a reduction, a net of pipes, semaphores, and a deadlock.
KERNELS = ("reduce-rows", "pipe-questions", "many-semaphores", "fault-pipe-deadlock")


def ttl_opt(file, *passes):
    process = subprocess.run([BUILD / "bin" / "ttl-opt", file, *passes], capture_output=True, text=True,
                             env=environment())
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
def test_each_pass_undoes_the_other(file, tmp_path):
    plain, roles, again = (tmp_path / f"{name}.mlir" for name in ("plain", "roles", "again"))
    plain.write_text(ttl_opt(file, "--ttl-microcores-to-threads", "--ttl-split-unified-threads"))
    roles.write_text(ttl_opt(plain, "--ttl-threads-to-microcores"))
    again.write_text(ttl_opt(roles, "--ttl-microcores-to-threads"))
    assert again.read_text() == plain.read_text()
    assert ("ttl.tile_proc" in roles.read_text()) == ("_thread " in plain.read_text())
    assert ttl_opt(again, "--ttl-threads-to-microcores") == roles.read_text()


@pytest.mark.parametrize("engine", ("jit", "interp", "emitted"))
@pytest.mark.parametrize("name", KERNELS)
def test_engines_see_no_difference(name, engine, tmp_path):
    results = []
    for passes in ((), ("--ttl-threads-to-microcores",)):
        file = tmp_path / "kernel.mlir"
        file.write_text(ttl_opt(ROOT / "tests" / "corpus" / f"{name}.mlir", *passes, "--mlir-print-debuginfo"))
        trace = tmp_path / "trace.json"
        process = run(file, f"--engine={engine}", "--schedule=fair", f"--trace={trace}")
        results.append((process.returncode, process.stdout, process.stderr, trace.read_text()))
    assert "ttl.tile_proc" in file.read_text()
    assert results[0] == results[1]
