# SPDX-License-Identifier: Apache-2.0
"""ttnn's meshes, and the ways in which tensors are distributed over them."""

import gc
import warnings

import numpy as np
import pytest
import ttl
import ttnn
from meshes import joined, numbers, opened, put


def test_a_mesh():
    with opened(2, 4) as mesh:
        assert mesh.shape == (2, 4) and isinstance(mesh.shape, ttnn.MeshShape)
        assert mesh.get_num_devices() == 8 and mesh.get_device_ids() == list(range(8))
        assert repr(mesh) == "<mesh 2x4 of emulated wormhole_b0, compute grid 8x8>"
        assert isinstance(mesh, ttnn.MeshDevice)
        mesh.reshape(ttnn.MeshShape(8, 1))
        assert mesh.shape == (8, 1)
        with pytest.raises(ValueError, match=r"reshape\(\(3, 1\)\): the mesh has 8 devices"):
            mesh.reshape((3, 1))
        assert mesh.create_submesh((2, 1), offset=(6, 0)).shape == (2, 1)
        with pytest.raises(ValueError, match="not inside the machine of 8x1 devices"):
            mesh.create_submesh((2, 1), offset=(7, 0))


def test_shapes_and_coordinates():
    assert ttnn.MeshShape(2, 4) == ttnn.MeshShape((2, 4)) == ttnn.MeshShape([2, 4]) == (2, 4)
    assert ttnn.MeshShape(2, 4).mesh_size() == 8 and ttnn.MeshShape(2, 4).dims() == 2
    assert repr(ttnn.MeshCoordinate(0, 1)) == "MeshCoordinate([0, 1])"
    with pytest.raises(ValueError, match=r"MeshShape\(0, 2\): expected extents of at least 1"):
        ttnn.MeshShape(0, 2)
    with pytest.raises(TypeError, match="MeshShape.*expected integers"):
        ttnn.MeshShape("a", 2)


def test_a_mesh_of_one_device_is_the_device():
    mesh = ttnn.open_mesh_device()
    assert mesh is ttnn.open_device() and mesh.shape == (1, 1)
    ttnn.close_mesh_device(mesh)


def test_one_mesh_at_a_time():
    with opened(1, 2) as mesh:
        with pytest.raises(RuntimeError, match="a mesh is open already"):
            ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    with pytest.raises(RuntimeError, match="this mesh is not open"):
        ttnn.close_mesh_device(mesh)


def test_a_mapper_without_a_device_leaves_the_parts_on_the_host():
    with opened(2) as mesh:
        host = ttnn.from_torch(numbers(64, 32), mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
        assert host.device() is None and tuple(host.shape) == (32, 32)
        assert np.array_equal(joined(ttnn.to_device(host, mesh)), numbers(64, 32))


def test_submeshes_can_be_closed():
    with opened(2, 4) as mesh:
        part = mesh.create_submesh(ttnn.MeshShape(2, 2), ttnn.MeshCoordinate(0, 2))
        inner = part.create_submesh(ttnn.MeshShape(2, 1), ttnn.MeshCoordinate(0, 1))
        assert part.get_device_ids() == [2, 3, 6, 7] and inner.get_device_ids() == [3, 7]
        x = ttnn.zeros((32, 32), device=part)
        for each in (inner, mesh.create_submesh(ttnn.MeshShape(1, 1), ttnn.MeshCoordinate(1, 3)), part):
            ttnn.close_mesh_device(each)
        with pytest.raises(ValueError, match="cannot be used after its mesh was closed"):
            x.to_numpy()
        other = mesh.create_submesh(ttnn.MeshShape(1, 4))
        y = ttnn.zeros((32, 32), device=mesh)
        assert y.part(0).to_numpy().max() == 0
    with pytest.raises(ValueError, match="on a mesh that was closed"):
        ttnn.zeros((32, 32), device=other)


def test_close_device_closes_a_mesh():
    with pytest.warns(UserWarning, match="a mesh of 1x2 needs 2"):
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    ttnn.close_device(mesh)
    with pytest.raises(ValueError, match="on a mesh that was closed"):
        ttnn.zeros((32, 32), device=mesh)
    small = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
    ttnn.close_device(small)
    ttnn.close_mesh_device(ttnn.open_mesh_device())
    assert ttnn.zeros((32, 32), device=ttnn.open_device()).to_numpy().max() == 0


def test_a_machine_that_is_too_small():
    with pytest.warns(UserWarning, match="a mesh of 1x2 needs 2: name the machine, as in --mesh=1x2"):
        ttnn.close_mesh_device(ttnn.open_mesh_device(ttnn.MeshShape(1, 2)))
    with pytest.raises(ValueError, match="has 2048 devices; at most 1024 are emulated"):
        ttnn.open_mesh_device(ttnn.MeshShape(2, 1024))


def test_the_order_of_the_fabric():
    with opened(1, 2):
        with pytest.raises(RuntimeError, match="set the fabric before ttnn.open_mesh_device"):
            ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
    with pytest.raises(TypeError, match="expected a ttnn.FabricConfig"):
        ttnn.set_fabric_config("1d")
    router = ttnn.FabricRouterConfig(max_packet_payload_size_bytes=7616)
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D, router_config=router)
    assert ttnn.get_tt_fabric_max_payload_size_bytes() == 7616
    with pytest.raises(ValueError, match="at most 7616 bytes on wormhole_b0"):
        ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D, router_config=ttnn.FabricRouterConfig(8000))
    ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
    assert ttnn.get_tt_fabric_max_payload_size_bytes() == 4352


