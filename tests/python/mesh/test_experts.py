# SPDX-License-Identifier: Apache-2.0
"""all_to_all_dispatch and all_to_all_combine, which send tokens to experts and results back, compared with
numpy. Each call runs twice, on one engine or on both, and with --ccl=host."""

import numpy as np
import pytest
import ttl
import ttnn
from meshes import opened, put
from ttl import ccl

RING, LINE = ttnn.Topology.Ring, ttnn.Topology.Linear
DTYPES = [ttnn.bfloat16, ttnn.float32, ttnn.float16, ttnn.int32, ttnn.uint32, ttnn.uint16, ttnn.uint8]
INTERP = ["--engine=interp"]
ENGINES = ["--engine=jit", *INTERP]
ROWS, TILE = ttnn.ROW_MAJOR_LAYOUT, ttnn.TILE_LAYOUT


class Case:
    """Tokens on a group of devices, their experts, and the devices of each expert. `members[d]` lists the devices
    in the group of device d."""

    def __init__(self, mesh, members, batch=2, sequence=3, hidden=32, slots=2, experts=5, dtype=ttnn.bfloat16,
                 dim=1, seed=0):
        self.mesh, self.members, self.dim, self.slots, self.dtype = mesh, members, dim, slots, dtype
        rng, count = np.random.default_rng([seed, len(members)]), len(members)
        self.homes = np.zeros((experts, count), np.int64)
        self.homes[np.arange(experts), rng.integers(0, count, experts)] = 1
        self.parts = max(1, self.homes.sum(0).max())
        self.local = (batch, sequence)
        self.tokens = rng.integers(1, 200, (count, batch, sequence, hidden))
        self.chosen = np.stack([rng.permutation(experts)[:slots] for _ in range(count * batch * sequence)])
        self.chosen = self.chosen.reshape(count, batch, sequence, slots)
        self.results = rng.integers(1, 200, (count, self.parts, *self.joined(0).shape[:2], hidden))

    def joined(self, device, what="tokens"):
        """Returns the tokens, or the chosen experts, of all devices in this device's group, joined."""
        given = getattr(self, what)
        return np.concatenate([given[each] for each in self.members[device]], self.dim - 1)

    def spread(self, parts, dtype=None):
        """Puts one part on each device; returns the tensor."""
        parts = np.concatenate(list(parts))
        mapper = None if len(self.members) > 1 else ttnn.ReplicateTensorToMesh(self.mesh)
        return put(parts, self.mesh, mapper, self.dtype if dtype is None else dtype, ROWS)

    def inputs(self, kind=ttnn.uint16):
        homes = put(self.homes[None, None], self.mesh, ttnn.ReplicateTensorToMesh(self.mesh), kind, ROWS)
        return (self.spread(self.tokens[:, :, :, None]), self.spread(self.chosen[:, :, :, None], kind), homes)

    def metadata(self, kind=ttnn.uint16):
        return self.spread((self.joined(device, "chosen")[None] for device in range(len(self.members))), kind)

    # Values that the devices must get

    def dispatched(self, device, before=0):
        out = np.full((1, *self.joined(device).shape), before)
        for place, chosen in np.ndenumerate(self.joined(device, "chosen")):
            if self.homes[chosen, device]:
                out[0][place[:2]] = self.joined(device)[place[:2]]
        return out

    def part(self, expert, device):
        """Returns the position of an expert among the experts of a device."""
        return np.flatnonzero(self.homes[:, device]).tolist().index(expert)

    def combined(self, device, before=0, is_reduced=False):
        batch, sequence = self.local
        out = np.full((self.slots, batch, sequence, self.tokens.shape[-1]), before)
        place = self.members[device].index(device)
        shift = (place * batch, 0) if self.dim == 1 else (0, place * sequence)
        for (b, s), _ in np.ndenumerate(out[0, :, :, 0]):
            chosen, row = self.chosen[device, b, s].tolist(), (b + shift[0], s + shift[1])
            for owner in self.members[device]:
                own = [slot for slot, expert in enumerate(chosen) if self.homes[expert, owner]]
                for slot in sorted(own, key=chosen.__getitem__)[:1] if is_reduced else own:
                    part = 0 if is_reduced else self.part(chosen[slot], owner)
                    out[slot, b, s] = self.results[owner, part][row]
        return out


