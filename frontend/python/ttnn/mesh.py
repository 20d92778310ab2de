# SPDX-License-Identifier: Apache-2.0
"""Meshes: several devices that run a kernel together.

A tensor of a mesh has a part on each of its devices, of one shape and at one address. The parts may
have different elements (distribution.py).
"""

import itertools
import math
import warnings
import weakref

import _ttjit

from . import fabric, settings
from .device import Device, open_device
from .operands import integer_of
from .storage import kind_of
from .submeshes import Place, close_mesh, end, submeshes
from .tensor import check_device
from .topology import MeshCoordinate, MeshShape, as_shape, text_of

__all__ = "close_mesh_device get_device_tensors open_mesh_device".split()

MAX_DEVICES = 1024


# ===--------------------------------------------------------------------------=== #
# Opening


def _check_place(shape, offset, machine):
    """Raises a ValueError if a mesh of this shape at this offset is not inside the machine."""
    if offset is None:
        return
    offset = MeshCoordinate(*offset)
    if len(offset) != len(shape) or len(shape) != len(machine):
        raise ValueError(f"offset={tuple(offset)}: expected {len(machine)} coordinates, for a mesh "
                         f"of {len(machine)} axes")
    if any(first + extent > whole for first, extent, whole in zip(offset, shape, machine)):
        raise ValueError(f"a mesh of {text_of(shape)} at offset {tuple(offset)} is not inside the "
                         f"machine of {text_of(machine)} devices")


def _check_ids(ids, count, available):
    if ids is None:
        return
    numbers = [integer_of(each, "physical_device_ids") for each in ids]
    if numbers and (len(numbers) != count or len(set(numbers)) != count):
        raise ValueError(f"physical_device_ids={numbers}: expected {count} different numbers")
    if any(not 0 <= each < available for each in numbers):
        raise ValueError(f"physical_device_ids={numbers}: the machine has devices 0 to "
                         f"{available - 1}")


def _check_size(shape, chosen):
    """Raises a ValueError if --mesh names too small a machine. Without --mesh it warns, or with --strict
    raises, and the machine is as large as the mesh."""
    count, available = math.prod(shape), math.prod(chosen.mesh or (1, 1))
    if count > MAX_DEVICES:
        raise ValueError(f"open_mesh_device(): a mesh of {text_of(shape)} has {count} devices; at "
                         f"most {MAX_DEVICES} are emulated")
    if count <= available:
        return
    if chosen.mesh:
        raise ValueError(f"open_mesh_device(): a mesh of {text_of(shape)} needs {count} devices, but "
                         f"--mesh={text_of(chosen.mesh)} has {available}")
    message = (f"open_mesh_device(): the machine has 1 device, and a mesh of {text_of(shape)} needs "
               f"{count}: name the machine, as in --mesh={text_of(shape)}")
    if chosen.strict:
        raise ValueError(message)
    warnings.warn(f"{message}; it runs as if the machine were that large", stacklevel=3)


def _new_mesh(chosen, shape):
    device = _ttjit.mesh_of(chosen, list(shape))
    device.set_fabric(*fabric.of_mesh(chosen.links))
    return device


def open_mesh_device(mesh_shape=None, l1_small_size=None, trace_region_size=None,
                     num_command_queues=1, dispatch_core_config=None, offset=None,
                     physical_device_ids=None, worker_l1_size=None):
    """Returns a mesh of devices, of all devices of the machine by default. worker_l1_size is as in
    ttnn.open_device; the other options of drivers have no effect on the host. The option --mesh
    names the machine.

    Raises a ValueError for a mesh that the machine does not have, and a RuntimeError if a mesh is
    open.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
        ttnn.close_mesh_device(mesh)
    """
    chosen = settings.current()
    machine = tuple(chosen.mesh or (1, 1))
    shape = MeshShape(*machine) if mesh_shape is None else as_shape(mesh_shape)
    if fabric.open_mesh() is not None:
        raise RuntimeError("open_mesh_device(): a mesh is open already: close it with "
                           "ttnn.close_mesh_device before you open another one")
    _check_size(shape, chosen)
    _check_place(shape, offset, machine if chosen.mesh else shape)
    _check_ids(physical_device_ids, math.prod(shape), max(math.prod(shape), math.prod(machine)))
    device = open_device(worker_l1_size=worker_l1_size)
    if math.prod(shape) > 1:
        device = _new_mesh(chosen, shape)
    fabric.note_mesh(weakref.ref(device))
    return device