def parts_of(tensor):
    return [part.to_numpy() for part in ttnn.get_device_tensors(tensor)]


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("layout", [ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT])
def test_shards_along_one_dimension(dim, layout):
    full = numbers(128, 256)
    with opened(2, 2) as mesh:
        x = put(full, mesh, ttnn.ShardTensorToMesh(mesh, dim=dim), layout=layout)
        for part, expected in zip(parts_of(x), np.split(full, 4, dim)):
            assert np.array_equal(part, expected)
        assert tuple(x.shape) == np.split(full, 4, dim)[0].shape
        assert np.array_equal(joined(x, dim), full)
        assert x.tensor_topology().placements() == [ttnn.PlacementShard(dim)]


def test_replicated_tensors():
    full = numbers(32, 64)
    with opened(2, 2) as mesh:
        for mapper in (ttnn.ReplicateTensorToMesh(mesh), None):
            x = ttnn.from_torch(full, device=mesh, mesh_mapper=mapper)
            assert all(np.array_equal(part, full) for part in parts_of(x)) and len(parts_of(x)) == 4
            assert x.tensor_topology().placements() == [ttnn.PlacementReplicate()] * 2
            assert np.array_equal(joined(x, 1), np.concatenate([full] * 4, 1))


@pytest.mark.parametrize("dims", [(0, 1), (1, 0), (None, 0), (1, None), (None, None)])
def test_two_axes(dims):
    full = numbers(64, 128)
    with opened(2, 4) as mesh:
        x = put(full, mesh, ttnn.ShardTensor2dMesh(mesh, mesh_shape=(2, 4), dims=dims))
        for number, part in enumerate(parts_of(x)):
            expected = full
            for dim, index, count in zip(dims, divmod(number, 4), (2, 4)):
                expected = expected if dim is None else np.split(expected, count, dim)[index]
            assert np.array_equal(part, expected)
        if None not in dims:
            composer = ttnn.ConcatMesh2dToTensor(mesh, mesh_shape=(2, 4), dims=dims)
            assert np.array_equal(ttnn.aggregate_tensor(x, composer).to_numpy(), full)


def test_placements_and_a_composer_of_one_device_of_an_axis():
    full = numbers(64, 64)
    with opened(2, 2) as mesh:
        config = ttnn.MeshMapperConfig([ttnn.PlacementReplicate(), ttnn.PlacementShard(0)])
        x = put(full, mesh, ttnn.create_mesh_mapper(mesh, config))
        composer = ttnn.create_mesh_composer(mesh, ttnn.MeshComposerConfig([1, 0], ttnn.MeshShape(1, 2)))
        assert np.array_equal(ttnn.aggregate_tensor(x, composer).to_numpy(), full)
        both = ttnn.create_mesh_composer(mesh, ttnn.MeshComposerConfig([1, 0]))
        assert np.array_equal(ttnn.aggregate_tensor(x, both).to_numpy(), np.concatenate([full, full], 1))


def test_torch_and_host_tensors():
    torch = pytest.importorskip("torch")
    full = torch.randn(64, 64).to(torch.bfloat16)
    with opened(1, 2) as mesh:
        x = ttnn.from_torch(full, layout=ttnn.TILE_LAYOUT, device=mesh,
                            mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=1))
        again = ttnn.to_torch(x, mesh_composer=ttnn.ConcatMeshToTensor(mesh, dim=1))
        assert again.dtype == torch.bfloat16 and torch.equal(again, full)
        host = ttnn.from_torch(full)
        y = ttnn.distribute_tensor(host, ttnn.ShardTensorToMesh(mesh, dim=0))
        assert torch.equal(ttnn.to_torch(ttnn.get_device_tensors(y)[1]), full[32:])


