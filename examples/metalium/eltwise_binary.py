# SPDX-License-Identifier: Apache-2.0
"""y = a + b with the matrix engine, by three kernels in C++ on 2x2 cores."""

import pathlib

import numpy as np
import ttnn

KERNELS = pathlib.Path(__file__).parent / "kernels"
SHAPE = (256, 128)
A, B, Y = range(3)  # circular buffers


def circular_buffer(index, dtype, cores, page_bytes):
    """Room for two tiles."""
    formats = [ttnn.CBFormatDescriptor(index, dtype, page_bytes)]
    return ttnn.CBDescriptor(2 * page_bytes, cores, formats)


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    a, b = (ttnn.from_numpy(rng.random(SHAPE, np.float32), device=device) for _ in range(2))
    y = ttnn.zeros(SHAPE, device=device)

    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 1))])
    tiles, page_bytes = SHAPE[0] * SHAPE[1] // 1024, 4096
    per_core = tiles // 4
    shares = [(core, [i * per_core, per_core]) for i, core in enumerate(cores.cores())]

    def accessor(tensor):
        return ttnn.TensorAccessorArgs(tensor).get_compile_time_args()

    reader = ttnn.KernelDescriptor(
        kernel_source=str(KERNELS / "read_two.cpp"), core_ranges=cores, runtime_args=shares,
        compile_time_args=[A, B, *accessor(a), *accessor(b)],
        common_runtime_args=[a.buffer_address(), b.buffer_address()],
        config=ttnn.ReaderConfigDescriptor())
    compute = ttnn.KernelDescriptor(
        kernel_source=str(KERNELS / "add.cpp"), core_ranges=cores, compile_time_args=[A, B, Y],
        runtime_args=[(core, [per_core]) for core in cores.cores()],
        config=ttnn.ComputeConfigDescriptor(fp32_dest_acc_en=True))
    writer = ttnn.KernelDescriptor(
        kernel_source=str(KERNELS / "write.cpp"), core_ranges=cores, runtime_args=shares,
        compile_time_args=[Y, *accessor(y)], common_runtime_args=[y.buffer_address()],
        config=ttnn.WriterConfigDescriptor())
    buffers = [circular_buffer(index, ttnn.float32, cores, page_bytes) for index in (A, B, Y)]
    program = ttnn.ProgramDescriptor(kernels=[reader, compute, writer], cbs=buffers)

    result = ttnn.generic_op([a, b, y], program)
    assert np.array_equal(ttnn.to_numpy(result), ttnn.to_numpy(a) + ttnn.to_numpy(b))
    print("eltwise_binary: equal to numpy")
    ttnn.close_device(device)


main()
