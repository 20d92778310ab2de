"""Block expressions that if statements choose and loops carry."""
# feature: Conditions

import numpy as np
import ttl
import ttnn

STEPS = 5


@ttl.operation(grid=(2, 1))
def choose(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=3)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        node_x, _ = ttl.node(dims=2)
        i = 0
        while i < STEPS:
            with a_dfb.reserve() as a_blk:
                ttl.copy(a[i, node_x], a_blk).wait()
            i += 1

    @ttl.compute()
    def compute():
        node_x, _ = ttl.node(dims=2)
        last = ttl.block.fill(1.0, shape=(1, 1))
        for i in range(STEPS):
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                value = a_blk + last
                if i == 2 + node_x:
                    value = ttl.math.relu(value) - a_blk
                elif i > 2 and node_x == 0:
                    value = value * value
                y_blk.store(value)
                last = ttl.math.tanh(value)

    @ttl.datamovement()
    def writer():
        node_x, _ = ttl.node(dims=2)
        for i in range(STEPS - 1, -1, -1):
            row = STEPS - 1 - i
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[row, node_x]).wait()


device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(2)
shape = (STEPS * 32, 64)
a = ttnn.from_numpy(rng.standard_normal(shape, dtype=np.float32), device=device)
y = ttnn.empty(shape, dtype=ttnn.float32, device=device)
choose(a, y)
ttnn.close_device(device)