@pytest.mark.parametrize("dtype", [ttnn.bfloat16, ttnn.bfloat8_b, ttnn.float32, ttnn.int32, ttnn.uint16])
def test_types(dtype):
    full = numbers(64, 32) % 64
    with opened(2, 1) as mesh:
        assert np.array_equal(joined(put(full, mesh, dtype=dtype)), full)


def test_fewer_parts_than_devices():
    with opened(1, 4) as mesh:
        x = put(numbers(2, 32), mesh, layout=ttnn.ROW_MAJOR_LAYOUT)
        assert len(ttnn.get_device_tensors(x)) == 2
        assert x.tensor_topology().mesh_coords() == [(0, 0), (0, 1)]
        assert np.array_equal(joined(x), numbers(2, 32))


REFUSALS = [
    (lambda mesh: put(numbers(65, 32), mesh), "Shard shape mismatch: the parts have shapes"),
    (lambda mesh: put(numbers(64, 32), mesh, ttnn.ShardTensorToMesh(mesh, dim=2)), "the tensor has 2 dimensions"),
    (lambda mesh: ttnn.ShardTensor2dMesh(mesh, mesh_shape=(2, 4), dims=(0, 1)), "larger than the mesh of 2x2"),
    (lambda mesh: ttnn.ShardTensor2dMesh(mesh, dims=(0,)), "expected two dimensions"),
    (lambda mesh: ttnn.create_mesh_mapper(mesh, ttnn.MeshMapperConfig([ttnn.PlacementReplicate()])),
     "1 placements for a distribution over 2x2 devices"),
    (lambda mesh: put(numbers(1, 64), mesh, ttnn.ShardTensor2dMesh(mesh, dims=(0, 1))),
     "gives 1 parts, but axis 0 of the distribution has 2 devices"),
    (lambda mesh: ttnn.to_torch(put(numbers(64, 32), mesh)), "is on 4 devices and has other elements on each"),
    (lambda mesh: put(numbers(64, 32), mesh).item(), "item"),
    (lambda mesh: ttnn.from_torch(numbers(64, 32), device=ttnn.open_device(),
                                  mesh_mapper=ttnn.ReplicateTensorToMesh(mesh)), "for another mesh than device="),
    (lambda mesh: ttnn.distribute_tensor(put(numbers(64, 32), mesh), ttnn.ReplicateTensorToMesh(mesh)),
     "a mapper takes host tensors"),
    (lambda mesh: ttnn.create_mesh_composer(mesh, ttnn.MeshComposerConfig([0])),
     "1 dimensions for 2x2 devices"),
    (lambda mesh: ttnn.aggregate_tensor(put(numbers(64, 32), mesh), ttnn.ConcatMesh2dToTensor(mesh, dims=(0, 0))),
     "the dimensions must be different"),
]


@pytest.mark.parametrize("make, message", REFUSALS, ids=[message[:40] for _, message in REFUSALS])
def test_refusals_of_distributions(make, message):
    with opened(2, 2) as mesh:
        with pytest.raises(ValueError, match=message.replace("(", r"\(").replace("[", r"\[")):
            make(mesh)


def test_functions_work_on_each_device():
    full = numbers(128, 32)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 2, mesh)
        assert np.array_equal(joined(x + y), full * 3)
        assert np.array_equal(joined(ttnn.add(x, 1.0)), full + 1)
        assert np.array_equal(joined(-x), -full)
        assert np.array_equal(joined(ttnn.typecast(x, ttnn.int32)), full)
        assert np.array_equal(joined(ttnn.concat([x, y], dim=1)), np.concatenate([full, full * 2], 1))
        products = np.concatenate([a @ (a * 2).T for a in np.split(full, 4)])
        assert np.allclose(joined(ttnn.matmul(x, ttnn.transpose(y, 0, 1))), products, rtol=1e-5)
        halves = ttnn.split(x, 16, 1)
        assert [np.array_equal(joined(each), full[:, at : at + 16]) for each, at in zip(halves, (0, 16))]
        ttnn.add(x, y, output_tensor=y)
        assert np.array_equal(joined(y), full * 3)
        assert np.array_equal(joined(ttnn.zeros((32, 32), layout=ttnn.TILE_LAYOUT, device=mesh)), full * 0)


def test_elements_are_those_of_each_device():
    full = numbers(64, 64)
    with opened(1, 2) as mesh:
        x = put(full, mesh)
        assert np.array_equal(joined(x[0:16]), np.concatenate([full[0:16], full[32:48]]))
        assert np.array_equal(joined(x[3, 1:2]), full[[3, 35], 1])
        assert [each.shape for each in ttnn.get_device_tensors(x[0, 5])] == [(), ()]
        assert [tuple(row.shape) for row in x] == [(64,)] * 32
        x[0:1, 0:2] = 7
        x[1:2] = x[31:32]
        full[[0, 32], 0:2], full[[1, 33]] = 7, full[[31, 63]]
        assert np.array_equal(joined(x), full)
        with pytest.raises(IndexError):
            x[40]


