"""Every node gets the sum of all nodes' tiles, which travel once around a ring of pipes."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

NODES = 8


@ttl.operation(grid=(NODES,))
def all_reduce(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    in_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    hop_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)
    ring = ttl.PipeNet([ttl.Pipe(node, (node + 1) % NODES) for node in range(NODES)])

    # A node sends what it got in the turn before: first its own tile, then those of
    # the nodes behind it. One thread receives and another one sends, so that no
    # receive waits for a send of its own node.

    @ttl.datamovement()
    def receiver():
        node = ttl.node(dims=1)
        with in_dfb.reserve() as own:
            ttl.copy(a[0, node], own).wait()
        for _ in range(NODES - 1):
            with in_dfb.reserve() as block:
                ring.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as y_blk:
            for turn in range(NODES):
                with in_dfb.wait() as block:
                    y_blk += block
                    if turn < NODES - 1:
                        with hop_dfb.reserve() as hop:
                            hop.store(block)

    @ttl.datamovement()
    def sender():
        node = ttl.node(dims=1)
        for _ in range(NODES - 1):
            with hop_dfb.wait() as block:
                ring.if_src(lambda pipe: ttl.copy(block, pipe).wait())
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, node]).wait()


def main():
    options = arguments(__doc__).parse_args()
    # Integers: their sum is exact in any order, and every node adds in another order.
    rng = np.random.default_rng(0)
    a_host = rng.integers(-1000, 1000, (32, 32 * NODES)).astype(np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    y = ttnn.empty(a_host.shape, dtype=ttnn.float32, device=device)
    times = launch(all_reduce, a, y)

    total = a_host.reshape(32, NODES, 32).sum(axis=1)
    error = ulps(ttnn.to_numpy(y), np.tile(total, NODES))
    report("ring_all_reduce", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
