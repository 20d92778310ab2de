# SPDX-License-Identifier: Apache-2.0
"""Converts between tensors, numpy and torch, and between types, layouts and memories."""

import numpy as np

from . import distribution
from .memory import DRAM_MEMORY_CONFIG
from .operands import check_options, check_tensor, write
from .storage import is_torch, kind_of, numbers_of, to_storage
from .tensor import Tensor, check_device, torch_type
from .types import ROW_MAJOR_LAYOUT, TILE_LAYOUT, StorageType, Tile, as_dtype

__all__ = (
    "as_tensor clone copy copy_device_to_host_tensor copy_host_to_device_tensor deallocate "
    "from_device from_numpy from_torch get_memory_config interleaved_to_sharded is_sharded "
    "is_tensor_storage_on_device move reallocate reshard sharded_to_interleaved tilize "
    "to_device to_dtype to_layout to_memory_config to_numpy to_torch typecast untilize"
).split()


# ===--------------------------------------------------------------------------=== #
# Making tensors of arrays


def from_numpy(array, dtype=None, layout=None, device=None, memory_config=None):
    """Makes a tensor of a numpy array, or of any value that numpy.asarray accepts. The elements are
    converted if dtype is given; float64 becomes float32. Without device, the tensor shares the
    array's memory if no conversion is needed.

    Raises a TypeError for a torch tensor, or for elements that are no numbers, and a ValueError for a
    type, layout or memory that the tensor cannot have.

    Example:

        y = ttnn.from_numpy(np.ones((32, 64)), dtype=ttnn.bfloat16)
    """
    if is_torch(array):
        raise TypeError("from_numpy got a torch tensor; use ttnn.from_torch")
    return Tensor(array, dtype, layout, device, memory_config)


def _check_padding(tile, pad_value):
    if tile is not None and tile != Tile():
        raise ValueError(f"tile={tile!r}: a tile must have 32 rows and 32 columns")
    if pad_value not in (None, 0):
        raise ValueError(f"pad_value={pad_value!r}: tiles can only be padded with zeros")


def _check_spec(spec, shape):
    if tuple(spec.shape) != tuple(shape):
        raise ValueError(f"spec has shape {tuple(spec.shape)}, but the tensor has {tuple(shape)}")


def from_torch(tensor, dtype=None, *, spec=None, tile=None, pad_value=None, layout=None,
               device=None, memory_config=None, mesh_mapper=None, cq_id=None):
    """Makes a tensor of a torch tensor, or of a numpy array. The elements are converted if dtype is
    given. Without device, the tensor shares the array's memory if no conversion is needed; bfloat16
    needs none. mesh_mapper distributes the tensor over the mesh `device`; without a mapper every
    device gets the whole tensor.

    Raises a TypeError for an argument that is no torch tensor and no numpy array, and a ValueError
    for a type, layout or memory that the tensor cannot have.

    Example:

        y = ttnn.from_torch(np.ones((32, 64), np.float32), layout=ttnn.TILE_LAYOUT, device=device)
    """
    if not is_torch(tensor) and not isinstance(tensor, np.ndarray):
        raise TypeError(f"from_torch got {kind_of(tensor)}, expected a torch tensor or a numpy "
                        "array")
    _check_padding(tile, pad_value)
    if spec is not None:
        _check_spec(spec, tensor.shape)
        dtype = spec.dtype if dtype is None else dtype
        layout, memory_config = spec.layout, spec.memory_config
    if mesh_mapper is not None:
        return distribution.from_array(tensor, dtype, layout, memory_config, device, mesh_mapper)
    return Tensor(tensor, dtype, layout, device, memory_config)


def as_tensor(tensor, dtype=None, *, layout=None, device=None, memory_config=None,
              cache_file_name=None, preprocess=None, mesh_mapper=None):
    """Makes a tensor of a torch tensor or a numpy array. cache_file_name has no effect, because no
    files are kept.

    Raises a TypeError for elements that are no numbers, and a ValueError for a type, layout or memory
    that the tensor cannot have.

    Example:

        y = ttnn.as_tensor(np.ones((32, 64), np.float32), dtype=ttnn.bfloat16)
    """
    data = tensor if preprocess is None else preprocess(tensor)
    if mesh_mapper is not None:
        return distribution.from_array(data, dtype, layout, memory_config, device, mesh_mapper)
    make = from_torch if is_torch(data) else from_numpy
    return make(data, dtype, layout=layout, device=device, memory_config=memory_config)


# ===--------------------------------------------------------------------------=== #
# Making arrays of tensors


def _check_tensor(tensor):
    if not isinstance(tensor, Tensor):
        raise TypeError(f"got {kind_of(tensor)}, expected a ttnn.Tensor")


def to_numpy(tensor):
    """Returns the tensor's values without padding, as float32 or as integers.

    Raises a TypeError for an argument that is no tensor.

    Example:

        array = ttnn.to_numpy(x)
    """
    _check_tensor(tensor)
    return tensor.to_numpy()


