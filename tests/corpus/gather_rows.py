"""Two nodes take rows of tiles in turn. Each computes from its coordinate which rows are its own."""
# feature: Row-major tensors; Single elements

import numpy as np
import ttl
import ttnn

ROWS, COLUMNS = 4, 2


@ttl.operation(grid=(2, 1))
def scale(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, COLUMNS), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, COLUMNS), block_count=2)

    @ttl.datamovement()
    def reader():
        node_x, _ = ttl.node(dims=2)
        for i in range(ROWS):
            if i % 2 == node_x:
                with a_dfb.reserve() as a_blk:
                    ttl.copy(a[i : i + 1, 0:COLUMNS], a_blk).wait()

    @ttl.compute()
    def compute():
        node_x, _ = ttl.node(dims=2)
        for i in range(ROWS // 2):
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                if i == node_x:
                    y_blk.store(ttl.math.exp(a_blk))
                else:
                    y_blk.store(a_blk * a_blk - a_blk)

    @ttl.datamovement()
    def writer():
        node_x, _ = ttl.node(dims=2)
        for i in range(node_x, ROWS, 2):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[i : i + 1, 0:COLUMNS]).wait()


device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(1)
a = ttnn.from_numpy(rng.standard_normal((ROWS * 32, COLUMNS * 32), dtype=np.float32), device=device)
y = ttnn.empty((ROWS * 32, COLUMNS * 32), dtype=ttnn.float32, device=device)
scale(a, y)
ttnn.close_device(device)
