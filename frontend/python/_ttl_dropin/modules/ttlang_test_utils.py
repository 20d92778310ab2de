# SPDX-License-Identifier: Apache-2.0
"""Helpers that tests of kernels share: checks for a device, tensors on the device, comparisons.

Names that this module lacks come from the user's own ttlang_test_utils.py: beside the test, in a
folder above it, or on sys.path."""

import contextlib
import importlib.util
import inspect
import math
import os
import sys

import numpy as np

from ttl import ttnn
from ttl.utils.correctness import assert_allclose, assert_pcc, assert_with_ulp


def is_ttnn_available():
    return True


def is_hardware_available():
    return True


def is_simulated_device():
    return True


def require_ttnn():
    """Does nothing, because ttnn is always there."""


def require_hardware(message=""):
    """Does nothing, because the emulated device is always there."""


def pin_xdist_worker_to_device():
    """Does nothing, because every process emulates a device of its own."""


def to_dram(tensor, device, mesh_mapper=None):
    """Returns the torch tensor as a tensor on the device, in tile layout, in DRAM. A mapper distributes
    it over a mesh."""
    return _placed(tensor, device, ttnn.DRAM_MEMORY_CONFIG, mesh_mapper)


def to_l1(tensor, device):
    """Returns the torch tensor as a tensor on the device, in tile layout, in L1."""
    return _placed(tensor, device, ttnn.L1_MEMORY_CONFIG)


_LAYOUTS = {
    "height": ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
    "width": ttnn.TensorMemoryLayout.WIDTH_SHARDED,
    "block": ttnn.TensorMemoryLayout.BLOCK_SHARDED,
}


def to_l1_sharded(tensor, device, layout="height"):
    """Returns the torch tensor as a tensor in L1 of core (0, 0), as one shard."""
    if layout not in _LAYOUTS:
        raise ValueError(f"Unknown shard layout {layout!r}, expected one of {list(_LAYOUTS)}")
    core = ttnn.CoreCoord(0, 0)
    spec = ttnn.ShardSpec(
        ttnn.CoreRangeSet({ttnn.CoreRange(core, core)}),
        tuple(tensor.shape[-2:]),
        ttnn.ShardOrientation.ROW_MAJOR,
    )
    config = ttnn.MemoryConfig(_LAYOUTS[layout], ttnn.BufferType.L1, spec)
    return ttnn.to_memory_config(to_dram(tensor, device), memory_config=config)


class FabricMeshUnavailable(RuntimeError):
    """Raised if the machine has too few devices for a mesh with a fabric."""


def get_fabric_mesh_shape(requested_mesh_shape=None, **fabric):
    """Returns the extents of the machine's mesh. Raises FabricMeshUnavailable if it has one device, or
    fewer than requested."""
    machine = tuple(ttnn.settings.current().mesh or (1, 1))
    count = math.prod(machine)
    wanted = machine if requested_mesh_shape is None else tuple(requested_mesh_shape)
    if count < 2 or math.prod(wanted) > count:
        raise FabricMeshUnavailable(f"the mesh needs {max(2, math.prod(wanted))} devices, the machine has {count}: "
                                    "name a larger one, as in --mesh=2x4 or TTL_MESH=2x4")
    return wanted


@contextlib.contextmanager
def open_fabric_mesh(requested_mesh_shape=None, fabric_config=None, router_config=None,
                     reliability_mode=None):
    """Opens a mesh with a fabric, of all devices of the machine by default, and closes both at the end."""
    shape = get_fabric_mesh_shape(requested_mesh_shape)
    config = ttnn.FabricConfig.FABRIC_2D if fabric_config is None else fabric_config
    ttnn.set_fabric_config(config, reliability_mode, router_config=router_config)
    try:
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(shape))
        try:
            yield mesh
        finally:
            ttnn.close_mesh_device(mesh)
    finally:
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def requires_forwarding_link_indices(test):
    """Returns the test unchanged, because the emulated fabric has a route between all devices. If the
    argument is the module ttnn, returns a decorator that does the same."""
    return (lambda decorated: decorated) if inspect.ismodule(test) else test


def make_compare_inputs(shape, dtype):
    """Returns two torch tensors for comparisons: a third of the elements of the second is equal to
    those of the first, a third is lower by 0.5, and a third is higher by 0.5."""
    import torch

    number = torch.arange(int(np.prod(shape))).reshape(tuple(shape))
    lhs = ((number % 16).float() / 32).to(dtype)
    step = torch.tensor([0.0, -0.5, 0.5])[number % 3]
    return lhs, (lhs.float() + step).to(dtype)


def assert_compare_result(result, expected):
    """Fails unless all elements are equal."""
    found, wanted = (_numbers(each) for each in (result, expected))
    wrong = int((found != wanted).sum()) if found.shape == wanted.shape else found.size
    assert not wrong, f"{wrong} of {found.size} elements of the mask differ"


def _numbers(tensor):
    if isinstance(tensor, ttnn.Tensor):
        return tensor.to_numpy()
    return tensor.detach().double().numpy() if hasattr(tensor, "detach") else np.asarray(tensor)


def _placed(tensor, device, memory_config, mesh_mapper=None):
    return ttnn.from_torch(
        tensor, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config,
        mesh_mapper=mesh_mapper,
    )


# ===--------------------------------------------------------------------------=== #
# The user's own module of this name
# ===--------------------------------------------------------------------------=== #

_users = {}  # the path of a file -> its module


def _folders():
    from _ttl_dropin import Finder

    finder = next((each for each in sys.meta_path if isinstance(each, Finder)), None)
    folder = os.path.abspath(finder.folder) if finder is not None and finder.folder else None
    while folder is not None:
        yield folder
        above = os.path.dirname(folder)
        folder = above if above != folder else None
    yield from sys.path


def _users_module():
    for folder in _folders():
        path = os.path.join(folder or ".", "ttlang_test_utils.py")
        if os.path.isfile(path) and not os.path.samefile(path, __file__):
            break
    else:
        return None
    if path not in _users:
        spec = importlib.util.spec_from_file_location("ttlang_test_utils_of_user", path)
        _users[path] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(_users[path])
    return _users[path]


def __getattr__(name):
    users = None if name.startswith("__") else _users_module()
    if users is None or not hasattr(users, name):
        raise AttributeError(f"module 'ttlang_test_utils' has no attribute '{name}'")
    return getattr(users, name)


__all__ = [
    "FabricMeshUnavailable",
    "assert_allclose",
    "assert_compare_result",
    "assert_pcc",
    "assert_with_ulp",
    "get_fabric_mesh_shape",
    "is_hardware_available",
    "is_simulated_device",
    "is_ttnn_available",
    "make_compare_inputs",
    "open_fabric_mesh",
    "pin_xdist_worker_to_device",
    "require_hardware",
    "require_ttnn",
    "requires_forwarding_link_indices",
    "to_dram",
    "to_l1",
    "to_l1_sharded",
]
