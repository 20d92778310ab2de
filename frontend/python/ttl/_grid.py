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


def coordinates(node, grid, dims):
    """The coordinates of a node, given by its row-major number, in `dims` dimensions."""
    indices = []
    for extent in reversed(grid):
        node, index = divmod(node, extent)
        indices.insert(0, index)
    extents = list(grid)
    while len(indices) > dims:
        index, extent = indices.pop(), extents.pop()
        indices[-1] = indices[-1] * extent + index
        extents[-1] *= extent
    indices += [0] * (dims - len(indices))
    return indices[0] if dims == 1 else tuple(indices)


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
        """Coordinates of the node for which the body of an operation runs."""
        dims = _requested_dims(args, kwargs, f"ttl.{self.key}")
        call = _capture.current()
        if call is None or _capture.is_walking():
            raise RuntimeError("core not available: no kernel function or body runs here")
        call.asks_node = True
        return coordinates(call.node, call.grid, dims)


grid_size = GridSize("grid_size")
node = Node("node")
core = Node("core")