@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16, ttnn.bfloat8_b, ttnn.int32])
@pytest.mark.parametrize("read", [ttnn.from_device, lambda x: x.cpu()], ids=["from_device", "cpu"])
def test_the_parts_on_the_host(read, dtype):
    full = numbers(64, 64) % 100
    with opened(1, 2) as mesh:
        x = put(full.astype(np.int32) if dtype == ttnn.int32 else full, mesh, dtype=dtype)
        host = read(x)
        assert (host.device(), host.storage_type()) == (None, ttnn.StorageType.HOST)
        assert (host.shape, host.dtype) == ((32, 64), dtype)
        assert [part.device() for part in ttnn.get_device_tensors(host)] == [None, None]
        back = ttnn.to_device(host, mesh)
        assert back.device() is mesh and np.array_equal(joined(back), joined(x))
        assert repr(back.tensor_topology()) == repr(x.tensor_topology())
        composer = ttnn.ConcatMeshToTensor(mesh, dim=0)
        assert np.array_equal(ttnn.aggregate_tensor(host, composer).to_numpy(), joined(x))
        assert np.array_equal(joined(ttnn.to_device(host[0:1], mesh)), joined(x[0:1]))
    assert np.array_equal(ttnn.get_device_tensors(host)[1].to_numpy(), full[32:64])


def test_refusals_of_parts_on_the_host():
    @ttl.operation(grid=(1, 1))
    def empty(x):
        pass

    with opened(1, 2) as mesh:
        host = ttnn.from_device(put(numbers(64, 32), mesh))
        with pytest.raises(ValueError, match="argument 'x': the parts of the tensor are on the host: put them"):
            empty(host)
        with pytest.raises(ValueError, match="has 2 parts on the host with different elements: join them with"):
            host.to_numpy()
    with opened(1, 3) as mesh:
        with pytest.raises(ValueError, match="parts for 2 devices, found a mesh of 3 devices"):
            ttnn.to_device(host, mesh)
        with pytest.raises(ValueError, match="is not on the mesh of the composer"):
            ttnn.aggregate_tensor(host, ttnn.ConcatMeshToTensor(mesh, dim=0))
    with pytest.raises(ValueError, match="parts for 2 devices, found one device"):
        ttnn.to_device(host, ttnn.open_device())


def test_a_tensor_of_a_mesh_is_no_array():
    with opened(1, 2) as mesh:
        x = put(numbers(64, 32), mesh)
        for read in (ttnn.to_numpy, ttnn.Tensor.to_numpy, np.array, ttnn.Tensor.to_list):
            with pytest.raises(ValueError, match="is on 2 devices and has other elements on each: join them with"):
                read(x)


def test_a_tensor_is_printed_by_device():
    with opened(1, 2) as mesh:
        text = repr(put([[1.0], [2.0]], mesh, layout=ttnn.ROW_MAJOR_LAYOUT))
        assert "device (0, 0): [[1.]]" in text and "device (0, 1): [[2.]]" in text
        assert "PlacementShard(0)" in text


def test_parts_share_the_memory():
    with opened(1, 2) as mesh:
        x = put(numbers(64, 32), mesh)
        first, second = ttnn.get_device_tensors(x)
        second[0, 0] = 99.0
        assert joined(x)[32, 0] == 99 and joined(x)[0, 0] == 0
        assert first.buffer_address() == second.buffer_address() == x.buffer_address()
        x.deallocate()
        with pytest.raises(ValueError, match="cannot be used after it was deallocated"):
            joined(x)


def test_addresses_are_equal_on_all_devices_and_are_reused():
    with opened(2, 2) as mesh:
        x = put(numbers(128, 32), mesh)
        base = x.buffer_address()
        del x
        gc.collect()
        assert put(numbers(128, 32), mesh).buffer_address() == base


def test_traces_of_mesh_tensors():
    full = numbers(64, 32)
    with opened(1, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        number = ttnn.begin_trace_capture(mesh)
        ttnn.add(x, y, output_tensor=y)
        ttnn.end_trace_capture(mesh, number)
        assert not joined(y).any()
        for _ in range(2):
            ttnn.execute_trace(mesh, number)
        ttnn.release_trace(mesh, number)
        assert np.array_equal(joined(y), full * 2)


def test_warnings_name_the_option():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ttnn.close_mesh_device(ttnn.open_mesh_device(ttnn.MeshShape(2, 2)))
    assert len(caught) == 1 and "--mesh=2x2" in str(caught[0].message) and caught[0].filename == __file__
