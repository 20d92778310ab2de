# ===- _grid.py - grids, and where a node stands in one ------------------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

from ttl import _api, _capture


def _requested_dims(args, kwargs, name):
    names = [key for key in ("dims", "dim") if key in kwargs]
    unknown = set(kwargs) - {"dims", "dim"}
    if unknown or len(args) + len(names) > 1:
        raise TypeError(f"{name}() takes one argument: dims")
    dims = args[0] if args else kwargs[names[0]] if names else 2
    if not isinstance(dims, int) or isinstance(dims, bool) or dims < 1:
        raise ValueError(f"{name}(): dims is a number of dimensions, at least 1, found {dims!r}")
    return dims


def flatten(shape, dims, pad):
    """`shape` as `dims` dimensions: the highest ones flattened together, or padded."""
    shape = list(shape)
    while len(shape) > dims:
        last = shape.pop()
        shape[-1] *= last
    shape += [pad] * (dims - len(shape))
    return shape[0] if dims == 1 else tuple(shape)


class GridSize(_api.Function):
    def __call__(self, *args, **kwargs):
        """Extents of the grid; outside an operation, of the last launch's."""
        dims = _requested_dims(args, kwargs, "ttl.grid_size")
        call = _capture.current()
        grid = call.grid if call else _capture.last_grid()
        if grid is None:
            raise RuntimeError("grid not available: no operation runs or has run")
        return flatten(grid, dims, 1)


class Node(_api.Function):
    def __call__(self, *args, **kwargs):
        _requested_dims(args, kwargs, f"ttl.{self.key}")
        if _capture.current():
            _capture.fail(
                f"ttl.{self.key}() in the body of an operation is not supported yet: "
                "call it inside the kernel functions",
                depth=1,
            )
        raise RuntimeError("core not available: no kernel function runs here")


grid_size = GridSize("grid_size")
node = Node("node")
core = Node("core")
