# SPDX-License-Identifier: Apache-2.0
"""Tile i of the shard of core j becomes tile j of the shard of core i: each core reads from the L1 of the others."""

import numpy as np
import ttnn
from programs import TILE_BYTES, grid, kernel, run

CORES = 3


def main():
    device = ttnn.open_device(device_id=0)
    side = 32 * CORES
    values = np.random.default_rng(0).random((side, side), np.float32)
    cores = grid(1, CORES)
    sharded = ttnn.create_sharded_memory_config((side, side), cores, ttnn.ShardStrategy.HEIGHT)
    x = ttnn.from_numpy(values, device=device, memory_config=sharded)
    y = ttnn.zeros((side, side), device=device, memory_config=sharded)

    all_cores = list(cores.cores())
    places = [core.x for core in all_cores] + [core.y for core in all_cores]
    reader = kernel("exchange_shards.cpp", "reader", cores, [TILE_BYTES], [x, y],
                    lambda core: [core.y, CORES, *places])
    result = run([x, y], [reader], [])
    tiles = values.reshape(CORES, 32, CORES, 32)
    assert np.array_equal(result, tiles.transpose(2, 1, 0, 3).reshape(side, side))
    print("exchange_shards: equal")
    ttnn.close_device(device)


main()
