# SPDX-License-Identifier: Apache-2.0
"""The emulated device of this process."""

import contextlib
import enum

import _ttjit

from . import settings
from .cores import CoreGrid
from .tensor import check_device

__all__ = (
    "CloseDevice CreateDevice DispatchCoreAxis DispatchCoreConfig DispatchCoreType "
    "GetDefaultDevice GetNumAvailableDevices GetNumPCIeDevices SetDefaultDevice close_device "
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
    """Returns the emulated device; inside `with ttl.options(arch=...)`, that of this chip. All
    options but device_id configure drivers; they have no effect on the host."""
    if device_id != 0:
        raise ValueError(f"device_id={device_id!r}: this process emulates one device, number 0")
    return _ttjit.device_of(settings.current())


def close_device(device):
    """Does nothing, because tensors free their memory when Python drops them."""
    check_device(device)


def synchronize_device(device=None, cq_id=None, sub_device_ids=None):
    """Does nothing, because a launch returns only when the kernel has finished."""
    check_device(device)


CreateDevice, CloseDevice = open_device, close_device


@contextlib.contextmanager
def manage_device(device_id=0, **options):
    """Opens the device and closes it at the end: `with ttnn.manage_device(0) as device:`."""
    device = open_device(device_id, **options)
    try:
        yield device
    finally:
        close_device(device)


class _Default:
    """The device that GetDefaultDevice returns."""

    device = None


def GetDefaultDevice():
    """Returns the device that SetDefaultDevice named, or the session's device."""
    return open_device() if _Default.device is None else _Default.device


def SetDefaultDevice(device):
    """Sets the device that GetDefaultDevice returns. None stands for the session's device."""
    check_device(device)
    _Default.device = device


def get_arch_name():
    """Returns the name of the chip's generation: "wormhole_b0" or "blackhole"."""
    return open_device().arch().partition("@")[0]


def is_wormhole_b0(device=None):
    """Returns whether the chip is a Wormhole."""
    return get_arch_name() == Arch.WORMHOLE_B0


def is_blackhole(device=None):
    """Returns whether the chip is a Blackhole."""
    return get_arch_name() == Arch.BLACKHOLE


def get_num_devices():
    """Returns 1, because this process emulates one device."""
    return 1


GetNumAvailableDevices = GetNumPCIeDevices = get_num_devices


def get_device_ids():
    """Returns the numbers that open_device accepts."""
    return [0]


# ===--------------------------------------------------------------------------===//
# Methods of a device that are written in Python


def _core_grid(device):
    """Returns the compute grid as a CoreGrid."""
    size = device.compute_with_storage_grid_size()
    return CoreGrid(y=size.y, x=size.x)


def _no_effect(name):
    def method(device):
        """Does nothing, because ttl-jit keeps its own cache of compiled kernels."""

    method.__name__ = method.__qualname__ = name
    return method


Device.core_grid = property(_core_grid)
for _name in ("enable_program_cache", "disable_and_clear_program_cache", "clear_program_cache"):
    setattr(Device, _name, _no_effect(_name))
