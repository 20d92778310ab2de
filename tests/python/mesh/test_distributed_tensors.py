# SPDX-License-Identifier: Apache-2.0
"""Tensors with a global shape, and redistributions from one placement to another."""

import itertools

import numpy as np
import pytest
import ttl
import ttnn
from meshes import opened
from ttl import dist

MESHES = [(1, 2), (2, 2), (2, 4), (3, 1)]
RING = ttnn.Topology.Ring


def placements(mesh, rank):
    return [dist.Placement(mesh, dims) for dims in itertools.product(range(-1, rank), repeat=len(mesh))]


@pytest.mark.parametrize("mesh", MESHES, ids=str)
def test_all_pairs_of_placements(mesh):
    """After each redistribution, each device has its cut of the whole tensor."""
    shape = (48, 24, 5)
    whole = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    with opened(*mesh) as device, ttl.options("--ccl=host"):
        for before in placements(mesh, 2):
            source = dist.DistTensor.from_numpy(whole, device, before.dims)
            assert np.array_equal(source.to_numpy(), whole)
            for after in placements(mesh, 2):
                made = source.redistribute(after.dims)
                assert (made.shape, made.placement) == (shape, after)
                for number in range(device.get_num_devices()):
                    found = made.extract_shard(number).to_numpy()
                    assert np.array_equal(found, whole[after.slices(shape, number)]), (before, after)


@pytest.mark.parametrize("options", ["--engine=jit", "--engine=interp"])
def test_kernels_redistribute(options):
    shape = (128, 128)
    whole = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    with opened(2, 2) as device, ttl.options(options):
        for before, after in (((0, -1), (-1, -1)), ((0, 1), (1, 0)), ((-1, -1), (0, 0)), ((0, 0), (1, -1))):
            source = dist.DistTensor.from_numpy(whole, device, before)
            for _ in range(2):
                made = source.redistribute(after, topology=RING)
            assert np.array_equal(made.to_numpy(), whole)


def test_the_bytes_of_a_step_are_sent():
    with opened(1, 4) as device:
        whole = np.arange(128 * 128, dtype=np.float32).reshape(128, 128)
        source = dist.DistTensor.from_numpy(whole, device, (-1, 0))
        for dims, name in (((-1, -1), "all_gather"), ((-1, 1), "all_to_all")):
            (step,) = source.redistribute(dims, topology=RING).steps
            assert step.function == name
            assert ttl.last_run().stats["bytes_received"] == 4 * step.bytes


def plan(mesh, before, after, shape=(64, 64)):
    return [str(step) for step in dist.plan(shape, 4, dist.Placement(mesh, before), dist.Placement(mesh, after))]


def test_the_cheapest_way():
    assert plan((2, 4), (0, -1), (0, -1)) == []
    assert plan((2, 4), (-1, -1), (0, 1)) == ["mesh_partition(dim 0, axis 0), 0 bytes",
                                              "mesh_partition(dim 1, axis 1), 0 bytes"]
    assert plan((2, 4), (0, -1), (-1, -1)) == ["all_gather(dim 0, axis 0), 8192 bytes"]
    assert plan((2, 4), (0, -1), (1, -1)) == ["all_to_all(dim 0 to 1, axis 0), 4096 bytes"]
    # A tensor is cut before it is gathered, because fewer bytes are sent then.
    assert plan((2, 2), (0, -1), (-1, 1)) == ["mesh_partition(dim 1, axis 1), 0 bytes",
                                              "all_gather(dim 0, axis 0), 4096 bytes"]
    assert plan((2, 2), (dist.PARTIAL, -1), (0, -1)) == ["reduce_scatter(dim 0, axis 0), 8192 bytes"]
    assert plan((2, 2), (dist.PARTIAL, -1), (-1, -1)) == ["all_reduce(axis 0), 16384 bytes"]


def test_axes_that_cut_one_dimension():
    """If two axes cut one dimension, the inner axis must be gathered before the outer one."""
    steps = plan((2, 2), (0, 0), (-1, 0))
    assert steps[0] == "all_gather(dim 0, axis 1), 4096 bytes" or "all_to_all" in steps[0]
    placement = dist.Placement((2, 3), (0, 0))
    assert [placement.slices((12,), number)[0].start for number in range(6)] == [0, 2, 4, 6, 8, 10]


def test_partial_sums():
    with opened(2, 2) as device:
        parts = np.arange(4 * 64 * 32, dtype=np.float32).reshape(4 * 64, 32) % 97
        local = ttnn.from_torch(parts, device=device, mesh_mapper=ttnn.ShardTensorToMesh(device, dim=0))
        tensor = dist.DistTensor(local, (64, 32), dist.Placement((2, 2), (dist.PARTIAL, -1)))
        one, two, three, four = np.split(parts, 4)
        made = tensor.redistribute((0, -1))
        assert [step.function for step in made.steps] == ["reduce_scatter"]
        assert np.array_equal(made.extract_shard(0).to_numpy(), (one + three)[:32])
        assert np.array_equal(made.extract_shard(3).to_numpy(), (two + four)[32:])
        with pytest.raises(ValueError, match="has partial sums: redistribute the tensor first"):
            tensor.to_numpy()


