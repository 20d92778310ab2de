# ===- _expert_checks.py - the arguments of collectives for experts -----------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import math

import numpy as np

from ttl._ttnn import package
from ttl.ccl import _checks
from ttl.ccl._gathering import arrays

_INTEGERS = package.types.INTEGERS


def _rows(name, tensor, what, extents):
    """Checks that a tensor is row-major and has the extents. An extent that is a string may have any value;
    the string describes it in messages."""
    if tensor.layout != package.ROW_MAJOR_LAYOUT:
        raise ValueError(f"{name}(): {what} has {tensor.layout}: expected ROW_MAJOR_LAYOUT; convert it "
                         "with ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT)")
    shape = list(tensor.shape)
    if len(shape) != len(extents) or any(isinstance(each, int) and each != found
                                         for found, each in zip(shape, extents)):
        raise ValueError(f"{name}(): {what} has shape {shape}: expected [{', '.join(map(str, extents))}]")


def _indices(name, tensor, like, what):
    """Checks a tensor of numbers of experts."""
    _checks.check_tensor(name, tensor, what)
    if tensor.dtype not in _INTEGERS:
        raise TypeError(f"{name}(): {what} has {tensor.dtype}: expected a type of integers, such as uint16")
    if tensor.device() is not like.device():
        raise ValueError(f"{name}(): {what} is not on the mesh of the input")


def pair(name, tensors):
    """Returns the two tensors that a program gives for the results, or None for each."""
    if tensors is None:
        return None, None
    if not isinstance(tensors, (tuple, list)) or len(tensors) != 2:
        raise TypeError(f"{name}(): output_tensors={tensors!r}: expected two tensors, for the tokens and for their "
                        "experts")
    return tensors


def joined_dimension(name, value, what):
    """Returns the dimension along which the tokens of a group are joined."""
    dim = _checks.integer(name, value, what)
    if dim not in (1, 2):
        raise ValueError(f"{name}(): {what}={dim}: expected 1, the batch, or 2, the sequence")
    return dim


def tokens(name, x, indices):
    """Checks tokens and the numbers of their experts."""
    _rows(name, x, "input_tensor", ["B", "S", 1, "H"])
    _indices(name, indices, x, "expert_indices_tensor")
    _rows(name, indices, "expert_indices_tensor", [*x.shape[:3], "K"])


def results(name, x, metadata):
    """Checks the results of experts and the numbers of the experts of all tokens."""
    _rows(name, x, "input_tensor", ["P", "B", "S", "H"])
    _indices(name, metadata, x, "expert_metadata_tensor")
    _rows(name, metadata, "expert_metadata_tensor", [1, *x.shape[1:3], "K"])


def mapping(name, x, tensor):
    """Returns the array of ones and zeros that says for each expert and device whether it is there."""
    what = "expert_mapping_tensor"
    _indices(name, tensor, x, what)
    count = math.prod(_checks.mesh_of(x))
    _rows(name, tensor, what, [1, 1, "E", count])
    found = [each[0, 0] for each in arrays(tensor)]
    for device, each in enumerate(found):
        if not np.array_equal(each, found[0]):
            raise ValueError(f"{name}(): {what} of device {device} is not that of device 0: expected the same on all "
                             "devices, as ttnn.ReplicateTensorToMesh makes it")
    wrong = np.argwhere((found[0] != 0) & (found[0] != 1))
    if len(wrong):
        expert, device = wrong[0]
        raise ValueError(f"{name}(): {what} has {found[0][expert, device]} for expert {expert} and device {device}: "
                         "expected 1 if the device has the expert, else 0")
    return found[0]


def experts(name, tensor, what, count):
    """Checks that all numbers of experts in the tensor are from 0 to count - 1."""
    for device, found in enumerate(arrays(tensor)):
        wrong = np.argwhere((found < 0) | (found >= count))
        if len(wrong):
            place = [int(each) for each in wrong[0]]
            raise ValueError(f"{name}(): {what}{place} of device {device} is {found[tuple(place)]}: expected an expert "
                             f"from 0 to {count - 1}, because expert_mapping_tensor has {count}")


def parts(name, x, found, local_reduce):
    """Returns local_reduce: whether devices have one result for all their experts. Checks the number of
    results."""
    if not isinstance(local_reduce, (bool, np.bool_)):
        raise TypeError(f"{name}(): local_reduce={local_reduce!r}: expected True or False")
    most = int(found.sum(0, dtype=int).max())
    if local_reduce and x.shape[0] != 1:
        raise ValueError(f"{name}(): input_tensor has shape {list(x.shape)}: with local_reduce=True expected 1 as the "
                         "first extent")
    if not local_reduce and x.shape[0] < most:
        raise ValueError(f"{name}(): input_tensor has shape {list(x.shape)}: expected at least {most} as the first "
                         f"extent, because device {int(found.sum(0, dtype=int).argmax())} has {most} experts")
    return bool(local_reduce)


def single_homes(name, group, found):
    """Checks that no expert is on two devices of a group, which would both send to the same slot."""
    for first in range(len(group.devices)):
        devices = [group.at(first, each) for each in range(group.size)]
        twice = np.flatnonzero(found[:, devices].sum(1, dtype=int) > 1)
        if len(twice):
            owners = [device for device in devices if found[twice[0], device]]
            raise ValueError(f"{name}(): expert_mapping_tensor has expert {twice[0]} on devices {owners[0]} and "
                             f"{owners[1]}, which would both send its results: put a 1 for one of them only")


def same_metadata(name, group, tensor):
    """Checks that all devices of a group name the same experts for each token."""
    found = arrays(tensor)
    for device, each in enumerate(found):
        first = group.at(device, 0)
        if not np.array_equal(each, found[first]):
            raise ValueError(f"{name}(): expert_metadata_tensor of device {device} is not that of device {first}: "
                             "expected what ttnn.all_to_all_dispatch returns, which all devices of a group have")


def shares(name, tensor, dim, size):
    """Returns into how many shares a dimension of tokens is cut."""
    if tensor.shape[dim] % size:
        raise ValueError(f"{name}(): expert_metadata_tensor has shape {list(tensor.shape)}, and {size} devices do not "
                         f"divide extent {tensor.shape[dim]} of dimension {dim}")
    return size
