# SPDX-License-Identifier: Apache-2.0
"""A program as users write it: a kernel, and functions of ttnn that compute the expected result."""

import ttl
import ttnn


@ttl.operation(grid=(1, 1))
def relu_of_a_sum(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        for _ in range(4):
            with a_dfb.wait() as a_block, b_dfb.wait() as b_block, y_dfb.reserve() as y_block:
                y_block.store(ttl.relu(a_block + b_block))

    @ttl.datamovement()
    def reader():
        for i in range(2):
            for j in range(2):
                with a_dfb.reserve() as a_block, b_dfb.reserve() as b_block:
                    ttl.copy(a[i, j], a_block).wait()
                    ttl.copy(b[i, j], b_block).wait()

    @ttl.datamovement()
    def writer():
        for i in range(2):
            for j in range(2):
                with y_dfb.wait() as y_block:
                    ttl.copy(y_block, y[i, j]).wait()


def test_a_kernel_gives_the_bits_of_its_golden_result():
    with ttnn.manage_device(device_id=0) as device:
        options = dict(dtype=ttnn.bfloat16, device=device)
        a = ttnn.subtract(ttnn.rand((64, 64), **options), 0.5)
        b = ttnn.transpose(ttnn.rand((64, 64), **options))
        y = ttnn.empty_like(a)
        relu_of_a_sum(a, b, y)
        golden = ttnn.add(a, b, activations=["relu"])
        assert ttnn.eq(y, golden).to_numpy().all()
        relu_of_a_sum(a, ttnn.neg(y), y)
        assert ttnn.allclose(y, ttnn.relu(a - golden))
