# SPDX-License-Identifier: Apache-2.0
"""The emulated device of this process."""

import _ttjit
from _ttjit import public

from .tensor import check_device


@public
def open_device(device_id=0, *, l1_small_size=None, trace_region_size=None,
                dispatch_core_config=None, num_command_queues=1, worker_l1_size=None):
    """The session's device. The options besides device_id configure drivers and have no
    effect on the host."""
    if device_id != 0:
        raise ValueError(f"device_id={device_id!r}: this process emulates one device, number 0")
    return _ttjit.session_device()


@public
def close_device(device):
    """Does nothing: tensors free their memory when Python drops them."""
    check_device(device)


@public
def synchronize_device(device):
    """Does nothing: a launch returns when the kernel has finished."""
    check_device(device)
