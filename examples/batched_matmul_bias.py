"""y[i] = a[i] @ b[i] + bias for a batch of matrices: blocks of rank 3, one node per matrix.

Leading dimensions of a tensor count elements, so a block of shape (1, M, K) is one matrix. `@`
multiplies the matrices of two batches in pairs. The bias is one row for all."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

BATCH, M, K, N = 4, 2, 3, 2  # matrices; tiles


@ttl.operation(grid=(BATCH, 1))
def linear(a: ttnn.Tensor, b: ttnn.Tensor, bias: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, M, K))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, K, N))
    bias_dfb = ttl.make_dataflow_buffer_like(bias, shape=(1, 1, N))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, M, N))

    @ttl.datamovement()
    def reader():
        matrix = ttl.node(dims=1)
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk, bias_dfb.reserve() as bias_blk:
            ttl.copy(a[matrix], a_blk).wait()
            ttl.copy(b[matrix], b_blk).wait()
            ttl.copy(bias[0, :], bias_blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, bias_dfb.wait() as bias_blk:
            with y_dfb.reserve() as y_blk:
                y_blk.store(a_blk @ b_blk + ttl.math.broadcast(bias_blk, dims=[-2]))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[ttl.node(dims=1)]).wait()


def main():
    options = arguments(__doc__).parse_args()
    # Small integers: every product and every sum is exact.
    rng = np.random.default_rng(0)
    a_host = rng.integers(-99, 99, (BATCH, 32 * M, 32 * K)).astype(np.float32)
    b_host = rng.integers(-99, 99, (BATCH, 32 * K, 32 * N)).astype(np.float32)
    bias_host = rng.integers(-99, 99, (1, 32 * N)).astype(np.float32)

    device = ttnn.open_device(device_id=0)
    a, b, bias = (ttnn.from_numpy(host, device=device) for host in (a_host, b_host, bias_host))
    y = ttnn.empty((BATCH, 32 * M, 32 * N), dtype=ttnn.float32, device=device)
    times = launch(linear, a, b, bias, y)

    expected = a_host @ b_host + bias_host
    error = ulps(ttnn.to_numpy(y), expected)
    # On the card the sums go through a register with 10 bits of fraction before the bias is added.
    card = (expected, 2.0**-10 * (np.abs(a_host) @ np.abs(b_host)))
    report("batched_matmul_bias", y, error, 0, " ulp", times, options.hash, card)
    ttnn.close_device(device)


main()
