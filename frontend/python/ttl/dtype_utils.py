# ===- dtype_utils.py - ttl.dtype_utils, conversions of element types ---------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import _ttjit
from ttl._ttnn import package as ttnn
from ttl._ttnn import types

# Other names of formats than those of ttnn's dtypes.
_NAMES = {
    "bf16": "bfloat16",
    "fp32": "float32",
    "f32": "float32",
    "fp16": "float16",
    "bfp8_b": "bfloat8_b",
    "bfp4_b": "bfloat4_b",
}


@_ttjit.public
def is_ttnn_tensor(tensor):
    """Returns whether an object is a tensor of ttnn."""
    return isinstance(tensor, ttnn.Tensor)


@_ttjit.public
def torch_dtype_to_ttnn_datatype(torch_dtype):
    """Returns the dtype of ttnn for one of torch or numpy."""
    try:
        return types.as_dtype(torch_dtype)
    except TypeError:
        raise ValueError(f"Unsupported torch dtype for ttnn.DataType: {torch_dtype}") from None


@_ttjit.public
def format_name_to_ttnn_dtype(name):
    """Returns the dtype of ttnn for the name of a format: "bf16", "float32"."""
    try:
        return types.as_dtype(_NAMES.get(name, name)) if isinstance(name, str) else _fail(name)
    except TypeError:
        return _fail(name)


def _fail(name):
    known = ", ".join(sorted({*_NAMES, *_NAMES.values(), "int32", "uint8", "uint16", "uint32"}))
    raise ValueError(f"Unrecognized data format name {name!r}; the names are {known}")


@_ttjit.public
def tile_bytes_from_dtype(dtype):
    """Returns the size of a tile of this dtype in bytes."""
    return types.tile_bytes(types.as_dtype(dtype))


__all__ = [
    "format_name_to_ttnn_dtype",
    "is_ttnn_tensor",
    "tile_bytes_from_dtype",
    "torch_dtype_to_ttnn_datatype",
]
