# SPDX-License-Identifier: Apache-2.0
"""What the programs of this folder share: shorter ways to write ttnn's descriptors."""

import pathlib

import ttnn

KERNELS = pathlib.Path(__file__).parent / "kernels"
TILE_BYTES = 4096  # of float32

_CONFIGS = {"reader": ttnn.ReaderConfigDescriptor, "writer": ttnn.WriterConfigDescriptor,
            "compute": lambda: ttnn.ComputeConfigDescriptor(fp32_dest_acc_en=True)}


def grid(columns, rows):
    """Returns the cores of a rectangle that begins at core (0, 0)."""
    last = ttnn.CoreCoord(columns - 1, rows - 1)
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), last)])


def circular_buffer(index, cores, tiles=2):
    """Returns a circular buffer with room for this many tiles of float32."""
    formats = [ttnn.CBFormatDescriptor(index, ttnn.float32, TILE_BYTES)]
    return ttnn.CBDescriptor(tiles * TILE_BYTES, cores, formats)


def kernel(file, role, cores, arguments=(), tensors=(), per_core=None):
    """Returns a kernel. Its compile-time arguments are `arguments`, then those of an accessor for
    each tensor; the addresses of the tensors are its common arguments. `per_core(core)` returns the
    arguments of one core."""
    accessors = [word for tensor in tensors
                 for word in ttnn.TensorAccessorArgs(tensor).get_compile_time_args()]
    return ttnn.KernelDescriptor(
        kernel_source=str(KERNELS / file), core_ranges=cores,
        compile_time_args=[*arguments, *accessors],
        common_runtime_args=[tensor.buffer_address() for tensor in tensors],
        runtime_args=[(core, per_core(core)) for core in cores.cores()] if per_core else [],
        config=_CONFIGS[role]())


def run(tensors, kernels, buffers, semaphores=()):
    """Runs a program, and returns the last tensor as an array."""
    program = ttnn.ProgramDescriptor(kernels=kernels, cbs=buffers, semaphores=list(semaphores))
    return ttnn.to_numpy(ttnn.generic_op(tensors, program))
