# ===- _grid.py - functions for the grid and a node's coordinates -------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import operator
import re

import _ttjit
from ttl import _api, _capture


MAX_DIMS = 16
MAX_NODES = 1 << 20  # the most nodes of an emulated grid


def _found(args, kwargs):
    return ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])


def _requested_dims(args, kwargs, name):
    names = [key for key in ("dims", "dim") if key in kwargs]
    unknown = set(kwargs) - {"dims", "dim"}
    if unknown or len(args) + len(names) > 1:
        raise TypeError(f"{name}() must have one argument, dims; found {_found(args, kwargs)}")
    dims = args[0] if args else kwargs[names[0]] if names else 2
    if not isinstance(dims, int) or isinstance(dims, bool) or not 1 <= dims <= MAX_DIMS:
        raise ValueError(f"{name}(): dims must be an integer from 1 to {MAX_DIMS}, found {dims!r}")
    return dims


def flatten(shape, dims, pad):
    """Returns `shape` with `dims` dimensions: the last dimensions are flattened into one, or extents
    of `pad` are added."""
    shape = list(shape)
    while len(shape) > dims:
        last = shape.pop()
        shape[-1] *= last
    shape += [pad] * (dims - len(shape))
    return shape[0] if dims == 1 else tuple(shape)


def coordinates(node, grid, dims):
    """Returns the coordinates of a node in `dims` dimensions. `node` is the row-major number of
    the node."""
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


def chosen_grid(grid, args, kwargs, chosen):
    """Returns the grid, which may be given in several forms, as a tuple of extents."""
    if callable(grid):
        grid = grid(*args, **kwargs)
    found = None if grid is None else extents(grid)
    return tuple(chosen.auto_grid) if found is None else found


def extents(grid):
    """Returns the extents of a grid; None if the device chooses them."""
    if isinstance(grid, str) and grid in ("auto", "full"):
        return None
    try:
        found = tuple(operator.index(extent) for extent in grid)
    except TypeError:
        found = ()
    fit = all(1 <= extent <= MAX_NODES for extent in found)
    if not found or isinstance(grid, str) or not fit:
        raise ValueError(
            'grid must be "auto", "full", a function of the arguments, or a tuple of integers '
            f"from 1 to {MAX_NODES}, found {grid!r}{_advice_on_grid(grid)}"
        )
    return found


def _advice_on_grid(grid):
    numbers = re.findall(r"\d+", grid) if isinstance(grid, str) else ()
    if numbers:
        return f": write grid=({', '.join(numbers)}{',' * (len(numbers) == 1)})"
    if isinstance(grid, int):
        return f": write grid=({grid},)"
    if isinstance(grid, (tuple, list)) and any(isinstance(extent, float) for extent in grid):
        return ": to divide integers, write '//' in place of '/'"
    return ""


@_ttjit.public_methods
class GridSize(_api.Function):
    __doc__ = _api.Text("The type of ttl.grid_size(), which Python can call.")

    def __call__(self, *args, **kwargs):
        """Returns the extents of the grid. Outside an operation, this is the grid of the last
        launch."""
        dims = _requested_dims(args, kwargs, "ttl.grid_size")
        call = _capture.current()
        grid = call.grid if call else _capture.last_grid()
        if grid is None:
            raise RuntimeError("grid not available: no operation has run yet")
        return flatten(grid, dims, 1)


@_ttjit.public_methods
class Node(_api.Function):
    __doc__ = _api.Text("The type of ttl.node(), which Python can call.")

    def __call__(self, *args, **kwargs):
        """Returns the coordinates of the node for which the body of an operation runs."""
        dims = _requested_dims(args, kwargs, f"ttl.{self.key}")
        call = _capture.current()
        if call is None or _capture.is_walking():
            raise RuntimeError(f"core not available: ttl.{self.key}() can only be called in a kernel function or in "
                               "the body of an operation")
        call.asks_node = True
        return coordinates(call.node, call.grid, dims)


grid_size = GridSize("grid_size")
node = Node("node")
core = Node("core")
