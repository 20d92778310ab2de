# ===- _experts.py - collectives that move tokens to experts and back ---------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Kernels move rows whose bytes are aligned. Other rows are made wider on each device first. Tables on each
# device tell the kernels which tokens go to which devices: see _tokens.py.
# ===--------------------------------------------------------------------------=== #

import math

import numpy as np

import _ttjit
from ttl._ttnn import package
from ttl.ccl import _expert_checks, _golden, _tokens
from ttl.ccl._blocks import aligned, is_aligned, rows_of
from ttl.ccl._call import ROWS, Call
from ttl.ccl._gathering import arrays, gathered

_INDEX = package.types.uint32


def _table(call, found):
    """Returns a tensor with a table of each device, in rows that kernels can move."""
    width = aligned(found[0].shape[1], 4)
    table = call.made([len(found[0]), width], ROWS, _INDEX)
    return call.filled(table, [np.pad(each.astype(np.uint32), ((0, 0), (0, width - each.shape[1]))) for each in found])


def _homes(mapping):
    """Returns for each expert and device 0, or 1 + the place of the expert among those of the device."""
    return np.where(mapping == 1, np.cumsum(mapping, 0), 0).astype(np.uint32)


def _wider(call, tensor):
    """Returns a tensor with the rows of another one, made wider until kernels can move them."""
    size = package.types.element_bytes(tensor.dtype)
    if is_aligned(tensor.shape, size):
        return tensor
    width = aligned(tensor.shape[-1], size)
    wide = call.made([*tensor.shape[:-1], width], ROWS)
    sides = [(0, 0)] * 3 + [(0, width - tensor.shape[-1])]
    return call.locally(tensor, wide, lambda array: np.pad(array, sides))


def _run(call, make, out, tables, count, inner):
    """Runs a kernel on tensors whose rows it can move. make(tokens, sources, results, lanes) makes it."""
    x, found = _wider(call, call.tensor), _wider(call, out)
    size = package.types.element_bytes(x.dtype)
    sources, results = (rows_of(tuple(each.shape), size) for each in (x, found))
    tokens = _tokens.tokens_of(call.size, count, inner, sources.counts[-1])
    call.run(make(tokens, sources, results, call.lanes_for(tokens.blocks)), x, *tables, found)
    if found is not out:
        call.locally(found, out, lambda array: array[..., : out.shape[-1]])


def _dispatched(call, metadata, mapping, out, inner):
    """Writes the tokens that each device gets into their rows of `out`."""
    chosen = [array.reshape(-1, array.shape[-1]) for array in arrays(metadata)]
    homes = _homes(mapping)
    if call.on_host:
        return call.filled(out, _golden.dispatch(call.group, arrays(call.tensor), chosen, homes, arrays(out), inner))
    tables = _table(call, chosen), _table(call, [homes] * len(chosen))

    def make(tokens, sources, results, lanes):
        return _tokens.dispatch(call.group, tokens, sources, results, lanes, metadata.shape[-1])

    return _run(call, make, out, tables, math.prod(call.tensor.shape[:-1]), inner)


@_ttjit.public
def all_to_all_dispatch(input_tensor, expert_indices_tensor, expert_mapping_tensor, *, cluster_axis=None,
                        num_links=None, topology=None, memory_config=None, output_concat_dim=1,
                        output_tensors=None, lanes=None):
    """Sends each token to the devices that have one of its experts. Returns the tokens that each device
    gets, and the experts of all tokens of the group.

    Each device has tokens [B, S, 1, H], the numbers of their experts [B, S, 1, K], and in
    expert_mapping_tensor [1, 1, E, D] a 1 for each expert that a device of the mesh has, else 0; all
    are row-major. The results for a group of G devices are [1, B * G, S, H] and [1, B * G, S, K], or
    with output_concat_dim=2 [1, B, S * G, H] and [1, B, S * G, K]. Rows of tokens that a device does
    not get are zeros, or what the first of output_tensors has. The other arguments are those of
    ttnn.all_gather. Raises a TypeError or a ValueError for arguments that do not fit the mesh.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(2, 1))
        rows = {"layout": ttnn.ROW_MAJOR_LAYOUT, "device": mesh}
        tokens = ttnn.ones((4, 1, 1, 64), dtype=ttnn.bfloat16, **rows)
        experts = ttnn.zeros((4, 1, 1, 2), dtype=ttnn.uint16, **rows)
        homes = ttnn.from_torch(np.eye(2)[None, None], dtype=ttnn.uint16, **rows)
        found, metadata = ttnn.all_to_all_dispatch(tokens, experts, homes)
        ttnn.close_mesh_device(mesh)
    """
    name, x, indices = "all_to_all_dispatch", input_tensor, expert_indices_tensor
    results = _expert_checks.pair(name, output_tensors)
    call = Call(name, x, cluster_axis, topology, num_links, memory_config, results[0], lanes)
    dim = _expert_checks.joined_dimension(name, output_concat_dim, "output_concat_dim")
    _expert_checks.tokens(name, x, indices)
    mapping = _expert_checks.mapping(name, x, expert_mapping_tensor)
    _expert_checks.experts(name, indices, "expert_indices_tensor", len(mapping))
    both = Call(name, indices, cluster_axis, topology, num_links, memory_config, results[1], lanes)
    shape = [1, *(extent * (call.size if each == dim else 1) for each, extent in enumerate(x.shape[:2], 1))]
    out, metadata = call.result([*shape, x.shape[-1]]), both.result([*shape, indices.shape[-1]])
    joined = both.made([*shape[1:], 1, indices.shape[-1]], ROWS)
    both.locally(gathered(both, joined, dim - 1), metadata, lambda array: array)
    _dispatched(call, metadata, mapping, out, math.prod(x.shape[dim - 1 : -1]))
    return call.placed(out, package.PlacementShard(0)), both.placed(metadata, package.PlacementReplicate())


