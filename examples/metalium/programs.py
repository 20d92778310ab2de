# SPDX-License-Identifier: Apache-2.0
"""What the programs of this folder share: shorter ways to write ttnn's descriptors."""

import pathlib
import sys

import numpy as np
import ttl
import ttnn

KERNELS = pathlib.Path(__file__).parent / "kernels"
TILE_BYTES = 4096  # a tile of float32

_CONFIGS = {"reader": ttnn.ReaderConfigDescriptor, "writer": ttnn.WriterConfigDescriptor,
            "compute": lambda **fields: ttnn.ComputeConfigDescriptor(fp32_dest_acc_en=True, **fields)}


def grid(columns, rows):
    """Returns the cores of a rectangle that begins at core (0, 0)."""
    last = ttnn.CoreCoord(columns - 1, rows - 1)
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), last)])


def circular_buffer(index, cores, tiles=2):
    """Returns a circular buffer with room for this many tiles of float32."""
    formats = [ttnn.CBFormatDescriptor(index, ttnn.float32, TILE_BYTES)]
    return ttnn.CBDescriptor(tiles * TILE_BYTES, cores, formats)


def kernel(file, role, cores, arguments=(), tensors=(), per_core=None, **config):
    """Returns a kernel. Its compile-time arguments are `arguments`, then those of an accessor for
    each tensor; the addresses of the tensors are its common arguments. `per_core(core)` returns the
    arguments of one core; `config` has more fields of the configuration."""
    accessors = [word for tensor in tensors
                 for word in ttnn.TensorAccessorArgs(tensor).get_compile_time_args()]
    return ttnn.KernelDescriptor(
        kernel_source=str(KERNELS / file), core_ranges=cores,
        compile_time_args=[*arguments, *accessors],
        common_runtime_args=[tensor.buffer_address() for tensor in tensors],
        runtime_args=[(core, per_core(core)) for core in cores.cores()] if per_core else [],
        config=_CONFIGS[role](**config))


def whole_tiles(*buffers):
    """Returns the modes of 32 buffers, of which these pass all bits of float32 to DST. The others
    go through a source register, whose elements have 10 bits of fraction."""
    modes = [ttnn.UnpackToDestMode.Default] * 32
    for index in buffers:
        modes[index] = ttnn.UnpackToDestMode.UnpackToDestFp32
    return modes


def run(tensors, kernels, buffers, semaphores=()):
    """Runs a program, and returns the last tensor as an array."""
    program = ttnn.ProgramDescriptor(kernels=kernels, cbs=buffers, semaphores=list(semaphores))
    return ttnn.to_numpy(ttnn.generic_op(tensors, program))


def check(name, result, expected, allowed=0, on_card=0):
    """Prints the largest error, and ends the program with 1 if it exceeds `allowed`, or `on_card` with
    the arithmetic of the card (--numerics=device). The limits are numbers or arrays."""
    error = np.abs(result - expected.astype(np.float64))
    limit = np.broadcast_to(on_card if ttl.numerics() == "device" else allowed, error.shape)
    wrong = np.count_nonzero(~(error <= limit))
    if wrong:
        sys.exit(f"{name}: {wrong} of {error.size} elements are wrong; the largest error is {error.max():.1e}")
    print(f"{name}: largest error {error.max():.1e}" if error.any() else f"{name}: equal to numpy")
