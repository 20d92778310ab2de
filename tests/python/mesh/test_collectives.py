# SPDX-License-Identifier: Apache-2.0
"""Collectives on both engines, compared with numpy and with --ccl=host. Each call runs twice."""

import zlib

import numpy as np
import pytest
import ttl
import ttnn
from meshes import opened, put
from ttl import ccl
from ttl.ccl import _golden, _groups

RING, LINE = ttnn.Topology.Ring, ttnn.Topology.Linear
DEVICES = [1, 2, 3, 4, 8]
DTYPES = [ttnn.bfloat16, ttnn.float32, ttnn.float16, ttnn.int32, ttnn.uint32, ttnn.uint16, ttnn.uint8,
          ttnn.bfloat8_b, ttnn.bfloat4_b]
ENGINES = ["--engine=jit", "--engine=interp"]
TILE, ROWS = ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT


def values(shape, dtype, seed=0):
    """Returns random numbers of the type."""
    rng = np.random.default_rng([seed, zlib.crc32(repr((shape, dtype)).encode())])
    if dtype in (ttnn.uint8, ttnn.uint16, ttnn.uint32, ttnn.int32):
        limits = {ttnn.uint8: (0, 255), ttnn.uint16: (0, 65535), ttnn.uint32: (0, 2**32 - 1),
                  ttnn.int32: (-(2**31), 2**31 - 1)}[dtype]
        return rng.integers(*limits, shape, endpoint=True)
    return rng.standard_normal(shape).astype(np.float32) * 4


def parts_of(shape, count, dtype, seed=0):
    return [values(tuple(shape), dtype, seed * 100 + number) for number in range(count)]


def spread(parts, mesh, dtype, layout=TILE):
    """Puts one part on each device; returns the tensor."""
    if mesh.get_num_devices() == 1:
        return put(parts[0], mesh, ttnn.ReplicateTensorToMesh(mesh), dtype, layout)
    return put(np.concatenate(parts), mesh, None, dtype, layout)


def found(tensor):
    """Returns the elements on each device, and their bits."""
    parts = ttnn.get_device_tensors(tensor)
    return [part.to_numpy() for part in parts], [part.bits().tobytes() for part in parts]


def checked(run, expected, options=ENGINES):
    """Runs a collective twice on each engine and with --ccl=host. All runs must give the same bits, and the
    elements of `expected` if it is given. Returns the elements on each device."""
    seen = {}
    for chosen in [*options, "--ccl=host"]:
        with ttl.options(chosen):
            for _ in range(2):
                elements, bits = found(run())
                seen.setdefault(tuple(bits), []).append(chosen)
    assert len(seen) == 1, list(seen.values())
    if expected is not None:
        for one, other in zip(elements, expected, strict=True):
            np.testing.assert_array_equal(one, other)
    return elements


def stored(parts, mesh, dtype, layout=TILE):
    """Returns a tensor with one part per device, and the parts as it stores them, rounded to the type."""
    tensor = spread(parts, mesh, dtype, layout)
    return tensor, found(tensor)[0]


# ===--------------------------------------------------------------------------=== #
# Collectives that only move elements


