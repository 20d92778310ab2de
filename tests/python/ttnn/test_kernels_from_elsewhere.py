# SPDX-License-Identifier: Apache-2.0
"""Kernels as tt-metal's own are written: older names, headers beside the kernel, arguments and zeros in L1."""

import numpy as np
import pytest
import ttl
import ttnn

CODE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
CORES = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))
VALUES = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)


def run(kernel_source, arguments=(), **fields):
    """Runs a reader on two cores; returns y. Core i gets i and `arguments` as its arguments."""
    device = ttnn.open_device()
    x, y = ttnn.from_numpy(VALUES, device=device), ttnn.zeros((64, 32), device=device)
    fields = {"compile_time_args": ttnn.TensorAccessorArgs(x).get_compile_time_args(), **fields}
    kernel = ttnn.KernelDescriptor(
        kernel_source=str(kernel_source), core_ranges=CORES, config=ttnn.ReaderConfigDescriptor(),
        runtime_args=[(core, [core.x, *arguments]) for core in CORES.cores()],
        common_runtime_args=[x.buffer_address(), y.buffer_address()], **fields)
    buffer = ttnn.CBDescriptor(4096, CORES, [ttnn.CBFormatDescriptor(0, ttnn.float32, 4096)])
    program = ttnn.ProgramDescriptor(kernels=[kernel], cbs=[buffer])
    return ttnn.to_numpy(ttnn.generic_op([x, y], program))


def run_text(body, arguments=(), **fields):
    return run(f"""
#include <tt-metalium/constants.hpp>
#include "api/debug/waypoint.h"
void kernel_main() {{
  const InterleavedAddrGenFast<true> x = {{get_common_arg_val<uint32_t>(0), 4096, DataFormat::Float32}};
  const InterleavedAddrGenFast<true> y = {{get_common_arg_val<uint32_t>(1), 4096, DataFormat::Float32}};
  uint core = get_arg_val<uint>(0);
  cb_reserve_back(0, 1);
  uint32_t l1 = get_write_ptr(0);
  auto *words = (volatile tt_l1_ptr uint32_t *)(uintptr_t)l1;
  {body}
  cb_push_back(0, 1);
}}
""", arguments, source_type=CODE, **fields)


READ = "x.noc_async_read_tile(core, l1); noc_async_read_barrier();"
WRITE = "y.noc_async_write_tile(core, l1); noc_async_write_barrier();"


def test_generators_begin_transfers():
    assert np.array_equal(run_text(READ + WRITE), VALUES)
    body = """
      const InterleavedPow2AddrGenFast<true> from = {.bank_base_address = x.bank_base_address,
                                                     .log_base_2_of_page_size = 12};
      const InterleavedPow2AddrGenFast<true> to = {y.bank_base_address, 12};
      from.noc_async_read_partial_page(core, l1, 1024, 0);
      from.noc_async_read_partial_page(core, l1 + 1024, 3072, 1024);
      noc_async_read_barrier();
      to.noc_async_write_page(core, l1, 2048);
      to.noc_async_write_page(core, l1 + 2048, 2048, 2048);
      noc_async_write_barrier();"""
    assert np.array_equal(run_text(body), VALUES)


def test_arguments_are_words_in_l1():
    body = READ + """
      auto *own = (volatile tt_l1_ptr uint32_t *)get_arg_addr(1);
      auto *common = (volatile tt_l1_ptr uint32_t *)get_common_arg_addr(0);
      own[1] += 5; // the kernel sees its change
      for (uint32_t i = 0; i < 3; ++i)
        words[i] = own[i];
      words[3] = get_arg_val<uint32_t>(2);
      words[4] = common[1] == get_common_arg_val<uint32_t>(1);
      words[5] = get_arg_addr(4) - get_arg_addr(0);""" + WRITE
    found = run_text(body, (11, 12, 13)).view(np.uint32)
    for row in (0, 32):
        assert found[row, :6].tolist() == [11, 17, 13, 17, 1, 16]
    assert np.array_equal(run_text(READ + WRITE, (11, 12, 13)), VALUES)  # changes end with the launch


def test_zeros_in_l1():
    body = READ + """
      uint64_t zeros = get_noc_addr(MEM_ZEROS_BASE);
      for (uint32_t at = 0; at < 2048; at += MEM_ZEROS_SIZE)
        noc_async_read(zeros, l1 + at, MEM_ZEROS_SIZE);
      noc_async_read_barrier();""" + WRITE
    found, faces = run_text(body), VALUES.reshape(2, 2, 16, 32)
    assert not found.reshape(2, 2, 16, 32)[:, 0].any()
    assert np.array_equal(found.reshape(2, 2, 16, 32)[:, 1], faces[:, 1])


