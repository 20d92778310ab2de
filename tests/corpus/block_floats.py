"""Products of block floats, and integers that are carried by a loop and a branch."""
# feature: Element types

import numpy as np
import ttl
import ttnn


@ttl.operation(grid=(1, 1))
def mixed(a: ttnn.Tensor, b: ttnn.Tensor, n: ttnn.Tensor, y: ttnn.Tensor, m: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1))
    n_dfb = ttl.make_dataflow_buffer_like(n, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    m_dfb = ttl.make_dataflow_buffer_like(m, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for tensor, dfb in ((a, a_dfb), (b, b_dfb), (n, n_dfb)):
            with dfb.reserve() as blk:
                ttl.copy(tensor[0, 0], blk).wait()

    @ttl.compute()
    def compute():
        x, _ = ttl.node(dims=2)
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, n_dfb.wait() as n_blk:
            with y_dfb.reserve() as y_blk:
                y_blk.store(a_blk @ b_blk + ttl.typecast(n_blk, ttnn.float32))
            with m_dfb.reserve() as m_blk:
                total = ttl.block.fill(1, shape=(1, 1), dtype=ttnn.int32)
                for i in range(x + 4):
                    if i % 2 == 0:
                        total = total * n_blk + 3
                    else:
                        total = total - ttl.typecast(a_blk, ttnn.int32)
                m_blk.store(total)

    @ttl.datamovement()
    def writer():
        for tensor, dfb in ((y, y_dfb), (m, m_dfb)):
            with dfb.wait() as blk:
                ttl.copy(blk, tensor[0, 0]).wait()


device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(2)
floats = [rng.standard_normal((32, 32), dtype=np.float32) * 9 for _ in range(2)]
a = ttnn.from_numpy(floats[0], ttnn.bfloat8_b, device=device)
b = ttnn.from_numpy(floats[1], ttnn.bfloat4_b, device=device)
n = ttnn.from_numpy(rng.integers(-(2**31), 2**31, (32, 32)).astype(np.int32), device=device)
y = ttnn.zeros((32, 32), ttnn.float16, device=device)
m = ttnn.zeros((32, 32), ttnn.int32, device=device)
mixed(a, b, n, y, m)
ttnn.close_device(device)