@_ttjit.public
def all_to_all_combine(input_tensor, expert_metadata_tensor, expert_mapping_tensor, *, local_reduce=False,
                       num_links=None, topology=None, memory_config=None, cluster_axis=None,
                       output_shard_dim=1, output_tensor=None, lanes=None):
    """Sends the results of experts back to the devices of the tokens. Returns the results of the K
    experts of each token: ttnn.all_to_all_dispatch, the other way round.

    The group, the experts of its tokens and the mapping are those of ttnn.all_to_all_dispatch. Each
    device has the results [P, B * G, S, H] of its experts in the order of their numbers, and gets
    [K, B, S, H]. With output_shard_dim=2 it has [P, B, S * G, H]. With local_reduce=True, P is 1: a
    device has one result for all its experts of a token, which goes to the slot of the first one.
    Slots of experts that no device of the group has are zeros, or what output_tensor has. The other
    arguments are those of ttnn.all_gather. Raises a TypeError or a ValueError for arguments that do
    not fit the mesh.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(2, 1))
        rows = {"layout": ttnn.ROW_MAJOR_LAYOUT, "device": mesh}
        results = ttnn.ones((1, 8, 1, 64), dtype=ttnn.bfloat16, **rows)
        metadata = ttnn.zeros((1, 8, 1, 2), dtype=ttnn.uint16, **rows)
        homes = ttnn.from_torch(np.eye(2)[None, None], dtype=ttnn.uint16, **rows)
        found = ttnn.all_to_all_combine(results, metadata, homes)
        ttnn.close_mesh_device(mesh)
    """
    name, x, metadata = "all_to_all_combine", input_tensor, expert_metadata_tensor
    call = Call(name, x, cluster_axis, topology, num_links, memory_config, output_tensor, lanes)
    dim = _expert_checks.joined_dimension(name, output_shard_dim, "output_shard_dim")
    _expert_checks.results(name, x, metadata)
    mapping = _expert_checks.mapping(name, x, expert_mapping_tensor)
    is_reduced = _expert_checks.parts(name, x, mapping, local_reduce)
    _expert_checks.experts(name, metadata, "expert_metadata_tensor", len(mapping))
    _expert_checks.single_homes(name, call.group, mapping)
    _expert_checks.same_metadata(name, call.group, metadata)
    shape = [extent // (_expert_checks.shares(name, metadata, dim, call.size) if each == dim else 1)
             for each, extent in enumerate(metadata.shape[1:3], 1)]
    out = call.result([metadata.shape[-1], *shape, x.shape[-1]])
    chosen, homes = [array.reshape(-1, array.shape[-1]) for array in arrays(metadata)], _homes(mapping)
    inner = math.prod(shape[dim - 1 :])

    def make(tokens, sources, results, lanes):
        return _tokens.combine(call.group, tokens, sources, results, lanes, metadata.shape[-1], is_reduced)

    if call.on_host:
        found = _golden.combine(call.group, arrays(x), chosen, homes, arrays(out), inner, is_reduced)
        call.filled(out, found)
    else:
        tables = _table(call, chosen), _table(call, [homes] * len(chosen))
        _run(call, make, out, tables, math.prod(shape), inner)
    return call.placed(out, package.PlacementShard(dim))
