"""x = relu(x + bias) in place, for a tensor in L1 that is cut into one shard per node.

The buffers of x are the shards themselves: publish() makes the input readable, and the results
are stored where the input was. So x is never copied, and its buffers take no memory of their
own; only the bias is read."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

ROWS, COLUMNS = 2, 4  # nodes
SHARD = (64, 96)  # elements


@ttl.operation(grid=(COLUMNS, ROWS))
def add_bias_relu(x: ttnn.Tensor, bias: ttnn.Tensor) -> None:
    height, width = SHARD[0] // 32, SHARD[1] // 32
    # A shard is its tiles, row by row: block k is row k of tiles.
    x_dfb = ttl.make_tensor_backed_dfb(x, shape=(1, width), block_count=height)
    y_dfb = ttl.make_tensor_backed_dfb(x, shape=(1, width), block_count=height)
    bias_dfb = ttl.make_dataflow_buffer_like(bias, shape=(1, width), block_count=1)

    @ttl.datamovement()
    def reader():
        column, _ = ttl.node()
        x_dfb.publish()
        with bias_dfb.reserve() as bias_blk:
            ttl.copy(bias[0, column * width : (column + 1) * width], bias_blk).wait()

    @ttl.compute()
    def compute():
        with bias_dfb.wait() as bias_blk:
            row = ttl.block.broadcast(bias_blk, dims=[0], shape=(1, width))
            for _ in range(height):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(ttl.math.relu(x_blk + row))


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    shape = (ROWS * SHARD[0], COLUMNS * SHARD[1])
    x_host = rng.standard_normal(shape, dtype=np.float32)
    bias_host = rng.standard_normal((1, shape[1]), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(COLUMNS - 1, ROWS - 1))
    shards = ttnn.ShardSpec(ttnn.CoreRangeSet([cores]), SHARD, ttnn.ShardOrientation.ROW_MAJOR)
    memory = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.BLOCK_SHARDED, ttnn.BufferType.L1, shards)
    x = ttnn.from_numpy(x_host, device=device, memory_config=memory)
    bias = ttnn.from_numpy(bias_host, device=device)
    times = launch(add_bias_relu, x, bias)

    expected = x_host
    for _ in range(2):  # launch() runs the kernel twice
        expected = np.maximum(expected + bias_host, 0)
    error = ulps(ttnn.to_numpy(x), expected)
    report("sharded_in_place", x, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