def found(tensor):
    """Returns the elements on each device."""
    return [part.to_numpy() for part in ttnn.get_device_tensors(tensor)]


def checked(run, expected, options=ENGINES):
    """Runs a call twice on each engine and with --ccl=host. All tensors that it returns must be as expected."""
    for chosen in [*options, "--ccl=host"]:
        with ttl.options(chosen):
            for _ in range(2):
                for tensor, parts in zip(run(), expected, strict=True):
                    for one, other in zip(found(tensor), parts, strict=True):
                        np.testing.assert_array_equal(one, other)


def check_dispatch(case, kind=ttnn.uint16, options=ENGINES, **named):
    tensors, devices = case.inputs(kind), range(len(case.members))
    expected = [[case.dispatched(each) for each in devices], [case.joined(each, "chosen")[None] for each in devices]]
    checked(lambda: ttnn.all_to_all_dispatch(*tensors, output_concat_dim=case.dim, **named), expected, options)


def check_combine(case, kind=ttnn.uint16, options=ENGINES, is_reduced=False, **named):
    results = case.spread(case.results[:, :1] if is_reduced else case.results)
    tensors, devices = (results, case.metadata(kind), case.inputs(kind)[2]), range(len(case.members))
    expected = [[case.combined(each, is_reduced=is_reduced) for each in devices]]
    checked(lambda: [ttnn.all_to_all_combine(*tensors, output_shard_dim=case.dim, local_reduce=is_reduced, **named)],
            expected, options)


def one_group(count):
    return [list(range(count))] * count


# ===--------------------------------------------------------------------------=== #
# Results


@pytest.mark.parametrize("topology", [RING, LINE])
@pytest.mark.parametrize("count, dim", [(1, 1), (2, 2), (3, 1), (4, 2), (8, 1)])
def test_tokens_go_to_experts_and_back(count, dim, topology):
    options = ENGINES if count in (1, 3) else INTERP
    with opened(count) as mesh:
        case = Case(mesh, one_group(count), dim=dim)
        check_dispatch(case, options=options, topology=topology)
        check_combine(case, options=options, topology=topology)
        check_combine(case, options=options, topology=topology, is_reduced=True)


# Rows with aligned and other numbers of bytes, rows of several blocks, and all types of expert numbers.
@pytest.mark.parametrize("dtype, hidden, kind", [
    *((dtype, 64, ttnn.uint16) for dtype in DTYPES), (ttnn.bfloat16, 5, ttnn.int32), (ttnn.float32, 16400, ttnn.uint8),
    (ttnn.uint8, 33, ttnn.uint32)], ids=lambda value: getattr(value, "name", value))
def test_types_and_rows(dtype, hidden, kind):
    with opened(2) as mesh:
        case = Case(mesh, one_group(2), 1, 2, hidden, dtype=dtype)
        check_dispatch(case, kind, INTERP)
        check_combine(case, kind, INTERP)


@pytest.mark.parametrize("axis, groups", [(0, [[0, 3], [1, 4], [2, 5]]), (1, [[0, 1, 2], [3, 4, 5]])])
def test_the_lines_of_a_mesh(axis, groups):
    """Tokens go only to experts on the device's own line of the mesh."""
    members = [next(group for group in groups if device in group) for device in range(6)]
    with opened(2, 3) as mesh:
        case = Case(mesh, members, experts=9)
        check_dispatch(case, options=INTERP, cluster_axis=axis)
        check_combine(case, options=INTERP, cluster_axis=axis)


SCHEDULES = ["--schedule=greedy", "--schedule=random --seed=3", "--schedule=parallel(2) --check=off",
             "--schedule=random --seed=4 --dma=eager", "--check=race,protocol,memory"]


