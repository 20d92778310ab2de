"""Products of blocks with random shapes and element types, computed in random ways. The two arguments
are the first and the last seed. Checks each result with numpy and prints its hash."""

import random
import sys

import numpy as np
import ttl
import ttnn

TYPES = {"float32": 1e-5, "bfloat16": 2e-2, "bfloat8_b": 5e-2}  # element type: largest error of a result


def stored(y_blk, product, c_blk):
    y_blk.store(product())


def added(y_blk, product, c_blk):
    y_blk.store(product() + c_blk)


def accumulated(y_blk, product, c_blk):
    y_blk.store(c_blk, acc=True)
    y_blk.store(product(), acc=True)


def make(rows, inner, columns, blocks, way):
    """Returns an operation: y = c + a @ b over `blocks` blocks of a and b, or y = a @ b. `way` stores y."""

    @ttl.operation(grid=(1, 1))
    def operation(a, b, c, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(rows, inner))
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(inner, columns))
        c_dfb = ttl.make_dataflow_buffer_like(c, shape=(rows, columns), block_count=1)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(rows, columns), block_count=1)

        @ttl.datamovement()
        def reader():
            with c_dfb.reserve() as c_blk:
                ttl.copy(c[0:rows, 0:columns], c_blk).wait()
            for k in range(blocks):
                at = k * inner
                with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                    ttl.copy(a[0:rows, at : at + inner], a_blk).wait()
                    ttl.copy(b[at : at + inner, 0:columns], b_blk).wait()

        @ttl.compute()
        def compute():
            with c_dfb.wait() as c_blk, y_dfb.reserve() as y_blk:
                if blocks == 1:
                    with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                        way(y_blk, lambda: a_blk @ b_blk, c_blk)
                else:
                    total = ttl.block.fill(0, shape=(rows, columns))
                    for k in range(blocks):
                        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                            total += a_blk @ b_blk
                    way(y_blk, lambda: total, c_blk)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[0:rows, 0:columns]).wait()

    return operation


def run(seed, device):
    choose = random.Random(seed)
    rows, inner, columns = (choose.randint(1, 5) for _ in range(3))
    blocks = choose.choice((1, 1, 2, 3))
    way = choose.choice((stored, added, accumulated))
    types = [choose.choice(list(TYPES)) for _ in "abc"]
    types.append(choose.choice(("float32", "bfloat16")))
    rng = np.random.default_rng(seed)
    shapes = [(rows, inner * blocks), (inner * blocks, columns), (rows, columns), (rows, columns)]
    tensors = [
        ttnn.from_numpy(rng.uniform(-1, 1, (32 * x, 32 * y)).astype(np.float32),
                        dtype=getattr(ttnn, dtype), device=device)
        for (x, y), dtype in zip(shapes, types)
    ]
    make(rows, inner, columns, blocks, way)(*tensors)
    a, b, c, y = (ttnn.to_numpy(each).astype(np.float64) for each in tensors)
    expected = a @ b + (0 if way is stored else c)
    error = np.abs(y - expected).max() / np.abs(expected).max()
    assert error <= TYPES[types[3]], (seed, rows, inner, columns, blocks, way.__name__, types, error)
    print(f"hash {tensors[3].fingerprint():016x}")


def main():
    device = ttnn.open_device(device_id=0)
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        run(seed, device)
    ttnn.close_device(device)


main()
