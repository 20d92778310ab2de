"""One body for all threads: loops, a branch in a loop, an accumulator."""
# feature: Unified bodies

import numpy as np
import ttl
import ttnn


@ttl.operation(grid=(2, 1))
def unified(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    node = ttl.node(dims=1)
    a_dfb = ttl.make_dfb(a.dtype, (1, 1))
    y_dfb = ttl.make_dfb(y.dtype, (1, 1))
    for row in range(2):
        with y_dfb.reserve() as y_blk:
            for column in range(node, 4, 2):
                with a_dfb.reserve() as a_blk:
                    ttl.copy(a[row, column], a_blk).wait()
                with a_dfb.wait() as a_blk:
                    if row == node:
                        y_blk.store(a_blk * 2, acc=True)
                    else:
                        y_blk.store(a_blk, acc=True)
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[row, node]).wait()


device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(5)
a = ttnn.from_numpy(rng.standard_normal((64, 128), dtype=np.float32), device=device)
y = ttnn.empty((64, 64), dtype=ttnn.float32, device=device)
unified(a, y)
ttnn.close_device(device)
