"""Every node gets the tiles of all nodes: each passes on what it got, once around a ring of pipes.

After `turn` turns a node holds the tile of the node that is `turn` places before it in the ring, and
writes it into its own row of the result. Only neighbours exchange tiles, and each node reads memory
once. Every node sends before it receives: a pipe has room for one block, so no node waits forever."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

NODES = 6


@ttl.operation(grid=(NODES, 1))
def all_gather(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    ring = ttl.PipeNet([ttl.Pipe(node, (node + 1) % NODES) for node in range(NODES)])

    # One thread receives and another one sends, so that no receive waits for a send of its own
    # node.

    @ttl.datamovement()
    def receiver():
        with dfb.reserve() as own:
            ttl.copy(a[0, ttl.node(dims=1)], own).wait()
        for _ in range(NODES - 1):
            with dfb.reserve() as block:
                ring.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

    @ttl.datamovement()
    def sender():
        node = ttl.node(dims=1)
        for turn in range(NODES):
            with dfb.wait() as block:
                if turn < NODES - 1:
                    ring.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                ttl.copy(block, y[node, (node - turn) % NODES]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    a_host = rng.standard_normal((32, 32 * NODES), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    y = ttnn.empty((32 * NODES, 32 * NODES), dtype=ttnn.float32, device=device)
    times = launch(all_gather, a, y)

    error = ulps(ttnn.to_numpy(y), np.tile(a_host, (NODES, 1)))
    report("ring_all_gather", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