def test_a_kernel_takes_the_local_tensor():
    @ttl.operation(grid=(1, 1))
    def doubled(x, y):
        x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))
        ttl.copy(x[0, 0], x_dfb.reserve())
        y_dfb.reserve().store(x_dfb.wait() * 2)
        ttl.copy(y_dfb.wait(), y[0, 0])

    with opened(2, 1) as device:
        x = dist.DistTensor.from_numpy(np.ones((64, 32), np.float32), device, (0, -1))
        y = dist.DistTensor.from_numpy(np.zeros((64, 32), np.float32), device, (0, -1))
        doubled(x.local, y.local)
        assert (y.to_numpy() == 2).all()
        assert repr(y) == "!ttl.dist_tensor<64x32xf32, #ttl.placement<mesh = [2, 1], dims = [0, -1]>>"


def test_placements_by_their_dimensions():
    before, after = dist.Placement((2, 2), (0, -1)), dist.Placement((2, 2), (-1, 0))
    steps = dist.plan((64, 64), 4, before, after)
    assert steps and steps == dist.plan((64, 64), 4, (0, -1), [-1, 0], mesh=(2, 2))
    assert steps == dist.plan((64, 64), 4, before, (-1, 0)) == dist.plan((64, 64), 4, (0, None), after)
    whole = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    with opened(2, 2) as device:
        assert steps == dist.plan((64, 64), 4, (0, -1), (-1, 0), device)
        assert dist.Placement(device, (0, -1)) == before
        local = dist.DistTensor.from_numpy(whole, device, (0, -1)).local
        made = dist.DistTensor(local, (64, 64), (0, -1))
        assert made.placement == before and np.array_equal(made.to_numpy(), whole)
        with pytest.raises(ValueError, match="local: expected a tensor on a mesh, found one on the host"):
            dist.DistTensor(ttnn.from_device(local), (64, 64), (0, -1))


def test_refusals():
    placement = dist.Placement((2, 2), (0, 1))
    for error, text, call in [
        (ValueError, "one dimension for each axis of the mesh (2, 2), found (0,)",
         lambda: dist.Placement((2, 2), (0,))),
        (ValueError, "-1 or ttl.dist.PARTIAL, found -2", lambda: dist.Placement((2,), (-2,))),
        (ValueError, "cuts dimension 1 of a tensor with 1 dimensions", lambda: placement.local_shape((4,))),
        (ValueError, "dimension 0 of extent 5 into 2 parts", lambda: placement.local_shape((5, 4))),
        (ValueError, "the meshes differ", lambda: dist.plan((4, 4), 4, placement, dist.Placement((4, 1), (0, 1)))),
        (ValueError, "sums cannot become partial again",
         lambda: dist.plan((4, 4), 4, placement, dist.Placement((2, 2), (dist.PARTIAL, 1)))),
        (TypeError, "plan(): source: the dimensions (0, -1) need a mesh: add mesh=(2, 2)",
         lambda: dist.plan((4, 4), 4, (0, -1), (-1, 0))),
        (TypeError, "plan(): target: expected a ttl.dist.Placement or its dimensions, such as (0, -1), found 3",
         lambda: dist.plan((4, 4), 4, placement, 3)),
        (TypeError, "expected a mesh or its extents, such as (2, 4), found 4", lambda: dist.Placement(4, (0, 1))),
        (TypeError, "dims: expected a tuple with a dimension", lambda: dist.Placement((2, 2), 0)),
        (TypeError, "local: expected a ttnn.Tensor, found int", lambda: dist.DistTensor(3, (4, 4), placement)),
    ]:
        with pytest.raises(error) as caught:
            call()
        assert text in str(caught.value)
    with opened(2, 2) as device:
        local = ttnn.zeros((4, 4), device=device, layout=ttnn.TILE_LAYOUT)
        with pytest.raises(ValueError, match="into parts of \\[2, 2\\], but the tensor has parts of \\[4, 4\\]"):
            dist.DistTensor(local, (4, 4), placement)
        with pytest.raises(ValueError, match="is no placement on the mesh of the tensor, \\(2, 2\\)"):
            dist.DistTensor(local, (4, 4), dist.Placement((4, 1), (-1, -1)))
        with pytest.raises(ValueError, match="expected a device of the mesh \\(2, 2\\), a number from 0 to 3"):
            dist.DistTensor(local, (8, 8), placement).extract_shard(4)
        with pytest.raises(ValueError, match="make the parts on the devices"):
            dist.DistTensor.from_numpy(np.zeros((4, 4)), device, (dist.PARTIAL, -1))
