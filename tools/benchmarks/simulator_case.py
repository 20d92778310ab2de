# SPDX-License-Identifier: Apache-2.0
"""Computes a * b + c with names that TT-Lang's Python simulator also has, to compare its speed with ttl-jit's:

    ttl-jit run simulator_case.py -- 20
    ttlang-sim simulator_case.py 3          (in an environment of the simulator)

The number says how often the kernel is launched. Prints the processor time of each launch after the
first one, and the largest error. docs/performance.md has the figures. Needs torch.
"""

import statistics
import sys
import time

import torch
import ttl
import ttnn

SIZE, BLOCK, NODES = 2048, 4, 8


@ttl.kernel(grid=(NODES, NODES))
def multiply_add(a, b, c, y):
    blocks = SIZE // 32 // BLOCK // NODES
    a_cb = ttl.make_circular_buffer_like(a, shape=(BLOCK, BLOCK), buffer_factor=2)
    b_cb = ttl.make_circular_buffer_like(b, shape=(BLOCK, BLOCK), buffer_factor=2)
    c_cb = ttl.make_circular_buffer_like(c, shape=(BLOCK, BLOCK), buffer_factor=2)
    y_cb = ttl.make_circular_buffer_like(y, shape=(BLOCK, BLOCK), buffer_factor=2)

    @ttl.compute()
    def compute():
        for _ in range(blocks * blocks):
            a_block = a_cb.wait()
            b_block = b_cb.wait()
            c_block = c_cb.wait()
            y_block = y_cb.reserve()
            y_block.store(a_block * b_block + c_block)
            y_cb.push()
            a_cb.pop()
            b_cb.pop()
            c_cb.pop()

    @ttl.datamovement()
    def read():
        x, z = ttl.core(dims=2)
        for i in range(blocks):
            for j in range(blocks):
                row, column = (x * blocks + i) * BLOCK, (z * blocks + j) * BLOCK
                for tensor, buffer in ((a, a_cb), (b, b_cb), (c, c_cb)):
                    block = buffer.reserve()
                    transfer = ttl.copy(tensor[row : row + BLOCK, column : column + BLOCK], block)
                    transfer.wait()
                    buffer.push()

    @ttl.datamovement()
    def write():
        x, z = ttl.core(dims=2)
        for i in range(blocks):
            for j in range(blocks):
                row, column = (x * blocks + i) * BLOCK, (z * blocks + j) * BLOCK
                block = y_cb.wait()
                transfer = ttl.copy(block, y[row : row + BLOCK, column : column + BLOCK])
                transfer.wait()
                y_cb.pop()


def tensor(values):
    device = ttnn.open_device(device_id=0)
    return ttnn.from_torch(values.to(torch.bfloat16), layout=ttnn.TILE_LAYOUT, device=device)


def main(launches):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    a, b, c = (tensor(torch.rand(SIZE, SIZE)) for _ in range(3))
    y = tensor(torch.zeros(SIZE, SIZE))
    times = []
    for _ in range(launches):
        start = time.process_time()
        multiply_add(a, b, c, y)
        times.append(1e3 * (time.process_time() - start))
    exact = ttnn.to_torch(a).float() * ttnn.to_torch(b).float() + ttnn.to_torch(c).float()
    error = float((ttnn.to_torch(y).float() - exact).abs().max())
    print(f"{statistics.median(times[1:] or times):.4g} ms of processor time per launch, largest error {error:.2g}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
