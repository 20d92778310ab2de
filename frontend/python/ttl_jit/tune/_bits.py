# SPDX-License-Identifier: Apache-2.0
"""The elements of the tensors of a call, as they are stored, and copies of the tensors."""

import _ttjit
import numpy as np
from ttl import _partial


def tensors_of(operation, args, kwargs):
    """Returns the tensors among the arguments, by the names of the parameters."""
    args, kwargs, _ = _partial.unwrap(args, kwargs)
    bound = operation.signature.bind_partial(*args, **kwargs).arguments
    return {name: value for name, value in bound.items() if _ttjit.is_tensor(value)}


def _parts(tensor):
    """Returns what each chip has of a tensor of a mesh."""
    return [tensor.part(number) for number in range(getattr(tensor, "num_devices", 1))]


def _is_spread(tensor):
    return getattr(tensor, "num_devices", 1) > 1


def of(tensor):
    """Returns the elements of a tensor as they are stored; those of a mesh chip by chip."""
    if isinstance(tensor, np.ndarray):
        return tensor
    if _is_spread(tensor):
        return np.stack([part.bits() for part in _parts(tensor)])
    return tensor.bits() if hasattr(tensor, "bits") else _ttjit.storage_of(tensor)[0]


def write(tensor, bits):
    """Replaces the elements of a tensor by those that of() returned."""
    if _is_spread(tensor):
        for part, each in zip(_parts(tensor), bits):
            part.write_bits(each)
    elif hasattr(tensor, "write_bits"):
        tensor.write_bits(bits)
    else:
        of(tensor)[...] = bits


def array_of(tensor):
    """Returns a copy of the values of a tensor; those of a mesh chip by chip."""
    from ttl_jit.diff.runs import array_of

    return np.stack([array_of(part) for part in _parts(tensor)]) if _is_spread(tensor) else array_of(tensor)


def copies(args, kwargs):
    """Returns arguments with copies of their tensors. A tensor that is there twice has one copy."""
    known = {}

    def copied(value):
        if type(value) is _partial.Partial:
            return _partial.partial(copied(value.tensor))
        return known.setdefault(id(value), _copy(value))
    return [copied(each) for each in args], {name: copied(each) for name, each in kwargs.items()}


def _copy(value):
    """Returns a copy of a tensor; another value itself."""
    from ttl import ttnn

    if isinstance(value, ttnn.Tensor):
        return ttnn.clone(value)
    if type(value).__module__ == "torch":
        return value.clone()
    return value.copy() if type(value).__module__ == "numpy" and _ttjit.is_tensor(value) else value
