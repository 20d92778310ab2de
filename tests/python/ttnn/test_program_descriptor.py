# SPDX-License-Identifier: Apache-2.0
"""A compiled kernel as descriptors that ttnn.generic_op runs, and the formats and cores in them.
feature: Descriptors of ttnn; Programs of C++ kernels"""

import numpy as np
import pytest
import ttl
import ttnn

DEVICE = ttnn.open_device(device_id=0)


@ttl.operation(grid=(2, 2))
def scaled(x, y, factor=2.0):
    """Each node computes a tile. Node (0, 0) sends one of its tiles to the other nodes by a pipe, so that
    the program has semaphores and run-time arguments."""
    x_dfb, own_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, x, y))
    net = ttl.PipeNet([ttl.Pipe(src=(0, 0), dst=(slice(0, 2), slice(0, 2)))])

    @ttl.datamovement()
    def reader():
        row, column = ttl.node(dims=2)
        ttl.copy(x[row, column], own_dfb.reserve()).wait()
        with x_dfb.reserve() as block:
            def send(pipe):
                ttl.copy(x[0, 0], block).wait()
                ttl.copy(block, pipe).wait()

            net.if_src(send)
            net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

    @ttl.compute()
    def compute():
        with x_dfb.wait() as first, own_dfb.wait() as own, y_dfb.reserve() as out:
            out.store(own * factor + first)

    @ttl.datamovement()
    def writer():
        row, column = ttl.node(dims=2)
        ttl.copy(y_dfb.wait(), y[row, column]).wait()


def tensors():
    values = np.random.default_rng(1).standard_normal((64, 64)).astype(np.float32)
    return ttnn.from_numpy(values, device=DEVICE), ttnn.zeros((64, 64), dtype=ttnn.float32, device=DEVICE)


def test_generic_op_runs_the_descriptor():
    x, y = tensors()
    scaled(x, y, 3.0)
    z = ttnn.zeros((64, 64), dtype=ttnn.float32, device=DEVICE)
    descriptor = scaled.compile(x, z, 3.0).program_descriptor(x, z)
    assert isinstance(descriptor, ttnn.ProgramDescriptor)
    ttnn.generic_op([x, z], descriptor)
    assert ttnn.to_numpy(z).tobytes() == ttnn.to_numpy(y).tobytes()


def test_the_descriptor_has_what_the_kernel_needs():
    x, y = tensors()
    descriptor = scaled.compile(x, y).program_descriptor(x, y)
    source_code = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
    assert [kernel.source_type for kernel in descriptor.kernels] == [source_code] * 3
    assert all("kernel_main()" in kernel.kernel_source for kernel in descriptor.kernels)
    for each in (*descriptor.cbs, *descriptor.semaphores):
        assert each.core_ranges.num_cores() == 4, each
    assert {x.buffer_address(), y.buffer_address()} <= {
        word for kernel in descriptor.kernels for word in kernel.common_runtime_args}


def test_other_tensors_get_their_addresses():
    x, y = tensors()
    kernel = scaled.compile(x, y)
    for _ in range(2):
        a, b = tensors()
        ttnn.generic_op([a, b], kernel.program_descriptor(a, b))
        scaled(x, y)
        assert ttnn.to_numpy(b).tobytes() == ttnn.to_numpy(y).tobytes()


def test_tensors_on_the_host_are_refused():
    x, y = tensors()
    kernel = scaled.compile(ttnn.from_numpy(ttnn.to_numpy(x)), y)
    with pytest.raises(ValueError, match="needs the address of x, which is on the host: make it with device="):
        kernel.program_descriptor(ttnn.from_numpy(ttnn.to_numpy(x)), y)
    with pytest.raises(TypeError, match="kernel scaled was compiled for x = a tensor"):
        kernel.program_descriptor(ttnn.zeros((32, 32), dtype=ttnn.float32, device=DEVICE), y)
    with pytest.raises(TypeError, match="kernel scaled: missing a required argument"):
        kernel.program_descriptor(y)


def test_what_cpp_cannot_express_is_an_error_at_its_line():
    @ttl.operation(grid=(1, 1))
    def scaled_sum(x, y):
        x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))
        ttl.copy(x[0, 0], x_dfb.reserve()).wait()
        a = x_dfb.wait()
        y_dfb.reserve().store(ttl.reduce_sum(a, a, dims=[0]))
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    x, y = (ttnn.zeros((32, 32), dtype=ttnn.uint32, device=DEVICE) for _ in range(2))
    with pytest.raises(ttl.CompileError, match="of integer blocks with a scaler") as caught:
        scaled_sum.compile(x, y).program_descriptor(x, y)
    assert caught.value.file.endswith("test_program_descriptor.py")


def test_format_is_another_name_of_data_format():
    old = ttnn.CBFormatDescriptor(buffer_index=3, format=ttnn.bfloat16, page_size=2048)
    assert old.data_format == ttnn.bfloat16 and old.buffer_index == 3
    with pytest.raises(TypeError, match="'format' is unknown or was given twice"):
        ttnn.CBFormatDescriptor(data_format=ttnn.bfloat16, format=ttnn.bfloat16)
