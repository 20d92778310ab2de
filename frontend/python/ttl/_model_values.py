# ===- _model_values.py - the tensors of one call of a model ------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A value of a function is an array of numpy on the host, a tensor of ttnn on the device, or both.
# ===--------------------------------------------------------------------------=== #

import collections

import numpy as np

from ttl import _model_functions
from ttl._ttnn import package

# The element type of MLIR -> the element type of the tensor on the device. An i1 is a bf16 there.
ON_DEVICE = {"f32": "float32", "bf16": "bfloat16", "f16": "float16", "si32": "int32", "i32": "int32",
              "ui32": "uint32", "i1": "bfloat16"}

# `storage` is (memory, layout, grid, shard) of a tensor on the device, as in ("L1", "block_sharded",
# (2, 2), (64, 96)); () on the host.
Type = collections.namedtuple("Type", "shape element storage")


def type_text(kind):
    return f"tensor<{''.join(f'{extent}x' for extent in kind.shape)}{kind.element}>"


class Values:
    """The tensors of one call. `free` holds, by type, tensors on the device that no step needs any more:
    later steps, also of later calls, use them again. `on` is the device."""

    def __init__(self, types, free, on):
        self._types, self._host, self._device, self._free, self._on = types, {}, {}, free, on

    def set_host(self, number, array):
        self._host[number] = array

    def host(self, number):
        if number not in self._host:  # no step has written it: its elements are undefined
            self._host[number] = self._zeros(self._types[number])
        return self._host[number]

    def set(self, number, array):
        """Sets a value: on the device if its type has storage there, else on the host."""
        if self._types[number].storage:
            self._device[number] = self._moved(array, self._types[number])
        else:
            self._host[number] = array

    def array(self, number):
        """Returns the elements of a value, wherever they are."""
        if number in self._device and number not in self._host:
            return self._read(self._device[number], self._types[number])
        return self.host(number)

    def copy_elements(self, operands, result, attributes):
        """Sets elements of the value `result` from those of the first operand. Without operands, all
        elements of the result are 0."""
        kind = self._types[result]
        known = operands and (result in self._host or result in self._device)
        made = np.array(self.array(result) if known else np.zeros(kind.shape, _model_functions.DTYPES[kind.element]))
        if operands:
            read = _model_functions.to_type(self.array(operands[0]), kind.element)
            made.reshape(-1)[attributes["target"]] = read.reshape(-1)[attributes["source"]]
        self.set(result, made)

    def device(self, number):
        """Returns the tensor of a value on the device; new storage if it has none."""
        if number not in self._device:
            kind = self._types[number]
            free = self._free.get(kind)
            self._device[number] = free.pop() if free else self._storage(kind)
        return self._device[number]

    def _zeros(self, kind):
        return np.zeros(kind.shape, _model_functions.DTYPES[kind.element])

    def _storage(self, kind):
        return on_device(np.zeros(kind.shape), kind, self._on)

    def _moved(self, array, kind):
        return on_device(array, kind, self._on)

    def _read(self, tensor, kind):
        return from_device(tensor, kind)

    def of_launch(self, numbers):
        """Returns the tensors of a launch. A kernel takes different tensors, so a value that is given twice is
        copied."""
        return [self._copy(number) if number in numbers[:place] else self.device(number)
                for place, number in enumerate(numbers)]

    def _copy(self, number):
        kind = self._types[number]
        return self._moved(self._read(self._device[number], kind), kind)

    def move(self, source, result):
        if self._types[result].storage:
            self._device[result] = self._moved(self.host(source), self._types[result])
        else:
            self._host[result] = self._read(self._device[source], self._types[result])

    def compute(self, step):
        """Runs a function of the host."""
        arrays = [self.host(number) for number in step.operands]
        for number, array in zip(step.results, self._computed(step, arrays)):
            self.set_host(number, array)

    def _computed(self, step, arrays):
        """Returns an array for each result of a function of the host."""
        kinds = [self._types[number][:2] for number in step.results]
        return _model_functions.run(step.name, arrays, step.attributes, kinds)

    def release(self, number):
        self._host.pop(number, None)
        tensor = self._device.pop(number, None)
        if tensor is not None:
            self._free.setdefault(self._types[number], []).append(tensor)

    def release_all(self):
        for number in list(self._device):
            self.release(number)


# ===--------------------------------------------------------------------------=== #
# Tensors on the device


def from_device(tensor, kind):
    array = package.to_numpy(tensor).reshape(kind.shape)
    if kind.element in ("bf16", "f32"):  # the array needs no conversion
        return array
    return _model_functions.to_type(array, kind.element)


def on_device(array, kind, device):
    name = ON_DEVICE[kind.element]
    kept = np.ascontiguousarray(array, np.float32 if "float" in name else name)
    return package.from_numpy(kept.reshape(np.shape(array)), dtype=getattr(package, name),
                              layout=package.TILE_LAYOUT, device=device,
                              memory_config=_memory_of(kind.storage))


def _memory_of(storage):
    """Returns the MemoryConfig of a tensor on the device."""
    memory, layout, grid, shard = storage
    if layout == "interleaved":
        return package.L1_MEMORY_CONFIG if memory == "L1" else package.DRAM_MEMORY_CONFIG
    if layout == "block_sharded":
        strategy, cores = package.ShardStrategy.BLOCK, package.CoreGrid(y=grid[0], x=grid[1])
    else:  # a line of cores, row by row
        strategy = package.ShardStrategy.HEIGHT if layout == "height_sharded" else package.ShardStrategy.WIDTH
        cores = package.num_cores_to_corerangeset(grid[0] * grid[1], package.CoreCoord(8, 8), row_wise=True)
    return package.create_sharded_memory_config(shard, cores, strategy, use_height_and_width_as_shard_shape=True)


def storage_text(kind):
    """Returns the text about a tensor on the device that ModelFunction.layouts shows."""
    rows = -(-kind.shape[-2] // 32) if len(kind.shape) > 1 else 1
    columns = -(-kind.shape[-1] // 32) if kind.shape else 1
    pages = int(np.prod(kind.shape[:-2], dtype=np.int64)) * rows * columns
    memory, layout, grid, shard = kind.storage
    how = layout if layout == "interleaved" else (
        f"in shards of {shard[0] // 32}x{shard[1] // 32} tiles on {grid[1]}x{grid[0]} cores")
    return f"{pages} tiles of 32x32 in {memory}, {how}"
