# SPDX-License-Identifier: Apache-2.0
"""Calls of functions with tensors of a mesh: the function is called once for each device, with the parts
of that device, and its results become the parts of one tensor of the mesh."""

import functools

import _ttjit

# Functions that get tensors of a mesh as a whole.
_OF_MESHES = frozenset("to_torch to_numpy deallocate from_torch from_numpy as_tensor get_memory_config is_sharded "
                       "is_tensor_storage_on_device".split())


PartsOnHost = None  # the class of results on the host; tensor.py sets it


def _devices(count):
    return f"a mesh of {count} devices" if count > 1 else "one device"


def _is_spread(value):
    return isinstance(value, _ttjit.Tensor) and value.num_devices > 1


def _find(values):
    """Returns the first tensor of a mesh among the values and the items of sequences."""
    for value in values:
        if _is_spread(value):
            return value
        if isinstance(value, (list, tuple)):
            found = _find(value)
            if found is not None:
                return found
    return None


def _on(value, number, originals):
    """Returns the value with the part of one device in place of each tensor of a mesh. `originals` gets
    id(part) -> (tensor, part)."""
    if _is_spread(value):
        part = value.part(number)
        originals[id(part)] = value, part
        return part
    if isinstance(value, (list, tuple)) and _find(value) is not None:
        items = [_on(item, number, originals) for item in value]
        return items if isinstance(value, list) else tuple(items)
    return value


def _joined(results, originals, like):
    """Joins the results of the devices. If they are parts of an argument, the result is that argument."""
    first = results[0]
    if isinstance(first, _ttjit.Tensor):
        if id(first) in originals:
            return originals[id(first)][0]
        if first.device() is None:
            return PartsOnHost(results, like.tensor_topology())
        if first.num_devices != len(results):
            raise ValueError(f"the tensor has parts for {len(results)} devices, found {_devices(first.num_devices)}")
        for number, result in enumerate(results):
            first.part(number).write_bits(result.part(number).bits())
        return first.with_topology(like.tensor_topology())
    if isinstance(first, (list, tuple)):
        items = [_joined(list(column), originals, like) for column in zip(*results)]
        return items if isinstance(first, list) else tuple(items)
    return first if all(result == first for result in results) else results


def over_devices(function):
    """Returns a wrapper of the function. For tensors of a mesh it calls the function once for each device,
    with the parts of that device."""
    if function.__name__ in _OF_MESHES:
        return function

    @functools.wraps(function)
    def call(*args, **kwargs):
        like = _find((*args, *kwargs.values()))
        # A MeshProgramDescriptor has programs for all devices, so its call gets whole tensors. hasattr() is
        # tested last: for a tensor it takes as long as a small launch, because of Tensor.__getattr__().
        if like is None or any(hasattr(value, "programs_of_devices") for value in (*args, *kwargs.values())):
            return function(*args, **kwargs)
        originals, results = {}, []
        for number in range(like.num_devices):
            given = [_on(value, number, originals) for value in args]
            named = {name: _on(value, number, originals) for name, value in kwargs.items()}
            results.append(function(*given, **named))
        return _joined(results, originals, like)

    return call
