# ===- _grid.py - functions of the grid and of a node's coordinates ---------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import _ttjit
from ttl import _api, _capture


MAX_DIMS = 16


def _found(args, kwargs):
    return ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])


def _requested_dims(args, kwargs, name):
    names = [key for key in ("dims", "dim") if key in kwargs]
    unknown = set(kwargs) - {"dims", "dim"}
    if unknown or len(args) + len(names) > 1:
        raise TypeError(f"{name}() takes one argument, dims; found {_found(args, kwargs)}")
    dims = args[0] if args else kwargs[names[0]] if names else 2
    if not isinstance(dims, int) or isinstance(dims, bool) or not 1 <= dims <= MAX_DIMS:
        raise ValueError(f"{name}(): dims is an integer from 1 to {MAX_DIMS}, found {dims!r}")
    return dims


def flatten(shape, dims, pad):
    """`shape` as `dims` dimensions: the highest ones flattened together, or padded."""
    shape = list(shape)
    while len(shape) > dims:
        last = shape.pop()
        shape[-1] *= last
    shape += [pad] * (dims - len(shape))
    return shape[0] if dims == 1 else tuple(shape)


@_ttjit.public_methods
class GridSize(_api.Function):
    def __call__(self, *args, **kwargs):
        """Extents of the grid; outside an operation, of the last launch's."""
        dims = _requested_dims(args, kwargs, "ttl.grid_size")
        call = _capture.current()
        grid = call.grid if call else _capture.last_grid()
        if grid is None:
            raise RuntimeError("grid not available: no operation runs or has run")
        return flatten(grid, dims, 1)


@_ttjit.public_methods
class Node(_api.Function):
    def __call__(self, *args, **kwargs):
        _requested_dims(args, kwargs, f"ttl.{self.key}")
        if _capture.current():
            _capture.fail(
                f"ttl.{self.key}() in the body of an operation is not supported yet: "
                "call it inside the kernel functions"
            )
        raise RuntimeError("core not available: no kernel function runs here")


grid_size = GridSize("grid_size")
node = Node("node")
core = Node("core")
