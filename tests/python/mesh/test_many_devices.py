# SPDX-License-Identifier: Apache-2.0
"""Kernels on more devices than the coordinates in a card's NoC addresses could number."""

import numpy as np
import pytest
import ttl
import ttnn
from meshes import opened, put

RING = ttnn.Topology.Ring


@pytest.mark.parametrize("options", ["--engine=jit", "--engine=interp"])
def test_nodes_behind_column_255_are_reached(options):
    """Each of 40 devices has 8 columns of nodes, so the last ones are beyond 255. all_gather uses each node."""
    with opened(40) as mesh, ttl.options(options):
        parts = np.arange(40 * 32)[:, None].repeat(256, 1) % 251
        x = put(parts, mesh, dtype=ttnn.uint8)
        for _ in range(2):
            whole = ttnn.all_gather(x, 0, topology=RING, lanes=8)
        for part in (0, 31, 32, 39):
            assert np.array_equal(ttnn.get_device_tensors(whole)[part].to_numpy(), parts)


def test_semaphores_behind_column_255():
    line = ttl.DeviceDomain((40,))

    @ttl.operation(grid=(8, 1), device_domain=line)
    def count(x, y):
        arrived = ttl.Semaphore()
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def read():
            if line.current_index() == 0:
                arrived.get_remote(line[39].at_node(7, 0)).inc(1)
            if line.current_index() == 39:
                if ttl.node(dims=1) == 7:
                    arrived.wait_ge(8)
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

        @ttl.datamovement()
        def write():
            with dfb.wait() as block:
                ttl.copy(block, y[0, ttl.node(dims=1)]).wait()

    with opened(40) as mesh:
        x, y = put(np.ones((40 * 32, 32)), mesh), put(np.zeros((40 * 32, 256)), mesh)
        count(x, y)
        assert (ttnn.get_device_tensors(y)[39].to_numpy() == 1).all()


def test_multicasts_behind_column_255_are_refused():
    @ttl.operation(grid=(8, 1))
    def spread(x):
        net = ttl.PipeNet([ttl.Pipe((0, 0), (slice(0, 8), 0))])
        sent, got = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))

        @ttl.datamovement()
        def send():
            if net.is_src():
                with sent.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
                with sent.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.datamovement()
        def receive():
            with got.reserve() as block:
                net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
            with got.wait() as block:
                pass

    with opened(40) as mesh:
        with pytest.raises(ttl.CompileError, match="multicasts on several devices can reach at most 236"):
            spread(put(np.ones((40 * 32, 32)), mesh))
