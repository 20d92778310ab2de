# SPDX-License-Identifier: Apache-2.0
"""The device of ttnn, and programs of kernels in C++ that it runs."""

import warnings

import numpy as np
import pytest
import ttl
import ttnn


def test_the_device_of_the_session():
    device = ttnn.open_device()
    with ttnn.manage_device(device_id=0) as managed:
        assert managed is device and isinstance(device, ttnn.Device)
    assert ttnn.GetDefaultDevice() is device
    ttnn.SetDefaultDevice(device)
    assert ttnn.GetDefaultDevice() is device
    ttnn.SetDefaultDevice(None)
    assert ttnn.CreateDevice(0) is device
    config = ttnn.DispatchCoreConfig(ttnn.DispatchCoreType.WORKER, ttnn.DispatchCoreAxis.ROW)
    assert ttnn.open_device(device_id=0, dispatch_core_config=config) is device
    ttnn.CloseDevice(device)
    ttnn.synchronize_device(device)
    ttnn.synchronize_device()
    assert ttnn.get_num_devices() == ttnn.GetNumAvailableDevices() == len(ttnn.get_device_ids())


def test_the_chip():
    device = ttnn.open_device()
    assert ttnn.get_arch_name() == "wormhole_b0" == ttnn.device.Arch.WORMHOLE_B0
    assert ttnn.device.is_wormhole_b0(device) and not ttnn.device.is_blackhole()
    grid = device.compute_with_storage_grid_size()
    assert device.core_grid == ttnn.CoreGrid(y=grid.y, x=grid.x)
    device.enable_program_cache()
    device.disable_and_clear_program_cache()
    with pytest.raises(TypeError, match="device=3: expected a device from ttnn.open_device"):
        ttnn.SetDefaultDevice(3)


def test_creation_with_positional_arguments():
    device = ttnn.open_device()
    tensor = ttnn.zeros((3, 5), ttnn.bfloat16, ttnn.ROW_MAJOR_LAYOUT, device,
                        ttnn.DRAM_MEMORY_CONFIG)
    assert tensor.layout is ttnn.ROW_MAJOR_LAYOUT and tensor.device() is device
    assert ttnn.full((2,), 3, ttnn.float32, ttnn.TILE_LAYOUT, device).to_list() == [3, 3]


def test_creation_like_a_tensor():
    device = ttnn.open_device()
    tensor = ttnn.rand((3, 5), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    for make, value in ((ttnn.zeros_like, 0), (ttnn.ones_like, 1), (ttnn.empty_like, 0)):
        made = make(tensor)
        assert made.shape == (3, 5) and made.dtype is ttnn.bfloat16 and made.device() is device
        assert made.layout is ttnn.ROW_MAJOR_LAYOUT and (made.to_numpy() == value).all()
        assert make(tensor, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT).dtype is ttnn.float32
    assert ttnn.full_like(tensor, 2.5).to_numpy()[2, 4] == 2.5
    assert ttnn.full((3, 5), 7, optional_tensor=tensor) is tensor and tensor.to_numpy()[0, 0] == 7
    with pytest.raises(TypeError, match="input_tensor: expected a ttnn.Tensor"):
        ttnn.zeros_like((3, 5))


def test_sequences_of_numbers():
    assert ttnn.arange(4).to_list() == [0, 1, 2, 3] and ttnn.arange(4).dtype is ttnn.float32
    assert ttnn.arange(1, 8, 3, dtype=ttnn.bfloat16).to_list() == [1, 4, 7]
    assert ttnn.arange(start=0, end=-2, step=-1).to_list() == [0, -1]
    assert ttnn.arange(0, 1, 0.25).to_list() == [0, 0.25, 0.5, 0.75]
    for arguments, message in (((3, 1), "no numbers from 3 to 1"), ((0, 3, 0), "step=0")):
        with pytest.raises(ValueError, match=message):
            ttnn.arange(*arguments)


def test_normal_random_numbers():
    ttnn.manual_seed(3)
    values = ttnn.randn((100, 100)).to_numpy()
    assert abs(values.mean()) < 0.05 and abs(values.std() - 1) < 0.05


def test_allocation_needs_a_device():
    device = ttnn.open_device()
    tensor = ttnn.allocate_tensor_on_device(
        ttnn.Shape([3, 5]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.DRAM_MEMORY_CONFIG
    )
    assert tensor.device() is device and tensor.shape == (3, 5)
    with pytest.raises(ValueError, match="expected device="):
        ttnn.allocate_tensor_on_device((3, 5))


def test_compute_configurations():
    config = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4,
                                              fp32_dest_acc_en=True)
    assert config.fp32_dest_acc_en and config.math_fidelity is ttnn.MathFidelity.HiFi4
    made = ttnn.init_device_compute_kernel_config(
        ttnn.open_device().arch(), math_fidelity=ttnn.MathFidelity.HiFi4, fp32_dest_acc_en=True
    )
    assert made == config and hash(made) == hash(config)
    assert ttnn.init_device_compute_kernel_config("x", config) is config


# ===--------------------------------------------------------------------------=== #
# Programs of kernels in C++
# ===--------------------------------------------------------------------------=== #


def program():
    cores = ttnn.CoreRangeSet([ttnn.CoreRange((0, 0), (1, 1))])
    buffer = ttnn.CBDescriptor(
        total_size=4096, core_ranges=cores,
        format_descriptors=[ttnn.CBFormatDescriptor(0, ttnn.bfloat16, 2048)],
    )
    arguments = ttnn.RuntimeArgs()
    arguments[0][1] = [1, 2]
    kernel = ttnn.KernelDescriptor(
        kernel_source="reader.cpp", core_ranges=cores, compile_time_args=[0],
        runtime_args=arguments, config=ttnn.ReaderConfigDescriptor(),
    )
    return ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[], cbs=[buffer])