@pytest.mark.parametrize("topology", [RING, LINE])
@pytest.mark.parametrize("count", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_all_gather(dtype, count, topology):
    with opened(count) as mesh:
        x, parts = stored(parts_of((2, 64, 96), count, dtype), mesh, dtype)
        for dim in (0, -1):
            whole = np.concatenate(parts, dim)
            checked(lambda: ttnn.all_gather(x, dim, topology=topology), [whole] * count)


# Parts that are not whole tiles, rows that are not aligned, vectors, prime numbers of tiles.
UNEVEN = [((5, 7), TILE), ((48, 80), TILE), ((1, 3, 33), TILE), ((40,), TILE), ((224, 416), TILE),
          ((5, 7), ROWS), ((3, 32), ROWS), ((2, 3, 64), ROWS), ((48,), ROWS), ((2, 2, 2, 33), ROWS)]


@pytest.mark.parametrize("topology", [RING, LINE])
@pytest.mark.parametrize("count", [1, 3, 4])
@pytest.mark.parametrize("shape, layout", UNEVEN)
def test_uneven_parts_are_gathered(shape, layout, count, topology):
    for dtype in (ttnn.float32, ttnn.uint16):
        with opened(count) as mesh:
            x, parts = stored(parts_of(shape, count, dtype), mesh, dtype, layout)
            for dim in range(len(shape)):
                whole = np.concatenate(parts, dim)
                checked(lambda: ttnn.all_gather(x, dim, topology=topology), [whole] * count)


@pytest.mark.parametrize("count", DEVICES)
@pytest.mark.parametrize("dtype", [ttnn.bfloat16, ttnn.int32, ttnn.bfloat8_b], ids=lambda dtype: dtype.name)
def test_all_broadcast(dtype, count):
    with opened(count) as mesh:
        x, parts = stored(parts_of((32, 40), count, dtype), mesh, dtype)
        for topology in (RING, LINE):
            for each in range(count):
                checked(lambda: ttnn.all_broadcast(x, topology=topology)[each], [parts[each]] * count)


@pytest.mark.parametrize("count", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_broadcast_and_point_to_point(dtype, count):
    with opened(count) as mesh:
        for shape, layout in (((64, 96), TILE), ((3, 5), TILE), ((3, 5), ROWS)):
            if layout == ROWS and dtype in (ttnn.bfloat8_b, ttnn.bfloat4_b):
                continue
            x, parts = stored(parts_of(shape, count, dtype), mesh, dtype, layout)
            root = count // 2
            checked(lambda: ttnn.broadcast(x, ttnn.MeshCoordinate(root)
                                           if count > 1 else (0, 0)), [parts[root]] * count)
            if count == 1:
                continue
            expected = [0 * parts[0]] * count
            expected[0] = parts[root]
            checked(lambda: ttnn.point_to_point(x, (root,), (0,)), expected)


@pytest.mark.parametrize("count", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_all_to_all(dtype, count):
    with opened(count) as mesh:
        shapes = [((count, 32 * count, 64), TILE), ((count * 2, 5 * count, 7), TILE)]
        if dtype not in (ttnn.bfloat8_b, ttnn.bfloat4_b):
            shapes.append(((count, 3 * count, 5), ROWS))
        for shape, layout in shapes:
            x, parts = stored(parts_of(shape, count, dtype), mesh, dtype, layout)
            for cut, join in ((0, 1), (1, 2), (0, 0)):
                expected = [np.concatenate([np.split(part, count, cut)[each] for part in parts], join)
                            for each in range(count)]
                exact = layout == ROWS or dtype not in (ttnn.bfloat8_b, ttnn.bfloat4_b) or join != 2
                checked(lambda: ccl.all_to_all(x, cut, join), expected if exact else None)


@pytest.mark.parametrize("count", DEVICES)
def test_mesh_partition(count):
    with opened(count) as mesh:
        for shape, layout in (((32 * count, 64), TILE), ((5 * count, 7), TILE), ((5 * count, 7), ROWS)):
            whole = values(shape, ttnn.float32)
            x = put(whole, mesh, ttnn.ReplicateTensorToMesh(mesh), ttnn.float32, layout)
            checked(lambda: ttnn.mesh_partition(x, 0), np.split(whole, count))


# ===--------------------------------------------------------------------------=== #
# Collectives that add


# A row of a part has 96, 32, 64 or 128 bytes; the rows of the whole tensors are all aligned.
@pytest.mark.parametrize("width, dtype", [(24, ttnn.float32), (16, ttnn.bfloat16), (64, ttnn.uint8), (64, ttnn.uint16)],
                         ids=lambda value: getattr(value, "name", value))
def test_rows_that_are_cut(width, dtype):
    with opened(4) as mesh:
        x, parts = stored(parts_of((4, 4 * width), 4, dtype), mesh, dtype, ROWS)
        cut = [np.split(part, 4, 1) for part in parts]
        checked(lambda: ttnn.mesh_partition(x, 1), [each[place] for place, each in enumerate(cut)])
        for join in (0, 1):
            checked(lambda: ccl.all_to_all(x, 1, join),
                    [np.concatenate([each[place] for each in cut], join) for place in range(4)])


def _added(one, other, dtype):
    """Adds as a device does: floats in float32, then rounded to the type; integers wrap."""
    if dtype in (ttnn.uint8, ttnn.uint16, ttnn.uint32, ttnn.int32):
        return one + other
    total = one.astype(np.float32) + other.astype(np.float32)
    return ttnn.from_numpy(total, dtype=dtype).to_numpy()


def summed(parts, order, dtype):
    total = parts[order[0]]
    for each in order[1:]:
        total = _added(total, parts[each], dtype)
    return total


@pytest.mark.parametrize("count", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_reduce_scatter(dtype, count):
    with opened(count) as mesh:
        x, parts = stored(parts_of((2, 32 * count, 64), count, dtype), mesh, dtype)
        for topology in (RING, LINE):
            cut = [np.split(part, count, 1) for part in parts]
            expected = []
            for position in range(count):
                own = [part[position] for part in cut]
                if topology is RING:
                    order = [(position + 1 + each) % count for each in range(count)]
                    expected.append(summed(own, order, dtype))
                    continue
                total = summed(own, range(position + 1), dtype)
                if position + 1 < count:
                    total = _added(total, summed(own, range(count - 1, position, -1), dtype), dtype)
                expected.append(total)
            checked(lambda: ttnn.reduce_scatter(x, 1, topology=topology), expected)


@pytest.mark.parametrize("count", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_all_reduce(dtype, count):
    """The tensor is a column of 37 one-tile blocks. In a ring, block b's sum starts at position b + 1."""
    with opened(count) as mesh:
        x, parts = stored(parts_of((37 * 32, 32), count, dtype), mesh, dtype)
        line = summed(parts, range(count), dtype)
        checked(lambda: ttnn.all_reduce(x, topology=LINE), [line] * count)
        rows = [np.split(part, 37) for part in parts]
        ring = [summed([part[block] for part in rows], [(block + 1 + each) % count for each in range(count)],
                       dtype) for block in range(37)]
        checked(lambda: ttnn.all_reduce(x, topology=RING), [np.concatenate(ring)] * count)


@pytest.mark.parametrize("shape, layout", [((5, 7), TILE), ((40,), TILE), ((3, 5, 33), ROWS), ((64, 64), ROWS)])
@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_uneven_parts_are_added(shape, layout, count):
    for dtype in (ttnn.bfloat16, ttnn.int32):
        with opened(count) as mesh:
            x, parts = stored(parts_of(shape, count, dtype), mesh, dtype, layout)
            for topology in (RING, LINE):
                total = checked(lambda: ttnn.all_reduce(x, topology=topology), None)
                wide = [part.astype(np.float64) for part in parts]
                if dtype is ttnn.bfloat16:
                    assert np.allclose(total, sum(wide), rtol=0.1, atol=0.3)
            larger = [count * shape[0], *shape[1:]]
            x, parts = stored(parts_of(larger, count, dtype), mesh, dtype, layout)
            for topology in (RING, LINE):
                total = checked(lambda: ttnn.reduce_scatter(x, 0, topology=topology), None)
                assert all(each.shape == tuple(shape) for each in total)


# ===--------------------------------------------------------------------------=== #
# Axes of a mesh, lanes (workers that share a collective's work), schedules


@pytest.mark.parametrize("axis, expected", [(0, [[0, 3], [1, 4], [2, 5]]), (1, [[0, 1, 2], [3, 4, 5]]),
                                            (None, [[0, 1, 2, 3, 4, 5]])])
def test_the_lines_of_a_mesh(axis, expected):
    members = {device: group for group in expected for device in group}
    with opened(2, 3) as mesh:
        x, parts = stored(parts_of((36, 32), 6, ttnn.float32), mesh, ttnn.float32)
        for topology in (RING, LINE):
            options = {"cluster_axis": axis, "topology": topology}
            checked(lambda: ttnn.all_gather(x, 0, **options),
                    [np.concatenate([parts[each] for each in members[device]]) for device in range(6)])
            checked(lambda: ttnn.all_reduce(x, **options), None)
            checked(lambda: ttnn.reduce_scatter(x, 0, **options), None)
        checked(lambda: ttnn.broadcast(x, (1, 1), cluster_axis=axis),
                [parts[members[device][{0: 1, 1: 1, None: 4}[axis]]] for device in range(6)])
        checked(lambda: ccl.all_to_all(x, 0, 1, cluster_axis=axis),
                [np.concatenate([np.split(parts[each], len(members[device]))[members[device].index(device)]
                                 for each in members[device]], 1) for device in range(6)])


SCHEDULES = ["--schedule=fair", "--schedule=greedy", "--schedule=random --seed=3", "--schedule=parallel(2)",
             "--schedule=parallel(2) --check=off", "--schedule=random --seed=4 --dma=eager",
             "--check=race,protocol,memory"]


@pytest.mark.parametrize("topology", [RING, LINE])
def test_bits_do_not_depend_on_lanes_or_schedules(topology):
    with opened(4) as mesh:
        x, _ = stored(parts_of((8, 32, 32), 4, ttnn.bfloat16), mesh, ttnn.bfloat16)
        calls = [lambda lanes: ttnn.all_gather(x, 0, topology=topology, lanes=lanes),
                 lambda lanes: ttnn.reduce_scatter(x, 0, topology=topology, lanes=lanes),
                 lambda lanes: ttnn.all_reduce(x, topology=topology, lanes=lanes),
                 lambda lanes: ttnn.broadcast(x, (1,), lanes=lanes),
                 lambda lanes: ttnn.point_to_point(x, (1,), (3,), lanes=lanes),
                 lambda lanes: ccl.all_to_all(x, 0, 1, lanes=lanes)]
        for call in calls:
            for lanes in (1, 2, 3, None):
                checked(lambda: call(lanes), None, SCHEDULES if lanes in (3, None) else SCHEDULES[:1])


def test_the_fabric_chooses_the_topology():
    with opened(2, 3, fabric=ttnn.FabricConfig.FABRIC_2D_TORUS_X) as mesh:
        x, _ = stored(parts_of((32, 32), 6, ttnn.bfloat16), mesh, ttnn.bfloat16)
        assert ttl.ccl.Call("all_gather", x, 1).is_ring
        assert not ttl.ccl.Call("all_gather", x, 0).is_ring
        assert not ttl.ccl.Call("all_gather", x).is_ring
    with opened(1, 3, fabric=ttnn.FabricConfig.FABRIC_1D_RING) as mesh:
        x, _ = stored(parts_of((32, 32), 3, ttnn.bfloat16), mesh, ttnn.bfloat16)
        assert ttl.ccl.Call("all_gather", x).is_ring


def test_results_say_how_they_are_placed():
    with opened(2, 2) as mesh:
        mapper = ttnn.ShardTensor2dMesh(mesh, (2, 2), dims=(0, 1))
        whole = values((64, 64), ttnn.float32)
        x = put(whole, mesh, mapper)
        rows = ttnn.all_gather(x, 1, cluster_axis=1)
        assert rows.tensor_topology().placements() == [ttnn.PlacementShard(0), ttnn.PlacementReplicate()]
        again = ttnn.mesh_partition(rows, 1, 1)
        composer = ttnn.ConcatMesh2dToTensor(mesh, (2, 2), dims=(0, 1))
        assert np.array_equal(ttnn.aggregate_tensor(again, composer).to_numpy(), whole)


def test_results_go_to_a_given_tensor_and_memory():
    with opened(2) as mesh:
        x, parts = stored(parts_of((32, 32), 2, ttnn.float32), mesh, ttnn.float32)
        out = put(np.zeros((128, 32)), mesh)
        assert ttnn.all_gather(x, 0, output_tensor=out) is out
        assert np.array_equal(ttnn.get_device_tensors(out)[1].to_numpy(), np.concatenate(parts))
        moved = ttnn.all_reduce(x, memory_config=ttnn.L1_MEMORY_CONFIG)
        assert moved.memory_config() == ttnn.L1_MEMORY_CONFIG


# ===--------------------------------------------------------------------------=== #
# Refusals


def refused(error, text, call, *args, **named):
    with pytest.raises(error) as caught:
        call(*args, **named)
    assert text in str(caught.value), str(caught.value)
    frame = caught.traceback[-1]
    assert frame.path.name == "test_collectives.py", "the traceback must end in the program"


def test_refusals():
    host = ttnn.from_numpy(np.zeros((32, 32), np.float32))
    with opened(2, 2) as mesh:
        x = put(np.zeros((128, 32)), mesh)
        for call in (ttnn.all_gather, ttnn.reduce_scatter, ttnn.mesh_partition):
            name = call.__name__
            refused(TypeError, f"{name}(): input_tensor: expected a ttnn.Tensor of a mesh, found int", call, 3, 0)
            refused(ValueError, f"{name}(): input_tensor is on the host", call, host, 0)
            refused(TypeError, f"{name}(): dim='a': expected an integer", call, x, "a")
            refused(ValueError, f"{name}(): dim=2: the tensor has 2 dimensions", call, x, 2)
            refused(ValueError, "cluster_axis=2: the mesh has 2 axes", call, x, 0, cluster_axis=2)
            refused(TypeError, "cluster_axis=True: expected an integer", call, x, 0, cluster_axis=True)
            refused(TypeError, "memory_config=3: expected a ttnn.MemoryConfig", call, x, 0, memory_config=3)
            refused(ValueError, "lanes=0: expected at least 1", call, x, 0, lanes=0)
        refused(TypeError, "topology='ring': expected ttnn.Topology.Ring", ttnn.all_gather, x, 0, topology="ring")
        refused(ValueError, "num_links=0: expected at least 1", ttnn.all_reduce, x, num_links=0)
        refused(ValueError, "output_tensor has shape [32, 32]", ttnn.all_gather, x, 0, output_tensor=x)
        refused(ValueError, "dimension 1 has extent 30, which 4 devices do not divide", ttnn.reduce_scatter,
                put(np.zeros((128, 30)), mesh), 1)
        refused(ValueError, "split_dim=5: the tensor has 2 dimensions", ccl.all_to_all, x, 5, 0)
        refused(ValueError, "dimension 0 has extent 2, which 4", ccl.all_to_all,
                put(np.zeros((8, 32)), mesh), 0, 1)
        refused(ValueError, "sender_coord=(2, 0): no device of the mesh (2, 2)", ttnn.broadcast, x, (2, 0))
        refused(TypeError, "sender_coord=1: expected a ttnn.MeshCoordinate", ttnn.broadcast, x, 1)
        refused(ValueError, "receiver_coord=(0,): no device", ttnn.point_to_point, x, (0, 0), (0,))
        refused(ValueError, "the sender is the receiver, (1, 0)", ttnn.point_to_point, x, (1, 0), (1, 0))
        few = put(np.zeros((2, 32)), mesh, layout=ROWS)
        refused(ValueError, "input_tensor has parts on 2 of 4 devices", ttnn.all_gather, few, 0)
        x.deallocate()
        refused(ValueError, "cannot be used after it was deallocated", ttnn.all_reduce, x)


def test_the_fabric_is_checked_at_the_call():
    with opened(2, 2, fabric=ttnn.FabricConfig.DISABLED) as mesh:
        x = put(np.zeros((128, 32)), mesh)
        with ttl.options("--strict"):
            refused(ValueError, "all_gather() sends between devices, but no fabric is configured",
                    ttnn.all_gather, x, 0)
        with pytest.warns(ttl.CardWarning, match="reduce_scatter.. sends between devices") as caught:
            ttnn.reduce_scatter(x, 0)
        assert [warning.message.file for warning in caught] == [__file__]
    with opened(2, 2, fabric=ttnn.FabricConfig.FABRIC_1D) as mesh:
        x = put(np.zeros((128, 32)), mesh)
        with ttl.options("--strict"):
            ttnn.all_gather(x, 0, cluster_axis=1)
            refused(ValueError, "all_gather(): FABRIC_1D routes must connect devices on one",
                    ttnn.all_gather, x, 0, topology=RING)


def test_positions_in_groups():
    group = _groups.group_of((2, 3), 0)
    assert [_groups.position(group, number) for number in range(6)] == [0, 0, 0, 1, 1, 1]
    assert [group.at(4, position) for position in range(2)] == [1, 4]
    assert _groups.group_of((1, 3), 1).axis is None and _groups.group_of((1, 3), 0).size == 1
    assert _golden.gather(group, [np.array([each]) for each in range(6)], 0)[5].tolist() == [2, 5]