@pytest.mark.parametrize("lanes", [1, None])
def test_lanes_and_schedules(lanes):
    with opened(3) as mesh:
        case = Case(mesh, one_group(3), dim=2)
        check_dispatch(case, options=SCHEDULES, lanes=lanes)
        check_combine(case, options=SCHEDULES, lanes=lanes)


def test_an_expert_on_several_devices_or_none_or_chosen_twice():
    with opened(3) as mesh:
        case = Case(mesh, one_group(3), slots=3)
        case.chosen[..., 2] = case.chosen[..., 0]
        case.homes[:2] = [[1, 0, 1], [0, 0, 0]]
        check_dispatch(case)
        case.homes[0] = [0, 0, 1]
        check_combine(case)
        check_combine(case, is_reduced=True)


def test_results_go_to_given_tensors_and_memory():
    with opened(2) as mesh, ttl.options(*INTERP):
        for hidden in (32, 7):
            case = Case(mesh, one_group(2), hidden=hidden)
            x, chosen, homes = case.inputs()
            before = np.full((2, 1, *case.joined(0).shape), 250)
            given = case.spread(before), case.metadata()
            out, metadata = ttnn.all_to_all_dispatch(x, chosen, homes, output_tensors=given)
            assert out is given[0] and metadata is given[1]
            for device, part in enumerate(found(out)):
                np.testing.assert_array_equal(part, case.dispatched(device, 250))
            case.homes[:] = 0
            case.homes[1, 0] = 1
            homes = case.inputs()[2]
            given = case.spread(np.full((2, 2, 2, 3, hidden), 250))
            assert ttnn.all_to_all_combine(case.spread(case.results), metadata, homes, output_tensor=given) is given
            for device, part in enumerate(found(given)):
                np.testing.assert_array_equal(part, case.combined(device, 250))
        moved = ttnn.all_to_all_dispatch(*case.inputs(), memory_config=ttnn.L1_MEMORY_CONFIG)
        assert [each.memory_config() for each in moved] == [ttnn.L1_MEMORY_CONFIG] * 2
        assert out.tensor_topology().placements() == [ttnn.PlacementShard(0)]
        assert metadata.tensor_topology().placements() == [ttnn.PlacementReplicate()]
        assert given.tensor_topology().placements() == [ttnn.PlacementShard(1)]


# ===--------------------------------------------------------------------------=== #
# Refusals


def refused(error, text, call, *args, **named):
    with pytest.raises(error) as caught:
        call(*args, **named)
    assert text in str(caught.value), str(caught.value)
    frame = caught.traceback[-1]
    assert frame.path.name == "test_experts.py", "the traceback must end in the program"


