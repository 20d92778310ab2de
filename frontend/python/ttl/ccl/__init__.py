# ===- ccl/__init__.py - collectives: kernels on all devices of a mesh --------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

"""Collectives: functions in which the devices of a mesh exchange the parts of a tensor. They are kernels
of TT-Lang. With --ccl=host they run on the host, with the same results. ttnn has the same functions."""

import numpy as np

import _ttjit
from ttl._ttnn import package
from ttl.ccl import _checks, _golden, _moves, _sums
from ttl.ccl._call import TILED, Call
from ttl.ccl._experts import all_to_all_combine, all_to_all_dispatch
from ttl.ccl._gathering import arrays, axis_of, copied, gather, gathered, joining, step
from ttl.ccl._groups import position

__all__ = ("all_broadcast all_gather all_reduce all_to_all all_to_all_combine all_to_all_dispatch broadcast "
           "mesh_partition point_to_point reduce_scatter").split()

_Shard, _Replicate = package.PlacementShard, package.PlacementReplicate


def _scaled(shape, dim, times=1, parts=1):
    """Returns the shape with the extent of dimension `dim` times `times`, divided by `parts`."""
    return [extent * times // parts if each == dim else extent for each, extent in enumerate(shape)]


def _cutting(size, dim):
    """Returns a function that cuts an array into `size` parts along `dim` and stacks the parts."""
    return lambda array: np.stack(np.split(array, size, dim))


# ===--------------------------------------------------------------------------=== #
# Functions that move


@_ttjit.public
def all_gather(input_tensor, dim, *, cluster_axis=None, num_links=None, topology=None,
               memory_config=None, output_tensor=None, lanes=None):
    """Returns the parts of all devices of a group, joined along a dimension, on each device.

    The group is all devices of the mesh, or with cluster_axis the devices along an axis of it.
    topology is ttnn.Topology.Ring or Linear, by default that of the fabric. num_links has no
    effect on the host; `lanes` is the number of nodes of each device that work. Raises a TypeError
    or a ValueError for arguments that do not fit the mesh.

    Example:

        y = ttnn.all_gather(on_device, dim=0)
    """
    call = Call("all_gather", input_tensor, cluster_axis, topology, num_links, memory_config,
                output_tensor, lanes)
    x, dim = input_tensor, _checks.dimension("all_gather", input_tensor, dim)
    out = call.result(_scaled(x.shape, dim, call.size))
    gathered(call, out, dim)
    return call.placed(out, _Replicate())


@_ttjit.public
def all_broadcast(input_tensor, *, cluster_axis=None, num_links=None, topology=None,
                  memory_config=None, lanes=None):
    """Returns a list of tensors, one for each device of a group. On every device of the group,
    tensor i has the part of device i.

    The other arguments are those of ttnn.all_gather. Raises a TypeError or a ValueError for
    arguments that do not fit the mesh.

    Example:

        parts = ttnn.all_broadcast(on_device)
    """
    call = Call("all_broadcast", input_tensor, cluster_axis, topology, num_links, memory_config,
                lanes=lanes)
    x = input_tensor
    stacked = call.stack(call.size, x.shape)
    if call.on_host:
        call.filled(stacked, _golden.gather(call.group, [array[None] for array in arrays(x)], 0))
    elif call.size == 1:
        call.locally(x, stacked, lambda array: array)
    else:
        gather(call, call.stacked(1, x.shape), stacked, 0)
    results = [call.locally(stacked, call.made(x.shape, x.layout), lambda array, each=each: array[each])
               for each in range(call.size)]
    return [call.placed(result, _Replicate()) for result in results]


def _moved(call, out, run):
    """Calls run(x, out), which runs a kernel that moves whole tensors. If kernels cannot move the tensor
    of the call as it is, x and out are copies in tiles."""
    x = call.tensor
    if call.is_movable():
        return run(x, out)
    moved = call.as_tiles()
    found = call.locally(out, call.made(moved.shape, TILED), lambda array: array)
    return call.locally(run(moved, found), out, lambda array: array)


@_ttjit.public
def broadcast(input_tensor, sender_coord, *, cluster_axis=None, num_links=None, topology=None,
              memory_config=None, output_tensor=None, lanes=None):
    """Returns the part of the device at `sender_coord` on all devices.

    With cluster_axis, the sender of each line of devices is the one whose coordinate on this axis
    is that of sender_coord. The other arguments are those of ttnn.all_gather. Raises a TypeError or
    a ValueError for arguments that do not fit the mesh.

    Example:

        y = ttnn.broadcast(on_device, ttnn.MeshCoordinate(0, 0))
    """
    call = Call("broadcast", input_tensor, cluster_axis, topology, num_links, memory_config,
                output_tensor, lanes)
    x, mesh = input_tensor, _checks.mesh_of(input_tensor)
    root = position(call.group, _checks.coordinate("broadcast", mesh, sender_coord, "sender_coord"))
    out = call.result(x.shape)

    def run(x, out):
        blocks = call.blocks(x.shape, x.layout)
        return call.run(_moves.spread(call.group, blocks, call.lanes_for(blocks.count), root), x, out)

    if call.on_host:
        call.filled(out, _golden.spread(call.group, arrays(x), root))
    elif call.size == 1:
        copied(call, x, out)
    else:
        _moved(call, out, run)
    return call.placed(out, _Replicate())


@_ttjit.public
def point_to_point(input_tensor, sender_coord, receiver_coord, *, topology=None, output_tensor=None,
                   intermediate_tensor=None, lanes=None):
    """Returns a tensor that has the sender's part on the receiver. The other devices have zeros, or
    what output_tensor has.

    The coordinates are those of two devices of the mesh. intermediate_tensor has no effect on the
    host. Raises a TypeError or a ValueError for arguments that do not fit the mesh.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(2, 1))
        ttnn.point_to_point(ttnn.zeros((32, 32), device=mesh, layout=ttnn.TILE_LAYOUT), (0, 0), (1, 0))
        ttnn.close_mesh_device(mesh)
    """
    name, x = "point_to_point", input_tensor
    call = Call(name, x, None, topology, output_tensor=output_tensor, lanes=lanes)
    mesh = _checks.mesh_of(x)
    source = _checks.coordinate(name, mesh, sender_coord, "sender_coord")
    target = _checks.coordinate(name, mesh, receiver_coord, "receiver_coord")
    if source == target:
        raise ValueError(f"{name}(): the sender is the receiver, {tuple(sender_coord)}: name two devices")
    out = call.result(x.shape)

    def run(x, out):
        blocks = call.blocks(x.shape, x.layout)
        lanes = call.lanes_for(blocks.count)
        return call.run(_moves.one_way(call.group, blocks, lanes, source, target), x, out)

    if call.on_host:
        package.get_device_tensors(out)[target].write_bits(arrays(x)[source])
        return out
    return _moved(call, out, run)


@_ttjit.public
def all_to_all(input_tensor, split_dim, concat_dim, *, cluster_axis=None, num_links=None, topology=None,
               memory_config=None, output_tensor=None, lanes=None):
    """Cuts the tensor's part on each device of a group into pieces along split_dim, and sends piece p to
    the device at position p. Returns on each device the pieces that it got, joined along concat_dim.

    The other arguments are those of ttnn.all_gather. Raises a TypeError or a ValueError for
    arguments that do not fit the mesh.

    Example:

        y = ttl.ccl.all_to_all(x, split_dim=0, concat_dim=1)
    """
    name, x = "all_to_all", input_tensor
    call = Call(name, x, cluster_axis, topology, num_links, memory_config, output_tensor, lanes)
    cut = _checks.dimension(name, x, split_dim, "split_dim")
    join = _checks.dimension(name, x, concat_dim, "concat_dim")
    extent = _checks.divided(name, x, cut, call.size)
    shape = _scaled(x.shape, cut, 1, call.size)
    out = call.result(_scaled(shape, join, call.size))
    if call.on_host:
        call.filled(out, _golden.exchange(call.group, arrays(x), cut, join))
    elif call.size == 1:
        copied(call, x, out)
    elif call.is_movable((cut, call.size), (join, 1)):
        blocks = call.blocks(shape, x.layout)
        places = (axis_of(x, cut), step(x, cut, extent), axis_of(x, join), step(x, join, shape[join]))
        call.run(_moves.exchange(call.group, blocks, call.lanes_for(blocks.count), *places), x, out)
    else:
        stacked = call.stacked(call.size, shape, _cutting(call.size, cut))
        blocks = call.blocks([1, *stacked.shape[1:]], TILED)
        found = call.run(_moves.exchange(call.group, blocks, call.lanes_for(blocks.count), 0, 1, 0, 1),
                         stacked, call.stack(call.size, shape))
        call.locally(found, out, joining(call.size, shape, join))
    return call.placed(out, _Shard(cut))


@_ttjit.public
def mesh_partition(input_tensor, dim, cluster_axis=None, *, memory_config=None, output_tensor=None,
                   lanes=None):
    """Returns on each device its part of a dimension. Nothing is sent.

    The device at position p of its group gets part p. The group is as in ttnn.all_gather. Raises a
    TypeError or a ValueError for arguments that do not fit the mesh.

    Example:

        y = ttnn.mesh_partition(on_device, dim=0)
    """
    name, x = "mesh_partition", input_tensor
    call = Call(name, x, cluster_axis, None, None, memory_config, output_tensor, lanes)
    dim = _checks.dimension(name, x, dim)
    extent = _checks.divided(name, x, dim, call.size)
    out = call.result(_scaled(x.shape, dim, 1, call.size))
    if call.on_host or not call.is_movable((dim, call.size)):
        call.filled(out, _golden.own_part(call.group, arrays(x), dim))
    else:
        blocks = call.blocks(out.shape, out.layout)
        call.run(_moves.own_part(call.group, blocks, call.lanes_for(blocks.count), axis_of(x, dim),
                                 step(x, dim, extent)), x, out)
    return call.placed(out, _Shard(dim))


# ===--------------------------------------------------------------------------=== #
# Functions that add


def _is_summable(call, *dims):
    return call.tensor.layout == TILED and call.is_movable(*dims)


def _scatter(call, x, out, axis, step):
    """Runs the kernel of reduce_scatter on tensors of tiles."""
    blocks = call.blocks(out.shape, TILED)
    make = _sums.ring_scatter if call.is_ring else _sums.line_scatter
    return call.run(make(call.group, blocks, call.lanes_for(blocks.count), axis, step), x, out)


@_ttjit.public
def reduce_scatter(input_tensor, dim, *, cluster_axis=None, num_links=None, topology=None,
                   memory_config=None, output_tensor=None, lanes=None):
    """Returns on each device of a group its part of the sum over all devices of the group.

    The device at position p gets part p of dimension `dim`. Each addition is rounded to the type of
    the tensor. In a ring, the sum of part p is ((x[p+1] + x[p+2]) + ...) + x[p]; in a line, it is
    the sum from the first device to p, and then the sum from the last device to p + 1. The other
    arguments are those of ttnn.all_gather. Raises a TypeError or a ValueError for arguments that do
    not fit the mesh.

    Example:

        y = ttnn.reduce_scatter(on_device, dim=0)
    """
    name, x = "reduce_scatter", input_tensor
    call = Call(name, x, cluster_axis, topology, num_links, memory_config, output_tensor, lanes)
    dim = _checks.dimension(name, x, dim)
    extent = _checks.divided(name, x, dim, call.size)
    shape = _scaled(x.shape, dim, 1, call.size)
    out = call.result(shape)
    if call.on_host:
        call.filled(out, _golden.reduce_scatter(call.group, arrays(x), dim, x.dtype, call.is_ring))
    elif call.size == 1:
        copied(call, x, out)
    elif _is_summable(call, (dim, call.size)):
        _scatter(call, x, out, axis_of(x, dim), step(x, dim, extent))
    else:
        stacked = call.stacked(call.size, shape, _cutting(call.size, dim))
        call.locally(_scatter(call, stacked, call.stack(1, shape), 0, 1), out, lambda array: array)
    return call.placed(out, _Shard(dim))


@_ttjit.public
def all_reduce(input_tensor, *, cluster_axis=None, num_links=None, topology=None, memory_config=None,
               output_tensor=None, lanes=None):
    """Returns on each device of a group the sum over all devices of the group.

    Each addition is rounded to the type of the tensor. In a ring, the sum of block b is
    ((x[b+1] + x[b+2]) + ...) + x[b], with positions modulo the size of the group; in a line, it is
    ((x[0] + x[1]) + ...) + x[last]. docs/mesh.md describes the blocks. The other arguments are those
    of ttnn.all_gather. Raises a TypeError or a ValueError for arguments that do not fit the mesh.

    Example:

        y = ttnn.all_reduce(on_device)
    """
    call = Call("all_reduce", input_tensor, cluster_axis, topology, num_links, memory_config,
                output_tensor, lanes)
    x, out = input_tensor, call.result(input_tensor.shape)

    def run(x, out):
        blocks = call.blocks(x.shape, TILED)
        if not call.is_ring:
            return call.run(_sums.line_reduce(call.group, blocks, call.lanes_for(blocks.count)), x, out)
        lanes = call.lanes_for(-(-blocks.count // call.size))
        return call.run(_sums.ring_reduce(call.group, blocks, lanes), x, out)

    if call.on_host:
        call.filled(out, _golden.all_reduce(call.group, arrays(x), x.dtype, call.is_ring))
    elif call.size == 1:
        copied(call, x, out)
    elif _is_summable(call):
        run(x, out)
    else:
        moved = call.as_tiles()
        call.locally(run(moved, call.made(moved.shape, TILED)), out, lambda array: array)
    return call.placed(out, _Replicate())
