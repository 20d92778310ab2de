"""Two operations that are launched in turn: the second reads the result of the first, which runs twice."""

import numpy as np
import ttl
import ttnn


def unary(function):
    @ttl.operation(grid=(1, 1))
    def apply(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            for column in range(2):
                with a_dfb.reserve() as a_blk:
                    ttl.copy(a[0:2, column], a_blk).wait()

        @ttl.compute()
        def compute():
            for _ in range(2):
                with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(function(a_blk))

        @ttl.datamovement()
        def writer():
            for column in range(2):
                with y_dfb.wait() as y_blk:
                    ttl.copy(y_blk, y[0:2, column]).wait()

    return apply


device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(4)
a = ttnn.from_numpy(rng.standard_normal((64, 64), dtype=np.float32), device=device)
y = ttnn.empty((64, 64), dtype=ttnn.float32, device=device)
first, second = unary(ttl.math.sigmoid), unary(ttl.math.abs)
first(a, y)
second(y, a)
first(a, y)
ttnn.close_device(device)
