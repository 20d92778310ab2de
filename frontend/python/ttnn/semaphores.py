# SPDX-License-Identifier: Apache-2.0
"""Global semaphores: words in L1 that keep their value from one program to the next."""

import numpy as np

from _ttjit import BufferType, MemoryConfig, TensorMemoryLayout

from .conversion import from_torch
from .cores import CoreRange, CoreRangeSet
from .operands import integer_of, kind_of
from .shards import ShardOrientation, ShardSpec
from .types import ROW_MAJOR_LAYOUT, uint32

__all__ = ["create_global_semaphore", "get_global_semaphore_address",
           "reset_global_semaphore_value"]

WORDS = 8  # in a page: the size of a page in L1 is a multiple of 32 bytes


class GlobalSemaphore:
    """A 32-bit word in the L1 of each core of a set, at the same address on every core. Scripts
    make one with create_global_semaphore()."""

    def __init__(self, device, cores, value):
        shape = [cores.num_cores(), WORDS]
        shards = ShardSpec(cores, [1, WORDS], ShardOrientation.ROW_MAJOR)
        memory = MemoryConfig(TensorMemoryLayout.HEIGHT_SHARDED, BufferType.L1, shards)
        self._words = from_torch(np.full(shape, value, np.uint32), dtype=uint32,
                                 layout=ROW_MAJOR_LAYOUT, device=device, memory_config=memory)

    def address(self):
        """Returns the address of the word, which is the same on each core."""
        return self._words.buffer_address()

    def reset(self, value):
        """Sets the word of each core."""
        self._words.write_bits(np.full(self._words.bits().shape, value, np.uint32))

    def __repr__(self):
        return f"GlobalSemaphore(address={self.address()})"


def _value(name, value):
    value = integer_of(value, f"ttnn.{name}(): value")
    if not 0 <= value < 2**32:
        raise ValueError(f"ttnn.{name}(): the value must be 0 to 4294967295, found {value}")
    return value


def _semaphore(name, semaphore):
    if not isinstance(semaphore, GlobalSemaphore):
        raise TypeError(f"ttnn.{name}() got {kind_of(semaphore)}, expected a semaphore of "
                        "ttnn.create_global_semaphore")
    return semaphore


def create_global_semaphore(device, cores, initial_value, buffer_type=None):
    """Returns a semaphore with this value on each core of a set. Kernels get its address as an
    argument.

    Values have 32 bits. Raises a TypeError for arguments of other kinds, and a ValueError for a
    value out of range.

    Example:

        cores = ttnn.CoreRangeSet([ttnn.CoreRange((0, 0), (0, 0))])
        semaphore = ttnn.create_global_semaphore(device, cores, 0)
    """
    if isinstance(cores, CoreRange):
        cores = CoreRangeSet([cores])
    if not isinstance(cores, CoreRangeSet) or cores.empty():
        raise TypeError("ttnn.create_global_semaphore(): cores must be a CoreRangeSet with at "
                        f"least one core, found {cores!r}")
    if buffer_type not in (None, BufferType.L1):
        raise ValueError("ttnn.create_global_semaphore(): semaphores are in L1, found "
                         f"buffer_type={buffer_type}")
    return GlobalSemaphore(device, cores, _value("create_global_semaphore", initial_value))


def get_global_semaphore_address(global_semaphore):
    """Returns the address of a global semaphore in the L1 of its cores.

    Raises a TypeError for an argument that is no semaphore of ttnn.create_global_semaphore.

    Example:

        cores = ttnn.CoreRangeSet([ttnn.CoreRange((0, 0), (0, 0))])
        address = ttnn.get_global_semaphore_address(ttnn.create_global_semaphore(device, cores, 0))
    """
    return _semaphore("get_global_semaphore_address", global_semaphore).address()


def reset_global_semaphore_value(global_semaphore, reset_value):
    """Sets a global semaphore on each of its cores.

    Values have 32 bits. Raises a TypeError for arguments of other kinds, and a ValueError for a
    value out of range.

    Example:

        cores = ttnn.CoreRangeSet([ttnn.CoreRange((0, 0), (0, 0))])
        ttnn.reset_global_semaphore_value(ttnn.create_global_semaphore(device, cores, 0), 1)
    """
    name = "reset_global_semaphore_value"
    _semaphore(name, global_semaphore).reset(_value(name, reset_value))
