"""Eight functions of ttl.math in one compute kernel; every step is stored and checked."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report

# Steps in the order in which the kernel stores them: numpy's function and the ulps allowed.
STEPS = [
    ("neg", np.negative, 0),
    ("tanh", np.tanh, 0.51),
    ("exp", np.exp, 0.51),
    ("sqrt", np.sqrt, 0.5),
    ("recip", np.reciprocal, 0.5),
    ("sigmoid", lambda x: 1 / (1 + np.exp(-x)), 0.51),
    ("abs", np.abs, 0),
    ("relu", lambda x: np.maximum(x, 0), 0),
]


@ttl.operation(grid="auto")
def exp_chain(x: ttnn.Tensor, y: ttnn.Tensor) -> None:
    grid_x, grid_y = ttl.grid_size(dims=2)
    rows = x.shape[0] // ttl.TILE_SHAPE[0]
    columns = x.shape[1] // ttl.TILE_SHAPE[1]
    steps = len(STEPS)

    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=4)

    @ttl.datamovement()
    def reader():
        node_x, node_y = ttl.node(dims=2)
        for row in range(node_y, rows, grid_y):
            for column in range(node_x, columns, grid_x):
                with x_dfb.reserve() as x_blk:
                    ttl.copy(x[row, column], x_blk).wait()

    @ttl.compute()
    def compute():
        node_x, node_y = ttl.node(dims=2)
        for _ in range(node_y, rows, grid_y):
            for _ in range(node_x, columns, grid_x):
                with x_dfb.wait() as x_blk:
                    negated = ttl.math.neg(x_blk)
                    bounded = ttl.math.tanh(negated)
                    grown = ttl.math.exp(bounded)
                    root = ttl.math.sqrt(grown)
                    inverse = ttl.math.recip(root)
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(negated)
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(bounded)
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(grown)
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(root)
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(inverse)
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(ttl.math.sigmoid(x_blk))
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(ttl.math.abs(x_blk))
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(ttl.math.relu(x_blk))

    @ttl.datamovement()
    def writer():
        node_x, node_y = ttl.node(dims=2)
        for row in range(node_y, rows, grid_y):
            for column in range(node_x, columns, grid_x):
                for step in range(steps):
                    with y_dfb.wait() as y_blk:
                        ttl.copy(y_blk, y[step, row, column]).wait()


def main():
    options = arguments(__doc__).parse_args()
    x_host = np.random.default_rng(0).uniform(-4, 4, (256, 256)).astype(np.float32)

    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(x_host, device=device)
    y = ttnn.empty((len(STEPS), *x_host.shape), dtype=ttnn.float32, device=device)
    times = launch(exp_chain, x, y)

    # Each step is compared with numpy on the step's own input: the step before it, or x.
    results = ttnn.to_numpy(y)
    error, allowed, exact = (np.empty(results.shape) for _ in range(3))
    for i, (name, function, bound) in enumerate(STEPS):
        source = x_host if name in ("neg", "sigmoid", "abs", "relu") else results[i - 1]
        exact[i] = expected = function(source.astype(np.float64))
        error[i] = np.abs(results[i] - expected) / np.spacing(np.abs(expected).astype(np.float32))
        allowed[i] = bound
    # The card's reciprocal has the largest relative error, 1.5e-3.
    card = (exact, 1.5e-3 * np.abs(exact))
    report("exp_chain", y, error, allowed, " ulp", times, options.hash, card)
    ttnn.close_device(device)


main()