def test_arguments_in_the_preprocessor():
    body = """
#if (get_compile_time_arg_val(0) == 3) && get_compile_time_arg_val(1)
      constexpr uint32_t value = get_compile_time_arg_val(2);
#else
      constexpr uint32_t value = 0;
#endif
      """ + READ + "words[0] = value;" + WRITE
    assert run_text(body, compile_time_args=[3, 1, 7]).view(np.uint32)[0, 0] == 7
    assert run_text(body, compile_time_args=[4, 1, 7]).view(np.uint32)[0, 0] == 0


def test_names_of_the_firmware():
    body = READ + """
      words[0] = NOC_DRAM_READ_ALIGNMENT_BYTES;
      words[1] = noc_mode == DM_DEDICATED_NOC;
      words[2] = std::min<uint32_t>(5, kernel_compile_time_args.size());
      words[3] = std::min(core + 7, sizeof(uint64_t));
      words[4] = tt::constants::TILE_HW;
#ifdef ARCH_WORMHOLE
      words[5] = 1;
#endif
      WAYPOINT("DONE");""" + WRITE
    found = run_text(body).view(np.uint32)
    assert found[0, :6].tolist() == [32, 1, 2, 7, 1024, 1]


KERNEL = """
#include "beside.h"
#include "INCLUDED"
void kernel_main() {
  cb_reserve_back(0, 1);
  copy(get_arg_val<uint32_t>(0));
  cb_push_back(0, 1);
}
"""
HEADER = """
#pragma once
FORCE_INLINE void copy(uint32_t page) {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto x = TensorAccessor(args, get_common_arg_val<uint32_t>(0), 4096);
  const auto y = TensorAccessor(args, get_common_arg_val<uint32_t>(1), 4096);
  noc_async_read_page(page + kOffset, x, get_write_ptr(0));
  noc_async_read_barrier();
  noc_async_write_page(page, y, get_write_ptr(0));
  noc_async_write_barrier();
}
"""


@pytest.fixture
def files(tmp_path):
    """Writes a kernel that includes a header in its own folder, and a header in another folder."""
    (tmp_path / "other" / "deep").mkdir(parents=True)
    (tmp_path / "beside.h").write_text("constexpr uint32_t kOffset = 0;\n")
    (tmp_path / "other" / "deep" / "copy.hpp").write_text(HEADER)
    (tmp_path / "kernel.cpp").write_text(KERNEL.replace("INCLUDED", "deep/copy.hpp"))
    return tmp_path


def test_headers_of_the_user(files):
    folders = [str(files / "other")]
    assert np.array_equal(run(files / "kernel.cpp", compiler_include_paths=folders), VALUES)
    (files / "beside.h").write_text("constexpr uint32_t kOffset = 1;\n")  # headers are read at each launch
    with pytest.raises(ttl.OutOfBoundsError, match="page 2 of tensor") as caught:
        run(files / "kernel.cpp", compiler_include_paths=folders)
    assert (caught.value.file, caught.value.line) == (str(files / "kernel.cpp"), 6)


def test_mistakes_in_headers_of_the_user(files):
    with pytest.raises(ttl.CompileError, match="'deep/copy.hpp' file not found") as caught:
        run(files / "kernel.cpp")
    assert (caught.value.file, caught.value.line) == (str(files / "kernel.cpp"), 3)
    with pytest.raises(ValueError, match="compiler_include_paths has 'nowhere': expected a folder"):
        run(files / "kernel.cpp", compiler_include_paths=["nowhere"])
    (files / "beside.h").write_text("\nint kOffset = nothing;\n")
    with pytest.raises(ttl.CompileError, match="undeclared identifier 'nothing'") as caught:
        run(files / "kernel.cpp", compiler_include_paths=[str(files / "other")])
    assert (caught.value.file, caught.value.line) == (str(files / "beside.h"), 2)


@pytest.mark.parametrize("text, message", (
    ("#include <vector>\nvoid kernel_main() { std::vector<int> v; }", "a kernel has no heap; use std::array"),
    ("#include <stdio.h>\nvoid kernel_main() { printf(\"x\"); }", "no standard output; use DPRINT"),
    ("void kernel_main() {\nnoc_async_read_shard(0, 1, 2); }", "copy the pages of the shard one by one"),
))
def test_names_that_kernels_cannot_use(text, message):
    with pytest.raises(ttl.CompileError, match=message) as caught:
        run(text, source_type=CODE)
    assert caught.value.line == 2
