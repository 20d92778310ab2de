"""Sums of products over k: in float32 values, and in the block of the result."""
# feature: Products of matrices; Sums over a loop

import ttl
import ttnn

K_BLOCKS = 3


@ttl.operation(grid=(1, 2))
def matmul(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor, z: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 2), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(2, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=1)
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 1), block_count=1)

    @ttl.datamovement()
    def reader():
        _, row = ttl.node(dims=2)
        for k in range(0, 2 * K_BLOCKS, 2):
            with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                a_xf = ttl.copy(a[row, k : k + 2], a_blk)
                ttl.copy(b[k : k + 2, 0], b_blk).wait()
                a_xf.wait()

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as y_blk, z_dfb.reserve() as z_blk:
            total = ttl.block.fill(0, shape=(1, 1))
            for _ in range(K_BLOCKS):
                with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                    total += a_blk @ b_blk
                    z_blk.store(a_blk @ b_blk, acc=True)
            y_blk.store(total)

    @ttl.datamovement()
    def writer():
        _, row = ttl.node(dims=2)
        with y_dfb.wait() as y_blk, z_dfb.wait() as z_blk:
            ttl.copy(y_blk, y[row, 0]).wait()
            ttl.copy(z_blk, z[row, 0]).wait()


device = ttnn.open_device(device_id=0)
ttnn.manual_seed(3)
a = ttnn.rand((64, 64 * K_BLOCKS), dtype=ttnn.bfloat16, device=device, low=-1.0, high=1.0)
b = ttnn.rand((64 * K_BLOCKS, 32), dtype=ttnn.bfloat16, device=device, low=-1.0, high=1.0)
y = ttnn.empty((64, 32), dtype=ttnn.bfloat16, device=device)
z = ttnn.empty((64, 32), dtype=ttnn.bfloat16, device=device)
matmul(a, b, y, z)
ttnn.close_device(device)
