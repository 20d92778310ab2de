"""y = sqrt(a * a + b * b): an operation made of two others.

Operations that take buffers describe a part of the work. A call in the body of another operation
puts their statements in its place; the buffer between the two parts connects them. The compiler
then splits the whole body into threads, as in eltwise_add_unified.py."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps


@ttl.operation()
def sum_of_squares(a: ttl.DFB, b: ttl.DFB, out: ttl.DFB) -> None:
    a_blk = a.wait()
    b_blk = b.wait()
    out.reserve().store(a_blk * a_blk + b_blk * b_blk)


@ttl.operation()
def root(x: ttl.DFB, out: ttl.DFB) -> None:
    out.reserve().store(ttl.math.sqrt(x.wait()))


@ttl.operation(grid=(2, 1))
def magnitude(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    nodes = ttl.grid_size(dims=1)
    a_dfb, b_dfb, squares_dfb, y_dfb = (ttl.make_dfb(a.dtype, shape=(1, 2)) for _ in range(4))

    for row in range(ttl.node(dims=1), a.shape[0] // 32, nodes):
        for column in range(0, a.shape[1] // 32, 2):
            ttl.copy(a[row, column : column + 2], a_dfb.reserve()).wait()
            ttl.copy(b[row, column : column + 2], b_dfb.reserve()).wait()
            sum_of_squares(a_dfb, b_dfb, squares_dfb)
            root(squares_dfb, y_dfb)
            ttl.copy(y_dfb.wait(), y[row, column : column + 2]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    a_host = rng.standard_normal((128, 128), dtype=np.float32)
    b_host = rng.standard_normal((128, 128), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    b = ttnn.from_numpy(b_host, device=device)
    y = ttnn.empty(a_host.shape, dtype=ttnn.float32, device=device)
    times = launch(magnitude, a, b, y)

    # Every operation is rounded once, as in numpy.
    expected = np.sqrt(a_host * a_host + b_host * b_host)
    error = ulps(ttnn.to_numpy(y), expected)
    # The card's root is off by an ulp.
    card = (expected, 2.0**-23 * expected)
    report("composition", y, error, 0, " ulp", times, options.hash, card)
    ttnn.close_device(device)


main()