def close_mesh_device(mesh_device):
    """Closes a mesh. Tensors free their memory when Python drops them.

    Raises a TypeError for an argument that is no device, and a RuntimeError for a mesh that is not
    open.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
        ttnn.close_mesh_device(mesh)
    """
    check_device(mesh_device)
    if mesh_device is None:
        raise TypeError("close_mesh_device(): expected a device, found None")
    opened = fabric.open_mesh()
    # create_submesh() returns the device of the process for a mesh of one device.
    is_small_submesh = mesh_device.get_num_devices() == 1 and opened not in (None, mesh_device)
    if mesh_device in submeshes or is_small_submesh:
        return end(mesh_device)
    if opened is not mesh_device:
        raise RuntimeError("close_mesh_device(): this mesh is not open")
    close_mesh(mesh_device)


def get_device_tensors(tensor):
    """Returns the parts that the devices of a mesh have of a tensor, in row-major order of the
    devices. A tensor of one device is its only part. A part shares the memory of the tensor.

    Raises a TypeError for an argument that is no tensor.

    Example:

        (only,) = ttnn.get_device_tensors(x)
    """
    if not isinstance(tensor, _ttjit.Tensor):
        raise TypeError(f"get_device_tensors() got {kind_of(tensor)}, expected a ttnn.Tensor")
    if tensor.num_devices == 1:
        return [tensor]
    return [tensor.part(number) for number in range(tensor.tensor_topology().count)]


# ===--------------------------------------------------------------------------=== #
# Methods of a mesh


def _reshape(device, shape):
    """Gives the mesh another shape with the same number of devices, which keep their numbers."""
    shape = as_shape(shape, "shape")
    if math.prod(shape) != device.get_num_devices():
        raise ValueError(f"reshape({tuple(shape)}): the mesh has {device.get_num_devices()} devices: "
                         "expected a shape with as many")
    device.set_mesh(list(shape))


def _create_submesh(device, shape, offset=None):
    """Returns a mesh of some of the devices. It has memory of its own."""
    shape = as_shape(shape, "shape")
    if len(shape) != len(device.shape):
        raise ValueError(f"create_submesh({tuple(shape)}): the mesh has {len(device.shape)} axes: "
                         "expected as many extents")
    first = (0,) * len(shape) if offset is None else MeshCoordinate(*offset)
    _check_place(shape, first, device.shape)
    if math.prod(shape) == 1:
        return open_device()
    made = _new_mesh(settings.current(), shape)
    ids = _device_ids(device)
    spans = (range(start, start + extent) for start, extent in zip(first, shape))
    submeshes[made] = Place(device, [ids[_number(each, device.shape)] for each in itertools.product(*spans)])
    return made


def _number(coordinates, extents):
    """Returns the row-major number of a device."""
    number = 0
    for coordinate, extent in zip(coordinates, extents):
        number = number * extent + coordinate
    return number


def _device_ids(device):
    """Returns the numbers of the devices; those of a submesh are the numbers in the mesh that was opened."""
    return list(submeshes[device].ids) if device in submeshes else list(range(device.get_num_devices()))


def _number_of_programs(device):
    """Returns the number of compiled kernels that are kept."""
    import sys

    operations = sys.modules.get("ttl._operation")
    return operations.cache_info().size if operations else 0


Device.shape = property(lambda device: MeshShape(*device.mesh))
Device.reshape = _reshape
Device.create_submesh = _create_submesh
Device.get_device_ids = _device_ids
Device.num_program_cache_entries = _number_of_programs
