# SPDX-License-Identifier: Apache-2.0
"""Converts between arrays and the host storage of a tensor type.

Results are computed in double precision or 64-bit integers. They are rounded to float32,
then to the type of the tensor.
"""

import sys

import numpy as np

import _ttjit

from .types import INTEGERS, bfloat16, float32, int32, uint8, uint16, uint32

_NUMPY_INTEGERS = {uint32: np.uint32, int32: np.int32, uint16: np.uint16, uint8: np.uint8}


def is_torch(data):
    """Returns whether the data is a torch tensor. This does not import torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(data, torch.Tensor)


def kind_of(value):
    """Returns how messages describe a value of a wrong type."""
    return "None" if value is None else type(value).__name__


def _to_integers(values, kind):
    """Converts values to integers. Integers wrap around; other values lose their fraction and are
    limited to the range of the type."""
    if values.dtype.kind in "iub":
        return values.astype(kind)
    limits = np.iinfo(kind)
    whole = np.trunc(np.nan_to_num(values.astype(np.float64), nan=0.0))
    return np.clip(whole, limits.min, limits.max).astype(kind)


def _round(values, dtype):
    """Rounds float32 values to another float type; the result is an array in its host format."""
    if hasattr(_ttjit, "round_to"):
        return _ttjit.round_to(values, dtype)
    return _ttjit.round_to_bfloat16(values) if dtype == bfloat16 else values


def to_storage(values, dtype):
    """Returns a new array in the host format of the dtype. `values` is a numpy array."""
    if dtype in INTEGERS:
        return _to_integers(values, _NUMPY_INTEGERS[dtype])
    with np.errstate(all="ignore"):
        values = np.asarray(values, dtype=np.float32)
    return values if dtype == float32 else _round(values, dtype)


def _plain_values(data):
    """Returns the data as a numpy array of a type that numpy has."""
    if is_torch(data):
        data, torch = data.detach().cpu(), sys.modules["torch"]
        return (data.float() if data.dtype == torch.bfloat16 else data).numpy()
    values = np.asarray(data)
    if values.dtype.kind == "V" or values.dtype.name == "bfloat16":
        values = values.astype(np.float32)
    if values.dtype.kind not in "biuf":
        raise TypeError(f"elements of type {values.dtype}: expected numbers")
    return values


def storage_of(data, dtype):
    """Returns a numpy array in the host format of the dtype, and the dtype. Without dtype, it is
    the data's own type; float64 and lists become float32."""
    if isinstance(data, np.ndarray) or is_torch(data):
        try:
            array, own = _ttjit.storage_of(data)
        except ValueError:
            if dtype is None and not str(data.dtype).endswith("float64"):
                raise
        else:
            if dtype is None or dtype == own:
                return array, own
    dtype = float32 if dtype is None else dtype
    return to_storage(_plain_values(data), dtype), dtype


def numbers_of(tensor):
    """Returns a numpy array to compute with: int64 for a tensor of integers, otherwise float64."""
    if tensor.dtype in INTEGERS:
        return tensor.bits().astype(np.int64)
    return tensor.values().astype(np.float64)
