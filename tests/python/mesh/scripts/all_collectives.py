# SPDX-License-Identifier: Apache-2.0
"""Runs each collective and prints a hash of its results. Arguments: a fabric, a topology, the mesh axis of
the groups or "all", and an element type."""

import hashlib
import sys

import numpy as np
import ttl
import ttnn

config, topology, axis, dtype = sys.argv[1:5]
groups = {"topology": getattr(ttnn.Topology, topology)}
cut = {} if axis == "all" else {"cluster_axis": int(axis)}
both = {**groups, **cut}

ttnn.set_fabric_config(getattr(ttnn.FabricConfig, config))
mesh = ttnn.open_mesh_device()
rows, columns = mesh.shape
count = rows * columns
# The shape has more blocks than there are lanes, and rows that are not whole blocks.
full = np.random.default_rng(0).integers(0, 100, (count * 32 * count, 32 * 24)).astype(
    np.int32 if "int" in dtype else np.float32)
x = ttnn.from_torch(full, dtype=getattr(ttnn, dtype), layout=ttnn.TILE_LAYOUT, device=mesh,
                    mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))


def with_experts():
    """Returns the calls of collectives for tokens. Each device has four tokens and two experts; a token has two."""
    rng, plain = np.random.default_rng(1), {"layout": ttnn.ROW_MAJOR_LAYOUT, "device": mesh}
    spread = {**plain, "mesh_mapper": ttnn.ShardTensorToMesh(mesh, dim=0)}
    tokens = ttnn.from_torch(full[: 4 * count, :64].reshape(-1, 1, 1, 64), dtype=x.dtype, **spread)
    chosen = np.stack([rng.permutation(2 * count)[:2] for _ in range(4 * count)]).reshape(-1, 1, 1, 2)
    experts = ttnn.from_torch(chosen, dtype=ttnn.uint16, **spread)
    homes = ttnn.from_torch(np.eye(count, dtype=np.int32)[rng.permutation(2 * count) % count][None, None],
                            dtype=ttnn.uint16, **plain)
    found, metadata = ttnn.all_to_all_dispatch(tokens, experts, homes, **both)
    results = ttnn.concat([found, found + found], dim=0)
    return {"all_to_all_dispatch": lambda: [found, metadata],
            "all_to_all_combine": lambda: ttnn.all_to_all_combine(results, metadata, homes, **both)}


first, last = ttnn.MeshCoordinate(0, 0), ttnn.MeshCoordinate(rows - 1, columns - 1)

for name, run in {
    "all_gather": lambda: ttnn.all_gather(x, 1, **both),
    "all_broadcast": lambda: ttnn.all_broadcast(x, **both),
    "broadcast": lambda: ttnn.broadcast(x, first, **both),
    "point_to_point": lambda: ttnn.point_to_point(x, first, last, **groups),
    "reduce_scatter": lambda: ttnn.reduce_scatter(x, 0, **both),
    "all_reduce": lambda: ttnn.all_reduce(x, **both),
    "all_to_all": lambda: ttl.ccl.all_to_all(x, 0, 1, **both),
    "mesh_partition": lambda: ttnn.mesh_partition(x, 0, **cut),
    **({} if axis == "all" else with_experts()),
}.items():
    found, digest = run(), hashlib.sha256()
    for tensor in found if isinstance(found, list) else [found]:
        for part in ttnn.get_device_tensors(tensor):
            digest.update(part.bits().tobytes())
    print(name, digest.hexdigest())
