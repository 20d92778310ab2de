# SPDX-License-Identifier: Apache-2.0
"""Global semaphores keep their value from one program to the next."""

import numpy as np
import pytest
import ttnn

ROW = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(2, 0))

# Each core adds its number plus 1 to the semaphore of core (0, 0). Core (0, 0) waits for all increments and
# writes the semaphore's value to the tensor.
ADD = """
#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  TensorAccessor to(args, get_common_arg_val<uint32_t>(0), 4096);
  uint32_t address = get_common_arg_val<uint32_t>(1), column = get_arg_val<uint32_t>(0);
  noc_semaphore_inc(get_noc_addr(18, 18, address), column + 1);
  if (column != 0)
    return;
  auto word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);
  noc_semaphore_wait_min(word, get_common_arg_val<uint32_t>(2));
  cb_reserve_back(0, 1);
  *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_write_ptr(0)) = *word;
  noc_async_write_page(0, to, get_write_ptr(0));
  noc_async_write_barrier();
}
"""


@pytest.fixture
def device():
    return ttnn.open_device(device_id=0)


def add(device, semaphore, least):
    y = ttnn.zeros((32, 32), dtype=ttnn.uint32, layout=ttnn.TILE_LAYOUT, device=device)
    arguments = [y.buffer_address(), ttnn.get_global_semaphore_address(semaphore), least]
    cores = ttnn.CoreRangeSet([ROW])
    kernel = ttnn.KernelDescriptor(
        kernel_source=ADD, source_type=ttnn.KernelDescriptor.SourceType.SOURCE_CODE,
        core_ranges=cores, compile_time_args=ttnn.TensorAccessorArgs(y).get_compile_time_args(),
        common_runtime_args=arguments, runtime_args=[(core, [core.x]) for core in ROW.cores()],
        config=ttnn.ReaderConfigDescriptor())
    formats = [ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.uint32, page_size=4096)]
    buffer = ttnn.CBDescriptor(total_size=4096, core_ranges=cores, format_descriptors=formats)
    ttnn.generic_op([y], ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[], cbs=[buffer]))
    return int(ttnn.to_numpy(y)[0, 0])


def test_a_value_stays_between_programs(device):
    semaphore = ttnn.create_global_semaphore(device, ttnn.CoreRangeSet([ROW]), 10)
    assert add(device, semaphore, 16) == 16
    assert add(device, semaphore, 22) == 22
    ttnn.reset_global_semaphore_value(semaphore, 0)
    assert add(device, semaphore, 6) == 6


def test_semaphores_have_different_addresses(device):
    first = ttnn.create_global_semaphore(device, ROW, 1)
    second = ttnn.create_global_semaphore(device, ROW, 2, ttnn.BufferType.L1)
    addresses = [ttnn.get_global_semaphore_address(each) for each in (first, second)]
    assert addresses[0] != addresses[1] and addresses[0] % 16 == 0
    assert repr(first) == f"GlobalSemaphore(address={addresses[0]})"
    assert add(device, second, 8) == 8 and add(device, first, 7) == 7


@pytest.mark.parametrize("arguments, error, message", [
    ((None, 0), TypeError, "cores must be a CoreRangeSet"),
    ((ttnn.CoreRangeSet([]), 0), TypeError, "at least one core"),
    ((ROW, -1), ValueError, "the value must be 0 to 4294967295, found -1"),
    ((ROW, 2**32), ValueError, "found 4294967296"),
    ((ROW, "one"), TypeError, "value"),
    ((ROW, 0, ttnn.BufferType.DRAM), ValueError, "semaphores are in L1, found buffer_type="),
])
def test_mistakes(device, arguments, error, message):
    with pytest.raises(error, match=message):
        ttnn.create_global_semaphore(device, *arguments)


def test_other_objects(device):
    with pytest.raises(TypeError, match="expected a semaphore of ttnn.create_global_semaphore"):
        ttnn.get_global_semaphore_address(3)
    with pytest.raises(TypeError, match="expected a semaphore of ttnn.create_global_semaphore"):
        ttnn.reset_global_semaphore_value(np.zeros(3), 0)
    semaphore = ttnn.create_global_semaphore(device, ROW, 0)
    with pytest.raises(ValueError, match="the value must be 0 to 4294967295, found -2"):
        ttnn.reset_global_semaphore_value(semaphore, -2)