def _with_rank(array, rank):
    """Adds or removes leading dimensions of extent 1, so that the array has the given rank."""
    if rank is None:
        return array
    dropped = array.shape[: max(len(array.shape) - rank, 0)]
    if any(extent != 1 for extent in dropped):
        raise ValueError(f"torch_rank={rank}: the tensor has shape {tuple(array.shape)}, and only "
                         "leading dimensions of extent 1 can be removed")
    kept = tuple(array.shape)[len(dropped) :]
    return array.reshape((1,) * (rank - len(kept)) + kept)


def to_torch(tensor, dtype=None, *, torch_rank=None, mesh_composer=None, device=None, cq_id=None):
    """Returns the tensor's values without padding as a torch tensor. If `dtype` is given, they are
    converted to it. mesh_composer joins the parts of a tensor of a mesh.

    Raises a TypeError for an argument that is no tensor, or for a dtype that torch does not have, and
    a ValueError for a torch_rank that the tensor cannot have.

    Example:

        tensor = ttnn.to_torch(x)
    """
    if is_torch(tensor):
        return tensor if dtype is None else tensor.to(torch_type(dtype))
    _check_tensor(tensor)
    if mesh_composer is not None:
        tensor = distribution.aggregate_tensor(tensor, mesh_composer)
    return _with_rank(tensor.to_torch(dtype), torch_rank)


# ===--------------------------------------------------------------------------=== #
# Changing type, layout and memory


_OWN = object()  # the tensor's own device, in place of None, which is the host


def _changed(tensor, dtype=None, layout=None, memory_config=None, device=_OWN):
    """Returns a copy of the tensor with another type, layout, memory or device."""
    dtype = tensor.dtype if dtype is None else as_dtype(dtype)
    same = dtype == tensor.dtype
    array = np.array(tensor.bits()) if same else to_storage(numbers_of(tensor), dtype)
    layout = tensor.layout if layout is None else layout
    memory_config = tensor.memory_config() if memory_config is None else memory_config
    device = tensor.device() if device is _OWN else device
    return Tensor.from_storage(tensor.shape, array, dtype, layout, memory_config, device)


def to_layout(tensor, layout, dtype=None, memory_config=None, device=None, **options):
    """Returns the tensor in another layout, or the tensor itself if nothing changes.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT)
    """
    check_tensor(tensor, "ttnn.to_layout(): tensor")
    check_options("to_layout", options)
    if layout == tensor.layout and dtype is None and memory_config is None and device is None:
        return tensor
    return _changed(tensor, dtype, layout, memory_config, device or tensor.device())


def tilize(input_tensor, dtype=None, memory_config=None, **options):
    """Returns the tensor in tile layout.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.tilize(x)
    """
    options.pop("use_multicore", None)
    return to_layout(input_tensor, TILE_LAYOUT, dtype, memory_config, **options)


def untilize(input_tensor, dtype=None, memory_config=None, **options):
    """Returns the tensor in row-major layout.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.untilize(x)
    """
    options.pop("use_multicore", None)
    return to_layout(input_tensor, ROW_MAJOR_LAYOUT, dtype, memory_config, **options)


def to_memory_config(tensor, memory_config, dtype=None, output_tensor=None, **options):
    """Returns a copy of the tensor in another memory.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.to_memory_config(ttnn.to_device(x, device), ttnn.L1_MEMORY_CONFIG)
    """
    check_tensor(tensor, "ttnn.to_memory_config(): tensor")
    check_options("to_memory_config", options)
    if output_tensor is not None:
        return write(output_tensor, numbers_of(tensor), "output_tensor")
    return _changed(tensor, dtype, memory_config=memory_config)


def interleaved_to_sharded(input_tensor, sharded_memory_config, output_dtype=None, **options):
    """Returns a copy of the tensor divided into shards.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.interleaved_to_sharded(ttnn.to_device(x, device), sharded)
    """
    return to_memory_config(input_tensor, sharded_memory_config, output_dtype)


def sharded_to_interleaved(input_tensor, memory_config=None, output_dtype=None, **options):
    """Returns a copy of the tensor without shards. The copy is in DRAM unless memory_config names
    another memory.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.sharded_to_interleaved(ttnn.interleaved_to_sharded(ttnn.to_device(x, device), sharded))
    """
    memory_config = DRAM_MEMORY_CONFIG if memory_config is None else memory_config
    return to_memory_config(input_tensor, memory_config, output_dtype)


def reshard(input_tensor, output_memory_config, output_tensor=None):
    """Returns a copy of the tensor divided into other shards.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.reshard(ttnn.interleaved_to_sharded(ttnn.to_device(x, device), sharded), sharded)
    """
    return to_memory_config(input_tensor, output_memory_config, output_tensor=output_tensor)


def to_device(tensor, device, memory_config=None, cq_id=None):
    """Returns the tensor on a device. If it is there already and memory_config is None, returns the
    tensor itself.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.to_device(x, device)
    """
    check_tensor(tensor, "ttnn.to_device(): tensor")
    check_device(device)
    if device is None:
        raise TypeError("ttnn.to_device(): device=None: expected a device from ttnn.open_device")
    if tensor.device() is device and memory_config is None:
        return tensor
    return _changed(tensor, memory_config=memory_config, device=device)


