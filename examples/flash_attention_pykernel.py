"""flash_attention.py in the oldest spelling, pykernel: buffers are parameters of kernel functions.

Each tensor has block factors, its tiles per node. A tensor that no kernel function names, here q and
out, is divided among the nodes, and the compiler copies the parts. k and v are streams: a reader takes
block after block. Releases of blocks need not be written: cb.pop() in a compute function waits for a
block, and in the reader the end of an iteration publishes what it reserved."""

import math

import numpy as np
import ttnn
from pykernel.d2m_api import *

from check import arguments, attention_golden, launch, report

ROWS, KV_BLOCKS, DEPTH = 4, 8, 32
TILE = (1, 1)


@pykernel_gen(grid=(ROWS, 1), block_factors=[TILE, TILE, TILE, TILE])
def attention(q, k, v, out, block_factors=None, grid=None):
    k_stream = Stream(k)
    v_stream = Stream(v)

    @compute()
    async def rows_of_q(q_cb, k_cb, v_cb, out_cb):
        q_block = q_cb.pop()
        largest = fill(-math.inf, TILE)
        weights = fill(0, TILE)
        total = fill(0, TILE)
        for _ in range(KV_BLOCKS):
            k_block = k_cb.pop()
            v_block = v_cb.pop()
            scores = (q_block @ transpose(k_block)) * (1 / math.sqrt(DEPTH))
            # rowmax and rowsum repeat their result in every column.
            larger = rowmax(scores, largest)
            power = exp(scores - larger)
            correction = exp(largest - larger)
            weights = weights * correction + rowsum(power)
            total = total * correction + power @ v_block
            largest = larger
        out_block = out_cb.reserve()
        out_block.store(total / weights)
        out_cb.pop()

    @datamovement()
    async def reader(q_cb, k_cb, v_cb, out_cb):
        for i in range(KV_BLOCKS):
            dma(k_stream[i, 0], k_cb.reserve()).wait()
            dma(v_stream[i, 0], v_cb.reserve()).wait()

    return Program(rows_of_q, reader)(q, k, v, out)


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    extents = (32 * ROWS, 32 * KV_BLOCKS, 32 * KV_BLOCKS)
    hosts = [rng.standard_normal((extent, DEPTH), dtype=np.float32) for extent in extents]
    out = np.zeros_like(hosts[0])
    times = launch(attention, *hosts, out)

    expected, allowed, allowed_on_card = attention_golden(*(host.astype(np.float64) for host in hosts))
    error = np.abs(out - expected)
    result = ttnn.from_numpy(out)
    report("flash_attention_pykernel", result, error, allowed, "", times, options.hash,
           card=(expected, allowed_on_card))


main()
