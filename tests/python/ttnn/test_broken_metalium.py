# SPDX-License-Identifier: Apache-2.0
"""Each kernel of tests/broken/metalium causes its fault, at its line of C++. Comments at the top of the
kernel's file say which kernel of the program it replaces, and which checks find the fault."""

import re
from pathlib import Path

import numpy as np
import pytest
import ttl
import ttnn

FOLDER = Path(__file__).resolve().parents[2] / "broken" / "metalium"
EXPECTED = FOLDER / "expected.txt"
BROKEN = sorted(path.stem for path in FOLDER.glob("*.cpp") if not path.stem.startswith("good_"))
VALUES = np.arange(128 * 32, dtype=np.float32).reshape(128, 32)
CONFIGS = {"reader": ttnn.ReaderConfigDescriptor, "writer": ttnn.WriterConfigDescriptor,
           "compute": lambda: ttnn.ComputeConfigDescriptor(fp32_dest_acc_en=True)}


def comment(text, name):
    found = re.search(rf"^// {name}: (.*)$", text, re.MULTILINE)
    return found and found[1]


def kernel(name, role, cores, tensor):
    text = (FOLDER / f"{name}.cpp").read_text()
    return ttnn.KernelDescriptor(
        kernel_source=text, source_type=ttnn.KernelDescriptor.SourceType.SOURCE_CODE,
        core_ranges=cores, config=CONFIGS[role](),
        compile_time_args=ttnn.TensorAccessorArgs(tensor).get_compile_time_args(),
        common_runtime_args=[tensor.buffer_address()])


def run(name):
    """Runs the program with one kernel replaced by the broken one; returns the result."""
    text = (FOLDER / f"{name}.cpp").read_text()
    device = ttnn.open_device()
    x = ttnn.from_numpy(VALUES, device=device)
    y = ttnn.zeros((128, 32), device=device)
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))
    kernels = [kernel(name if comment(text, "role") == role else f"good_{role}", role, cores, tensor)
               for role, tensor in (("reader", x), ("compute", x), ("writer", y))]
    buffers = [ttnn.CBDescriptor(8192, cores, [ttnn.CBFormatDescriptor(i, ttnn.float32, 4096)])
               for i in range(2)]
    buffers.append(ttnn.CBDescriptor(4096, cores, [ttnn.CBFormatDescriptor(2, ttnn.bfloat16, 2048)]))
    semaphores = [ttnn.SemaphoreDescriptor(id=0, core_ranges=cores)]
    program = ttnn.ProgramDescriptor(kernels=kernels, cbs=buffers, semaphores=semaphores)
    with ttl.options(check=comment(text, "check") or "off"):
        return ttnn.to_numpy(ttnn.generic_op([x, y], program))


def outcome(name):
    """Returns a line with the fault's class, the kernel's line, and the message."""
    with pytest.raises(ttl.RuntimeFault) as caught:
        run(name)
    fault = caught.value
    lines = (FOLDER / f"{name}.cpp").read_text().splitlines()
    message = re.sub("0x[0-9a-f]+", "ADDRESS", fault.message)
    return f"{name}: {type(fault).__name__} at `{lines[fault.line - 1].strip()}`: {message}\n"


@pytest.mark.parametrize("role", CONFIGS)
def test_the_good_kernels(role):
    assert np.array_equal(run(f"good_{role}"), -VALUES)


def test_every_broken_kernel_faults_at_its_line(pytestconfig):
    found = "".join(map(outcome, BROKEN))
    if pytestconfig.getoption("--update-golden"):
        EXPECTED.write_text(found)
    assert found == EXPECTED.read_text()


def test_there_are_60_broken_kernels():
    assert len(BROKEN) >= 60
