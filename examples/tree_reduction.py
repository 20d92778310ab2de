"""The sum of the tiles of 8 nodes in 3 steps, with semaphores.

In step i, every node whose number is an odd multiple of 2^i writes its sum to a tensor and counts up
a semaphore of the node 2^i before it, which waits for that before it reads. Writing ends (`wait`)
before the semaphore is counted up. Each step has its own semaphore: with one for all steps, a node
could take the count of a later step for that of an earlier one."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

STEPS = 3
NODES = 2**STEPS


@ttl.operation(grid=(NODES, 1))
def tree_sum(a: ttnn.Tensor, partial: ttnn.Tensor, y: ttnn.Tensor) -> None:
    in_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    sum_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)
    ready = [ttl.Semaphore() for _ in range(STEPS)]

    def receives(node, step):
        return node % 2 ** (step + 1) == 0

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with in_dfb.reserve() as own:
            ttl.copy(a[0, node], own).wait()
        for step in range(STEPS):
            if receives(node, step):
                ready[step].wait_ge(1)
                with in_dfb.reserve() as other:
                    ttl.copy(partial[0, node + 2**step], other).wait()

    @ttl.compute()
    def compute():
        node = ttl.node(dims=1)
        with sum_dfb.reserve() as total:
            with in_dfb.wait() as own:
                total.store(own, acc=True)
            for step in range(STEPS):
                if receives(node, step):
                    with in_dfb.wait() as other:
                        total.store(other, acc=True)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with sum_dfb.wait() as total:
            if node == 0:
                ttl.copy(total, y[0, 0]).wait()
            else:
                ttl.copy(total, partial[0, node]).wait()
        for step in range(STEPS):
            if node % 2 ** (step + 1) == 2**step:
                ready[step].get_remote((node - 2**step, 0)).inc(1)


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    a_host = rng.standard_normal((32, 32 * NODES), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    partial = ttnn.empty(a_host.shape, dtype=ttnn.float32, device=device)
    y = ttnn.empty((32, 32), dtype=ttnn.float32, device=device)
    times = launch(tree_sum, a, ttl.partial(partial), y)

    # numpy adds in the same order, so that its float32 sums have the same bits.
    expected = a_host.reshape(32, NODES, 32)
    while expected.shape[1] > 1:
        expected = expected[:, 0::2] + expected[:, 1::2]
    error = ulps(ttnn.to_numpy(y), expected[:, 0])
    report("tree_reduction", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
