"""A kernel that moves blocks in many ways. The argument is the element type. Prints a hash of each result."""

import sys

import numpy as np
import ttl
import ttnn

SHAPE = (256, 192)  # 8 x 6 tiles


@ttl.operation(grid=(2, 1))
def move(a, b, y, z):
    """z is read and written. Each tile of y is written, most of them several times."""
    whole = ttl.make_dataflow_buffer_like(a, shape=(4, 3))
    column = ttl.make_dataflow_buffer_like(a, shape=(4, 1))
    row = ttl.make_dataflow_buffer_like(b, shape=(1, 3))
    forwarded = ttl.make_dataflow_buffer_like(a, shape=(4, 3), block_count=1)
    result = ttl.make_dataflow_buffer_like(y, shape=(4, 3))
    in_place = ttl.make_dataflow_buffer_like(z, shape=(1, 3))
    changed = ttl.make_dataflow_buffer_like(z, shape=(1, 3))

    @ttl.datamovement()
    def reader():
        x = ttl.node(dims=1)
        for half in range(2):
            i = half * 4
            with whole.reserve() as blk:
                ttl.copy(a[i : i + 4, x * 3 : x * 3 + 3], blk).wait()
            for j in range(3):
                with column.reserve() as blk:
                    if j == 1:
                        ttl.copy(b[i : i + 4, x * 3], blk).wait()
                    else:
                        ttl.copy(b[i : i + 4, x * 3 + j], blk).wait()
            steps = 0
            while True:
                with row.reserve() as blk:
                    ttl.copy(b[i + steps : i + steps + 1, x * 3 : x * 3 + 3], blk).wait()
                steps += 1
                if steps == 2:
                    break
            with forwarded.reserve() as blk:
                ttl.copy(b[4 - i : 8 - i, 0:3], blk).wait()
        for i in range(4):
            with in_place.reserve() as blk:
                ttl.copy(z[i * 2 + x : i * 2 + x + 1, 0:3], blk).wait()

    @ttl.compute()
    def compute():
        for half in range(2):
            with whole.wait() as blk, result.reserve() as out:
                out.store(blk * blk - blk)
            with result.reserve() as out:
                with column.wait() as first:
                    out.store(ttl.math.broadcast(first, dims=[1], shape=(4, 3)))
            with result.reserve() as out:
                with column.wait() as second, column.wait() as third:
                    out.store(ttl.math.broadcast(second - third, dims=[1], shape=(4, 3)))
            with result.reserve() as out:
                with row.wait() as first, row.wait() as second:
                    out.store(ttl.math.broadcast(first + second, dims=[0], shape=(4, 3)))
        for i in range(4):
            with in_place.wait() as blk, changed.reserve() as out:
                out.store(blk + blk)

    @ttl.datamovement()
    def writer():
        x = ttl.node(dims=1)
        for half in range(2):
            i = half * 4
            for part in range(4):
                with result.wait() as blk:
                    if part != 2 or half == 0:
                        ttl.copy(blk, y[i : i + 4, x * 3 : x * 3 + 3]).wait()
            with forwarded.wait() as blk:
                if half == 1:
                    ttl.copy(blk, y[i : i + 4, x * 3 : x * 3 + 3]).wait()
        for i in range(4):
            with changed.wait() as blk:
                ttl.copy(blk, z[i * 2 + x : i * 2 + x + 1, 0:3]).wait()


def main():
    dtype = getattr(ttnn, sys.argv[1])
    device = ttnn.open_device(device_id=0)
    values = np.random.default_rng(7).standard_normal((4, *SHAPE)).astype(np.float32)
    a, b, y, z = [ttnn.from_numpy(x, dtype=dtype, device=device) for x in values]
    for inputs in ((a, b), (b, b)):
        move(*inputs, y, z)
        for result in (a, b, y, z):
            print(f"hash {result.fingerprint():016x}")
    ttnn.close_device(device)


main()
