# SPDX-License-Identifier: Apache-2.0
"""Tensors in files, and functions that compute what a function of ttnn should give."""

import json
import os

import numpy as np

from .operands import check_tensor, is_tensor
from .storage import is_torch, kind_of
from .tensor import Tensor, check_device
from .types import Layout, as_dtype

__all__ = ["dump_tensor", "get_golden_function", "load_tensor"]

_MAGIC = "ttl-jit tensor"


def dump_tensor(file_name, tensor):
    """Writes a tensor to a file: its type, layout and elements, but not its place.

    Raises a TypeError for an argument that is no tensor, and an OSError for a file that cannot be
    written.

    Example:

        ttnn.dump_tensor("x.tensorbin", x)
    """
    check_tensor(tensor, "ttnn.dump_tensor(): tensor")
    head = {"is": _MAGIC, "dtype": tensor.dtype.name, "layout": tensor.layout.name,
            "shape": list(tensor.shape)}
    with open(os.fspath(file_name), "wb") as file:
        np.savez(file, head=np.array(json.dumps(head)), bits=np.ascontiguousarray(tensor.bits()))


def load_tensor(file_name, *, device=None):
    """Reads a tensor from a file that ttnn.dump_tensor wrote.

    Raises an OSError for a file that cannot be read, and a ValueError for a file of another kind.

    Example:

        ttnn.dump_tensor("x.tensorbin", x)
        y = ttnn.load_tensor("x.tensorbin")
    """
    check_device(device)
    try:
        with open(os.fspath(file_name), "rb") as file, np.load(file, allow_pickle=False) as found:
            head, bits = json.loads(str(found["head"])), found["bits"]
            if head["is"] != _MAGIC or tuple(head["shape"]) != bits.shape:
                raise ValueError
            dtype, layout = as_dtype(head["dtype"].lower()), getattr(Layout, head["layout"])
            return Tensor.from_storage(bits.shape, bits, dtype, layout, None, device)
    except OSError:
        raise
    except Exception:  # whatever numpy and json raise for other contents
        raise ValueError(f"{file_name}: this is no file that ttnn.dump_tensor of ttl-jit wrote") from None


def get_golden_function(operation):
    """Returns a function that computes an operation of ttnn on torch tensors or numpy arrays.

    Raises a TypeError for an argument that is no function.

    Example:

        exact = ttnn.get_golden_function(ttnn.add)(np.ones(4), np.ones(4))
    """
    if not callable(operation):
        raise TypeError(f"get_golden_function() got {kind_of(operation)}, expected a function of "
                        "ttnn")

    def golden(*args, **kwargs):
        kind = next((each for each in args if is_torch(each) or isinstance(each, np.ndarray)), None)
        result = operation(*map(_as_tensor, args), **{k: _as_tensor(v) for k, v in kwargs.items()})
        if not is_tensor(result) or kind is None:
            return result
        return result.to_torch() if is_torch(kind) else result.to_numpy()

    return golden


def _as_tensor(value):
    is_array = is_torch(value) or isinstance(value, np.ndarray)
    return Tensor(value) if is_array else value