def test_what_dispatch_refuses():
    run, name = ccl.all_to_all_dispatch, "all_to_all_dispatch()"
    assert run is ttnn.all_to_all_dispatch
    with opened(2) as mesh:
        case = Case(mesh, one_group(2))
        x, chosen, homes = case.inputs()
        tiles = put(case.tokens.reshape(4, 3, 1, 32), mesh, None, ttnn.bfloat16)
        refused(TypeError, f"{name}: expert_indices_tensor: expected a ttnn.Tensor of a mesh, found int", run, x, 3,
                homes)
        refused(ValueError, f"{name}: input_tensor has Layout.TILE: expected ROW_MAJOR_LAYOUT", run, tiles, chosen,
                homes)
        refused(ValueError, "input_tensor has shape [2, 3, 32]: expected [B, S, 1, H]", run,
                put(case.tokens.reshape(4, 3, 32), mesh, None, ttnn.bfloat16, ROWS), chosen, homes)
        refused(ValueError, "expert_indices_tensor has shape [1, 3, 1, 2]: expected [2, 3, 1, K]", run, x,
                put(case.chosen.reshape(4, 3, 1, 2)[:2], mesh, None, ttnn.uint16, ROWS), homes)
        refused(TypeError, "expert_indices_tensor has DataType.FLOAT32: expected a type of integers", run, x,
                put(case.chosen.reshape(4, 3, 1, 2), mesh, None, ttnn.float32, ROWS), homes)
        refused(ValueError, "expert_mapping_tensor has shape [2, 3, 1, 2]: expected [1, 1, E, 2]", run, x, chosen,
                chosen)
        refused(ValueError, "expert_indices_tensor[0, 1, 0, 1] of device 1 is 5: expected an expert from 0 to 4", run,
                x, changed(case, "chosen", (1, 0, 1, 1), 5).inputs()[1], homes)
        refused(ValueError, "expert_mapping_tensor has 2 for expert 3 and device 1: expected 1", run, x,
                chosen, changed(case, "homes", (3, 1), 2).inputs()[2])
        other = np.stack([case.homes, 1 - case.homes])[:, None]
        refused(ValueError, "expert_mapping_tensor of device 1 is not that of device 0", run, x, chosen,
                put(other, mesh, None, ttnn.uint16, ROWS))
        refused(ValueError, "output_concat_dim=0: expected 1, the batch, or 2", run, x, chosen, homes,
                output_concat_dim=0)
        refused(ValueError, "cluster_axis=2: the mesh has", run, x, chosen, homes, cluster_axis=2)
        refused(TypeError, "output_tensors=3: expected two tensors", run, x, chosen, homes, output_tensors=3)
        refused(ValueError, "output_tensor has shape [2, 3, 1, 32]", run, x, chosen, homes, output_tensors=(x, chosen))
    with opened(2, fabric=ttnn.FabricConfig.DISABLED) as mesh:
        with ttl.options("--strict"):
            refused(ValueError, f"{name} sends between devices, but no fabric is configured", run,
                    *Case(mesh, one_group(2)).inputs())


def changed(case, what, place, value):
    """Returns a copy of the case in which one number differs."""
    other = Case(case.mesh, case.members)
    getattr(other, what)[place] = value
    return other


def test_what_combine_refuses():
    run, name = ccl.all_to_all_combine, "all_to_all_combine()"
    assert run is ttnn.all_to_all_combine
    with opened(2) as mesh:
        case = Case(mesh, one_group(2))
        x, metadata, homes = case.spread(case.results), case.metadata(), case.inputs()[2]
        most, owner = case.homes.sum(0).max(), case.homes.sum(0).argmax()
        refused(ValueError, f"{name}: expert_metadata_tensor has shape [1, 1, 5, 2]: expected [1, 4, 3, K]", run, x,
                homes, metadata)
        refused(ValueError, f"at least {most} as the first extent, because device {owner} has {most} experts", run,
                case.spread(case.results[:, :1]), metadata, homes)
        refused(ValueError, "with local_reduce=True expected 1 as the first extent", run, x, metadata, homes,
                local_reduce=True)
        refused(TypeError, "local_reduce=1: expected True or False", run, x, metadata, homes, local_reduce=1)
        refused(ValueError, "expert_mapping_tensor has expert 4 on devices 0 and 1", run, x, metadata,
                changed(case, "homes", 4, 1).inputs()[2])
        refused(ValueError, "expert_metadata_tensor of device 1 is not that of device 0", run, x,
                case.spread(np.stack([case.joined(0, "chosen"), 0 * case.joined(0, "chosen")])[:, None], ttnn.uint16),
                homes)
        refused(ValueError, "expert_metadata_tensor[0, 0, 0, 0] of device 0 is 9: expected an expert from 0 to 4", run,
                x, changed(case, "chosen", (0, 0, 0, 0), 9).metadata(), homes)
        refused(ValueError, "2 devices do not divide extent 3 of dimension 2", run, x, metadata, homes,
                output_shard_dim=2)
        refused(ValueError, "output_shard_dim=3: expected 1", run, x, metadata, homes, output_shard_dim=3)
        refused(ValueError, "output_tensor has shape", run, x, metadata, homes, output_tensor=x)