def test_descriptors_hold_what_they_are_given():
    made = program()
    kernel, buffer = made.kernels[0], made.cbs[0]
    assert kernel.source_type is ttnn.KernelDescriptor.SourceType.FILE_PATH
    assert kernel.compile_time_args == [0] and kernel.defines == []
    assert list(kernel.runtime_args) == [((0, 1), [1, 2])] and len(kernel.runtime_args) == 1
    assert buffer.format_descriptors[0].page_size == 2048 and buffer.total_size == 4096
    kernel.defines.append(("A", "1"))
    assert ttnn.KernelDescriptor().defines == []
    compute = ttnn.ComputeConfigDescriptor(fp32_dest_acc_en=True)
    compute.unpack_to_dest_mode = [ttnn.UnpackToDestMode.UnpackToDestFp32]
    assert compute.math_fidelity is ttnn.MathFidelity.HiFi4 and compute.fp32_dest_acc_en
    assert ttnn.SemaphoreDescriptor(initial_value=3).initial_value == 3
    assert ttnn.DataMovementConfigDescriptor().noc is ttnn.NOC.RISCV_0_default
    assert "page_size=2048" in repr(buffer)


def test_arguments_of_a_tensor_accessor():
    tensor = ttnn.ones((32, 32), device=ttnn.open_device())
    assert ttnn.TensorAccessorArgs(tensor).get_compile_time_args() == [2, 4096]
    assert ttnn.TensorAccessorArgs(tensor).get_common_runtime_args() == []
    rows = ttnn.ones((4, 10), layout=ttnn.ROW_MAJOR_LAYOUT, device=ttnn.open_device(),
                     memory_config=ttnn.L1_MEMORY_CONFIG)
    assert ttnn.TensorAccessorArgs(rows).get_compile_time_args() == [0, 40]


def test_generic_op_checks_its_arguments():
    tensors = [ttnn.ones((32, 32), device=ttnn.open_device())]
    with pytest.raises(TypeError, match="program_descriptor=None: expected a ttnn.Program"):
        ttnn.generic_op(tensors, None)
    with pytest.raises(TypeError, match="io_tensors: expected a ttnn.Tensor, found int"):
        ttnn.generic_op([3], program())


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ttnn.CBDescriptor(size=1), "'size' is unknown or was given twice"),
        (lambda: ttnn.TileDescriptor(1, 2, 3, 4), "at most 3 arguments, found 4"),
        (lambda: ttnn.TileDescriptor(1, height=2), "'height' is unknown or was given twice"),
    ],
)
def test_wrong_descriptors(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_buffer_of_a_tensor_needs_shards():
    with pytest.raises(ValueError, match="the tensor is not sharded"):
        ttnn.cb_descriptor_from_sharded_tensor(0, ttnn.ones((32, 32)))


# ===--------------------------------------------------------------------------=== #
# Sizes and coordinates
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(1, 1))
def pass_on(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(4, 4), block_count=2)
    ttl.copy(x[:, :], dfb.reserve()).wait()
    ttl.copy(dfb.wait(), y[:, :]).wait()


def test_size_of_l1_of_the_workers():
    most = ttnn.device.get_max_worker_l1_unreserved_size()
    assert most == {"wormhole_b0": 1395712, "blackhole": 1461504}[ttnn.get_arch_name()]
    with ttl.options(arch="blackhole"):
        assert ttnn.device.get_max_worker_l1_unreserved_size() == 1461504
    for size in (0, most + 1):
        with pytest.raises(ValueError, match=f"worker_l1_size={size}: expected a number from 1 to {most}"):
            ttnn.open_device(device_id=0, worker_l1_size=size)
    x, y = np.ones((128, 128), np.float32), np.zeros((128, 128), np.float32)
    device = ttnn.open_device(device_id=0, worker_l1_size=100_000)
    try:
        with pytest.warns(ttl.LimitWarning,
                          match="take 131072 bytes of L1 on each core, but --max-l1 allows only 100000"):
            pass_on(x, y)
    finally:
        ttnn.close_device(device)
    assert np.array_equal(x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ttl.LimitWarning)
        pass_on(x, y)


def test_coordinates_on_the_network():
    with ttl.options(arch="wormhole_b0"):
        device = ttnn.open_device(device_id=0)
        core = device.worker_core_from_logical_core(ttnn.CoreCoord(3, 5))
        assert (core.x, core.y) == (21, 23)
        assert device.shape == (1, 1) and device.get_num_devices() == 1
        with pytest.raises(ValueError, match=r"core \(8, 0\) is outside of the compute grid, which has 8 columns"):
            device.worker_core_from_logical_core((8, 0))


def test_dictionaries_of_devices():
    devices = ttnn.CreateDevices([0], l1_small_size=1024)
    assert list(devices) == [0] and devices[0].id() == 0
    ttnn.CloseDevices(devices)
