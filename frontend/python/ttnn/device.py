# SPDX-License-Identifier: Apache-2.0
"""The emulated device of this process."""

import contextlib
import enum
import math

import _ttjit

from . import fabric, settings
from .cores import CoreGrid, as_core
from .operands import integer_of
from .storage import kind_of
from .submeshes import close_mesh
from .tensor import check_device
from .types import CoreCoord

__all__ = (
    "CloseDevice CloseDevices CreateDevice CreateDevices DispatchCoreAxis DispatchCoreConfig "
    "DispatchCoreType GetDefaultDevice GetNumAvailableDevices GetNumPCIeDevices SetDefaultDevice close_device "
    "get_arch_name get_device_ids get_num_devices manage_device open_device synchronize_device"
).split()

Device = _ttjit.Device


class Arch(str, enum.Enum):
    """Generations of the chip. A constant is equal to the text that device.arch() returns."""

    WORMHOLE_B0 = "wormhole_b0"
    BLACKHOLE = "blackhole"


class DispatchCoreType(enum.Enum):
    """The kind of cores that a driver uses for itself."""

    WORKER = 0
    ETH = 1


class DispatchCoreAxis(enum.Enum):
    """Tells whether a driver uses a row or a column of cores for itself."""

    ROW = 0
    COL = 1


class DispatchCoreConfig:
    """The cores that a driver uses for itself. It has no effect on the host."""

    def __init__(self, type=None, axis=None):
        self.type, self.axis = type, axis


def open_device(device_id=0, *, l1_small_size=None, trace_region_size=None,
                dispatch_core_config=None, num_command_queues=1, worker_l1_size=None):
    """Returns the emulated device; inside `with ttl.options(arch=...)`, that of this chip.
    worker_l1_size is the number of bytes of L1 that buffers of kernels may take before a warning.
    The other options configure drivers; they have no effect on the host.

    Sizes are in bytes. Raises a ValueError for the number of a device that is not there.

    Example:

        device = ttnn.open_device(device_id=0)
    """
    if device_id != 0:
        raise ValueError(f"device_id={device_id!r}: only device 0 can be opened alone; "
                         "ttnn.open_mesh_device opens several devices as a mesh")
    device = _ttjit.device_of(settings.current())
    if worker_l1_size is not None:
        most, size = device.l1_available, integer_of(worker_l1_size, "worker_l1_size")
        if not 0 < size <= most:
            raise ValueError(f"worker_l1_size={size}: expected a number from 1 to {most}")
        settings.of_device = (("max-l1", str(size)),)
    return device


def close_device(device):
    """Ends the effect of worker_l1_size, and closes a mesh. Tensors free their memory when Python drops
    them.

    Raises a TypeError for an argument that is no device.

    Example:

        ttnn.close_device(device)
    """
    check_device(device)
    settings.of_device = ()
    if device is not None and fabric.open_mesh() is device:
        close_mesh(device)


def get_max_worker_l1_unreserved_size():
    """Returns the bytes of L1 of a core that buffers and tensors share."""
    return open_device().l1_available


def CreateDevices(device_ids, **options):
    """Returns a dictionary from numbers of devices to devices.

    Raises a ValueError for the number of a device that is not there.

    Example:

        devices = ttnn.CreateDevices([0])
    """
    return {number: open_device(number, **options) for number in device_ids}


def CloseDevices(devices):
    """Closes the devices of a dictionary that CreateDevices returned.

    Raises a TypeError for an argument that is no dictionary.

    Example:

        ttnn.CloseDevices(ttnn.CreateDevices([0]))
    """
    if not isinstance(devices, dict):
        raise TypeError(f"CloseDevices() got {kind_of(devices)}, expected a dictionary from "
                        "CreateDevices")
    for device in devices.values():
        close_device(device)


def synchronize_device(device=None, cq_id=None, sub_device_ids=None):
    """Does nothing, because a launch returns only when the kernel has finished.

    Raises a TypeError for an argument that is no device.

    Example:

        ttnn.synchronize_device(device)
    """
    check_device(device)


CreateDevice, CloseDevice = open_device, close_device


@contextlib.contextmanager
def manage_device(device_id=0, **options):
    """Opens the device and closes it at the end: `with ttnn.manage_device(0) as device:`.

    The options are those of ttnn.open_device. Raises a ValueError for the number of a device that
    is not there.

    Example:

        with ttnn.manage_device(0) as device:
            y = ttnn.to_device(x, device)
    """
    device = open_device(device_id, **options)
    try:
        yield device
    finally:
        close_device(device)


class _Default:
    """The device that GetDefaultDevice returns."""

    device = None


def GetDefaultDevice():
    """Returns the device that SetDefaultDevice named, or the one that open_device() returns.

    Raises a TypeError for arguments, because it takes none.

    Example:

        device = ttnn.GetDefaultDevice()
    """
    return open_device() if _Default.device is None else _Default.device


def SetDefaultDevice(device):
    """Sets the device that GetDefaultDevice returns. None stands for the one that open_device() returns.

    Raises a TypeError for an argument that is no device.

    Example:

        ttnn.SetDefaultDevice(None)
    """
    check_device(device)
    _Default.device = device


def get_arch_name():
    """Returns the name of the chip's generation: "wormhole_b0" or "blackhole".

    Raises a TypeError for arguments, because it takes none.

    Example:

        name = ttnn.get_arch_name()
    """
    return open_device().arch().partition("@")[0]


def is_wormhole_b0(device=None):
    """Returns whether the chip is a Wormhole."""
    return get_arch_name() == Arch.WORMHOLE_B0


def is_blackhole(device=None):
    """Returns whether the chip is a Blackhole."""
    return get_arch_name() == Arch.BLACKHOLE


def get_num_devices():
    """Returns the number of devices of the machine, which the option --mesh names.

    Raises a TypeError for arguments, because it takes none.

    Example:

        assert ttnn.get_num_devices() >= 1
    """
    return math.prod(settings.current().mesh or (1,))


GetNumAvailableDevices = GetNumPCIeDevices = get_num_devices


def get_device_ids():
    """Returns the numbers of the devices of the machine.

    Raises a TypeError for arguments, because it takes none.

    Example:

        numbers = ttnn.get_device_ids()
    """
    return list(range(get_num_devices()))


# ===--------------------------------------------------------------------------=== #
# Methods of a device that are written in Python


def _core_grid(device):
    """Returns the compute grid as a CoreGrid."""
    size = device.compute_with_storage_grid_size()
    return CoreGrid(y=size.y, x=size.x)


def _worker_core(device, core):
    """Returns the coordinate on the network on chip of a core of the compute grid. Kernels in C++
    see this coordinate."""
    core, size = as_core(core, "core"), device.compute_with_storage_grid_size()
    if not (0 <= core.x < size.x and 0 <= core.y < size.y):
        raise ValueError(f"core ({core.x}, {core.y}) is outside of the compute grid, which has "
                         f"{size.x} columns and {size.y} rows")
    origin = device.noc_origin
    return CoreCoord(origin.x + core.x, origin.y + core.y)


def _no_effect(name):
    def method(device):
        """Does nothing, because ttl-jit keeps its own cache of compiled kernels."""

    method.__name__ = method.__qualname__ = name
    return method


Device.core_grid = property(_core_grid)
Device.worker_core_from_logical_core = _worker_core
for _name in ("enable_program_cache", "disable_and_clear_program_cache", "clear_program_cache"):
    setattr(Device, _name, _no_effect(_name))