def from_device(tensor, blocking=True, cq_id=None):
    """Returns the tensor on the host, or the tensor itself if it is on the host already.

    Raises a TypeError for an argument that is no tensor.

    Example:

        y = ttnn.from_device(ttnn.to_device(x, device))
    """
    check_tensor(tensor, "ttnn.from_device(): tensor")
    return tensor.cpu()


def typecast(input_tensor, dtype, *more, memory_config=None, output_tensor=None, **options):
    """Returns a copy of the tensor with another element type. Floats that become integers lose
    their fraction and are limited to the range of the integers. Integers wrap around.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.typecast(x, ttnn.int32)
    """
    check_tensor(input_tensor, "ttnn.typecast(): input_tensor")
    check_options("typecast", options)
    dtype = as_dtype(more[0] if more else dtype)
    if output_tensor is not None:
        return write(output_tensor, numbers_of(input_tensor), "output_tensor")
    return _changed(input_tensor, dtype, memory_config=memory_config)


def to_dtype(tensor, dtype):
    """Does the same as typecast.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.to_dtype(x, ttnn.bfloat16)
    """
    return typecast(tensor, dtype)


# ===--------------------------------------------------------------------------=== #
# Copies and memory
# ===--------------------------------------------------------------------------=== #


def clone(input_tensor, *, memory_config=None, dtype=None, **options):
    """Returns a copy of the tensor.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.clone(x, dtype=ttnn.bfloat16)
    """
    check_tensor(input_tensor, "ttnn.clone(): input_tensor")
    check_options("clone", options)
    return _changed(input_tensor, dtype, memory_config=memory_config)


def copy(input_a, input_b):
    """Copies the elements of the first tensor to the second tensor. Returns the second tensor.

    Raises a TypeError for an argument that is no tensor, and a ValueError for tensors of different
    shapes.

    Example:

        ttnn.copy(x, y)
    """
    check_tensor(input_a, "ttnn.copy(): input_a")
    check_tensor(input_b, "ttnn.copy(): input_b")
    if input_a.dtype != input_b.dtype or input_a.shape != input_b.shape:
        return write(input_b, numbers_of(input_a), "input_b")
    input_b.write_bits(input_a.bits())
    return input_b


def copy_host_to_device_tensor(host_tensor, device_tensor, cq_id=None):
    """Copies the elements of a host tensor to a tensor on the device.

    Raises a TypeError for an argument that is no tensor, and a ValueError for tensors of different
    shapes.

    Example:

        ttnn.copy_host_to_device_tensor(x, ttnn.to_device(y, device))
    """
    copy(host_tensor, device_tensor)


def copy_device_to_host_tensor(device_tensor, host_tensor, blocking=True, cq_id=None):
    """Copies the elements of a tensor on the device to a host tensor.

    Raises a TypeError for an argument that is no tensor, and a ValueError for tensors of different
    shapes.

    Example:

        ttnn.copy_device_to_host_tensor(ttnn.to_device(x, device), y)
    """
    copy(device_tensor, host_tensor)


def deallocate(tensor, force=True):
    """Frees the memory of a tensor on the device. Every later use of the tensor is an error.

    Raises a TypeError for an argument that is no tensor.

    Example:

        ttnn.deallocate(ttnn.ones((32, 64), device=device))
    """
    check_tensor(tensor, "ttnn.deallocate(): tensor").deallocate()


def reallocate(tensor, memory_config=None):
    """Moves the tensor to newly allocated memory and frees its old memory. Returns the tensor.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.reallocate(ttnn.ones((32, 64), device=device))
    """
    check_tensor(tensor, "ttnn.reallocate(): tensor")
    result = tensor.cpu()
    device = tensor.device()
    if device is None:
        return _changed(tensor, memory_config=memory_config)
    tensor.deallocate()
    return _changed(result, memory_config=memory_config, device=device)


def move(input_tensor, memory_config=None):
    """Does the same as reallocate.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a type, layout or
    memory that the tensor cannot have.

    Example:

        y = ttnn.move(ttnn.ones((32, 64), device=device))
    """
    return reallocate(input_tensor, memory_config)


def is_tensor_storage_on_device(tensor):
    """Returns whether the tensor is on a device.

    Raises a TypeError for an argument that is no tensor.

    Example:

        assert not ttnn.is_tensor_storage_on_device(x)
    """
    check_tensor(tensor, "ttnn.is_tensor_storage_on_device(): tensor")
    return tensor.storage_type() is StorageType.DEVICE


def is_sharded(tensor):
    """Returns whether the tensor is divided into shards.

    Raises a TypeError for an argument that is no tensor.

    Example:

        assert not ttnn.is_sharded(x)
    """
    return check_tensor(tensor, "ttnn.is_sharded(): tensor").is_sharded()


def get_memory_config(tensor):
    """Returns the MemoryConfig of a tensor.

    Raises a TypeError for an argument that is no tensor.

    Example:

        memory = ttnn.get_memory_config(x)
    """
    return check_tensor(tensor, "ttnn.get_memory_config(): tensor").memory_config()
