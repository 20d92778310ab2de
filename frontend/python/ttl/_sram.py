# ===- _sram.py - ttl.SRAMStorage, tensors in L1 that several launches share --=== #
# SPDX-License-Identifier: Apache-2.0
#
# A tensor of a storage is a sharded ttnn tensor. A launch of this package ends before its call
# returns, so a storage never waits for a launch.
# ===--------------------------------------------------------------------------=== #

import _ttjit
from ttl import _ttnn

ttnn = _ttnn.package
_ADDRESSINGS = ("uniform", "per-core", "per-node")
_INITIAL = ("zeros", "uninitialized")


def _core(core):
    try:
        x, y = core
    except (TypeError, ValueError):
        raise TypeError(f"cores= must be pairs (x, y), found {core!r}") from None
    return ttnn.CoreCoord(x, y)


def _cores(cores):
    """Returns `cores` as a ttnn.CoreRangeSet. The n-th shard is on the n-th core."""
    if isinstance(cores, ttnn.CoreRangeSet):
        return cores
    if not isinstance(cores, (list, tuple)) or not cores:
        raise TypeError(f"cores= must be pairs (x, y) or a ttnn.CoreRangeSet, found {cores!r}")
    found = [_core(core) for core in cores]
    return ttnn.CoreRangeSet([ttnn.CoreRange(core, core) for core in found])


def _sharding(shape, shard_shape):
    """Returns the layout of shards of this shape."""
    layouts = ttnn.TensorMemoryLayout
    if shape[-1] == shard_shape[-1]:
        return layouts.HEIGHT_SHARDED
    rows = 1
    for extent in shape[:-1]:
        rows *= extent
    return layouts.WIDTH_SHARDED if rows == shard_shape[0] else layouts.BLOCK_SHARDED


def _choice(value, choices, what):
    if value not in choices:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, choices))}, found {value!r}")


@_ttjit.public_methods
class SRAMStorage:
    """Tensors in L1 that keep their addresses and contents over several launches, until close(), or
    the end of a `with`.

    tensor(shape=, shard_shape=, cores=, dtype=, layout=) makes one, with extents in elements;
    allocate() ends the declaration, and submit(function, ...) calls a function that uses the
    tensors.

    Raises a TypeError or ValueError for wrong shards, and a RuntimeError for calls in another
    order.

    Example:

        with ttl.SRAMStorage(device=ttnn.open_device(device_id=0)) as storage:
            state = storage.tensor(shape=(32, 32), shard_shape=(32, 32), cores=[(0, 0)],
                                   dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT)
            storage.allocate()
            storage.submit(scale, state, y, 2.0)
    """

    def __init__(self, *, device, queue_ids=(0,), sub_device_ids=None):
        if not hasattr(device, "arch"):
            raise TypeError(f"device= must be a device of ttnn, found {type(device).__name__}")
        self._device, self._tensors, self._state = device, [], "declared"

    def _require_open(self):
        if self._state == "closed":
            raise RuntimeError("the storage is closed: make another ttl.SRAMStorage")

    def tensor(self, *, shape, shard_shape, cores=None, nodes=None, dtype, layout,
               addressing="uniform", initialize="zeros", sharding=None):
        """Makes a tensor. Its shards of `shard_shape` elements are on `cores`, in this order."""
        self._require_open()
        if self._state == "allocated":
            raise RuntimeError("tensor() must be called before allocate()")
        _choice(addressing, _ADDRESSINGS, "addressing=")
        _choice(initialize, _INITIAL, "initialize=")
        shards = ttnn.ShardSpec(_cores(nodes if cores is None else cores), tuple(shard_shape),
                                ttnn.ShardOrientation.ROW_MAJOR)
        memory = ttnn.MemoryConfig(sharding or _sharding(shape, shard_shape), ttnn.BufferType.L1,
                                   shards)
        made = ttnn.zeros(tuple(shape), dtype=dtype, layout=layout, device=self._device,
                          memory_config=memory)
        self._tensors.append(made)
        return made

    def prepare_operation(self, operation, *args, **kwargs):
        """Compiles a call of the operation without running it."""
        self._require_open()
        return operation.compile(*args, **kwargs)

    def allocate(self):
        """Ends the declaration of tensors."""
        self._require_open()
        if self._state == "allocated":
            raise RuntimeError("allocate() can be called once")
        self._state = "allocated"

    def submit(self, function, *args, **kwargs):
        """Calls a function that uses the tensors, and returns its result."""
        self._require_open()
        if self._state != "allocated":
            raise RuntimeError("submit() must be called after allocate()")
        return function(*args, **kwargs)

    def close(self):
        """Frees the tensors."""
        for tensor in self._tensors:
            ttnn.deallocate(tensor)
        self._tensors, self._state = [], "closed"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
