# SPDX-License-Identifier: Apache-2.0
"""The numbers that --stats prints."""

import json
import re

import pytest
from running import EXAMPLES, SUCCESS, USAGE, run

SEND = """
import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def send(a, y):
    net = ttl.PipeNet([ttl.Pipe(0, 1)])
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        def forward(pipe):
            with dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
                ttl.copy(block, pipe).wait()

        def receive(pipe):
            with dfb.reserve() as block:
                ttl.copy(pipe, block).wait()

        net.if_src(forward)
        net.if_dst(receive)

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            if ttl.node(dims=1) == 1:
                ttl.copy(block, y[0, 0]).wait()


send(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32))
"""


@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_bytes_over_pipes_are_counted_apart(engine, tmp_path):
    script = tmp_path / "send.py"
    script.write_text(SEND)
    process = run(script, f"--engine={engine}", "--stats")
    assert process.returncode == SUCCESS, process.stderr
    assert re.search(r"bytes moved: 4096 B read, 4096 B written in \d+ transfers", process.stderr)
    # A tile has 4096 bytes. The other 4 bytes are a word that announces the tile.
    assert re.search(r"bytes between cores: 4100 B sent, 4096 B copied on arrival",
                     process.stderr), process.stderr


def test_no_bytes_between_cores():
    process = run(EXAMPLES / "eltwise_add.py", "--stats")
    assert process.returncode == SUCCESS and "between cores" not in process.stderr


def test_stats_as_json(tmp_path):
    file = tmp_path / "stats.json"
    process = run(EXAMPLES / "eltwise_add.py", f"--stats={file}")
    assert process.returncode == SUCCESS and not process.stderr
    [kernel] = json.loads(file.read_text())
    assert kernel["kernel"] == "add" and set(kernel["engines"]) == {"reader", "compute", "writer"}
    assert kernel["launches"] == 2 and kernel["counts"]["bytes_read"] == 2 * 2 * 256 * 256 * 4
    assert kernel["best_ms"] <= kernel["first_ms"] <= kernel["total_ms"] and "ttl" in kernel["compile_ms"]


def test_stats_that_cannot_be_written(tmp_path):
    folder = tmp_path / "no"
    process = run(EXAMPLES / "eltwise_add.py", f"--stats={folder / 'stats.json'}")
    assert process.returncode == USAGE
    assert process.stderr == f"ttl-jit: --stats: {folder} is not a directory\n"
