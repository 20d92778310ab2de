# SPDX-License-Identifier: Apache-2.0
"""Inline assembly in kernels in C++."""

import pytest
import ttl
from test_kernels_from_elsewhere import VALUES, run

KERNEL = """
#include "api/dataflow/dataflow_api.h"
{before}
void kernel_main() {{
  const InterleavedAddrGenFast<true> x = {{get_common_arg_val<uint32_t>(0), 4096, DataFormat::Float32}};
  const InterleavedAddrGenFast<true> y = {{get_common_arg_val<uint32_t>(1), 4096, DataFormat::Float32}};
  uint32_t core = get_arg_val<uint32_t>(0), l1 = get_write_ptr(0);
  {body}
  cb_reserve_back(0, 1);
  noc_async_read_tile(core, x, l1);
  noc_async_read_barrier();
  noc_async_write_tile(core, y, l1);
  noc_async_write_barrier();
  cb_push_back(0, 1);
}}
"""
EMPTY = [
    'asm volatile("nop");',
    'for (int i = 0; i < 3; ++i) asm volatile("nop");',
    'asm volatile("nop\\n nop; nop");',
    'asm volatile("" ::: "memory");',
    'asm volatile("" : "+r"(core));',
    'if (core) asm("nop"); else asm volatile("");',
    'auto pause = [] { asm volatile("nop"); }; pause();',
]


@pytest.mark.parametrize("body", EMPTY)
def test_statements_that_do_nothing(tmp_path, body):
    file = tmp_path / "kernel.cpp"
    file.write_text(KERNEL.format(before="", body=body))
    assert (run(file) == VALUES).all()


@pytest.mark.parametrize("before, body, text, marked", [
    ("", 'uint32_t t; asm volatile("csrr %0, mcycle" : "=r"(t)); core += t & 0;', "csrr %0, mcycle", "csrr"),
    ("", 'asm volatile("fence");', "fence", "fence"),
    ("", 'if (core > 5) { asm volatile("nop; ebreak"); }', "nop", "ebreak"),
    ("inline void stop() { asm volatile(\"ebreak\"); }", "if (core > 5) stop();", "ebreak", "stop() {"),
])
def test_instructions_of_the_card(tmp_path, before, body, text, marked):
    file = tmp_path / "kernel.cpp"
    file.write_text(KERNEL.format(before=before, body=body))
    with pytest.raises(ttl.CompileError, match=f"the host cannot execute the assembly '{text}'") as caught:
        run(file)
    lines = file.read_text().splitlines()
    assert marked in lines[caught.value.line - 1]


def test_assembly_outside_of_functions(tmp_path):
    file = tmp_path / "kernel.cpp"
    file.write_text(KERNEL.format(before='asm("fence");', body=""))
    with pytest.raises(ttl.CompileError, match="the host cannot execute the assembly 'fence'"):
        run(file)
