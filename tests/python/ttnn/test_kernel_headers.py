# SPDX-License-Identifier: Apache-2.0
"""Kernels in C++ may include headers of the C++ standard library and of tt-metal."""

from pathlib import Path

import numpy as np
import pytest
import ttl
import ttnn

TEXT = (Path(__file__).resolve().parents[2] / "metalium" / "standard_headers.cpp").read_text()
CODE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
CORE = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))
CONFIGS = {"reader": ttnn.ReaderConfigDescriptor, "compute": ttnn.ComputeConfigDescriptor}


def run(text, kind="reader", arguments=(2,)):
    device = ttnn.open_device()
    x, y = ttnn.ones((32, 32), device=device), ttnn.zeros((32, 32), device=device)
    formats = [ttnn.CBFormatDescriptor(0, ttnn.float32, 4096)]
    kernel = ttnn.KernelDescriptor(
        kernel_source=text, source_type=CODE, core_ranges=CORE, config=CONFIGS[kind](),
        compile_time_args=ttnn.TensorAccessorArgs(x).get_compile_time_args(),
        common_runtime_args=[x.buffer_address(), y.buffer_address()],
        runtime_args=[(CORE.start, list(arguments))])
    program = ttnn.ProgramDescriptor(kernels=[kernel], cbs=[ttnn.CBDescriptor(4096, CORE, formats)])
    return ttnn.to_numpy(ttnn.generic_op([x, y], program)).view(np.uint32)


def test_all_standard_headers():
    words = run(TEXT)[0, :16].tolist()
    assert words == [0, 5432, 5432, 7, 1, 0, 0, 0, 9, 9, 9, 0, 0, 0, 0, 0]


HEADERS = sorted(line.split('"')[1] if '"' in line else line[10:-1]
                 for line in TEXT.splitlines() if line.startswith("#include"))


@pytest.mark.parametrize("kind", CONFIGS)
@pytest.mark.parametrize("header", HEADERS)
def test_each_header_alone(header, kind):
    run(f"#include <{header}>\nvoid kernel_main() {{}}", kind)


@pytest.mark.parametrize("include, kind", (
    ('#include "api/dataflow/dataflow_api.h"', "reader"),
    ("", "reader"),
    ("#include <cstdint>", "reader"),
    ('#include "api/compute/common.h"', "compute"),
    ('#include "compute_kernel_api.h"', "compute"),
))
def test_names_of_buffers_need_no_header_of_their_own(include, kind):
    run(f"""{include}
static_assert(tt::CBIndex::c_16 == 16 && tt::CB::c_in3 == 3 && tt::c_intermed0 == 24);
void kernel_main() {{
  constexpr auto cb = tt::CBIndex::c_0;
  cb_reserve_back(cb, 1);
}}""", kind)


def test_an_assert_that_does_not_hold():
    with pytest.raises(ttl.RuntimeFault, match="does not hold: 2 > 3") as caught:
        run("#include <cassert>\nvoid kernel_main() {\n  assert(2 > 3);\n}")
    assert caught.value.line == 3


def test_an_unknown_header_names_its_line():
    with pytest.raises(ttl.CompileError, match="'no_such_header.h' file not found") as caught:
        run("\n#include <no_such_header.h>\nvoid kernel_main() {}")
    assert caught.value.line == 2


# ===--------------------------------------------------------------------------=== #
# DEVICE_PRINT
# ===--------------------------------------------------------------------------=== #

PRINT = """
#include "api/debug/device_print.h"
void kernel_main() {
  uint32_t n = get_arg_val<uint32_t>(0);
  DEVICE_PRINT(%s);
}
"""


@pytest.mark.parametrize("arguments, expected", (
    (r'"{} and {:x}, {:o}, {:d}\n", n, n, n, -3', "42 and 2a, 52, -3"),
    (r'"{{{}}} {:.2f} {}\n", n, 1.5f, true', "{42} 1.50 1"),
    (r'"nothing\n"', "nothing"),
    (r'"{} {}\n", "text", n', "text 42"),
    (r'"{:x} {}\n", n, n', "2a 42"),
))
@pytest.mark.parametrize("kind", CONFIGS)
def test_device_print(arguments, expected, kind, capfd):
    run(PRINT % arguments, kind, [42])
    assert capfd.readouterr().out.rstrip().endswith(f": {expected}")


@pytest.mark.parametrize("arguments, message", (
    ('"{}"', "a place without a value"),
    ('"x", n', "more values than places"),
    ('"{", n', "a { has no }"),
    ('"{:e}", n', "the host knows the places"),
))
def test_mistakes_in_device_print(arguments, message):
    with pytest.raises(ttl.RuntimeFault, match=message):
        run(PRINT % arguments)
