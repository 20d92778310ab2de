# SPDX-License-Identifier: Apache-2.0
"""A random program for several devices: a mesh, tensors on it, and operations with a device domain."""

import random
import textwrap
from dataclasses import dataclass

from ttl_jit.diff.mesh_kernel import MeshKernel

SHAPES = ((1, 2), (2, 1), (3,), (1, 3), (4,), (1, 4), (4, 1), (2, 2), (2, 2), (2, 3), (3, 2), (2, 4))
UNORDERED_SHARE = 1 / 8  # the share of the programs whose results depend on the order of threads
COLLECTIVE_SHARE = 0.1  # the share of the operations that are collectives
DTYPES = {"f": ("float32", "float32", "float32", "bfloat16", "bfloat16", "bfloat8_b"), "i": ("int32",)}

_HEADER = '''\
import contextlib

import numpy as np
import ttl
import ttnn

rng = None  # main() makes it


@contextlib.contextmanager
def opened(*shape, fabric):
    """Opens a mesh with a fabric, and closes both."""
    ttnn.set_fabric_config(fabric)
    try:
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(*shape))
        try:
            yield mesh
        finally:
            ttnn.close_mesh_device(mesh)
    finally:
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def floats(shape, dtype, mapper, mesh):
    values = rng.standard_normal(shape, dtype=np.float32) * rng.choice([0.1, 1.0, 30.0])
    return placed(values.astype(np.float32), dtype, mapper, mesh)


def integers(shape, dtype, mapper, mesh):
    return placed(rng.integers(-(2**31), 2**31, shape, dtype=np.int32), dtype, mapper, mesh)


def placed(values, dtype, mapper, mesh):
    return ttnn.from_torch(values, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=mapper)
'''


@dataclass
class MeshTensor:
    """A tensor of the program. `part` is the shape of what each device has."""

    name: str
    part: tuple
    dtype: str
    whole: tuple  # the shape of all parts together
    mapper: str

    def text(self):
        maker = "integers" if self.dtype in DTYPES["i"] else "floats"
        return f"{self.name} = {maker}({self.whole}, ttnn.{self.dtype}, {self.mapper}, mesh)"


class MeshProgram:
    """A random program of this seed. `functions` are the block functions to write; a few by default."""

    def __init__(self, seed, functions=()):
        self.random, self.seed, self.functions = random.Random(seed), seed, functions
        self.shape = self.random.choice(SHAPES)
        self.is_ordered = self.random.random() >= UNORDERED_SHARE
        self.tensors = []
        count = self.random.choice((1, 1, 2))
        self.kernels = [MeshKernel(self, f"kernel{number}", self.is_ordered or number < count - 1)
                        for number in range(count)]
        fabrics = "FABRIC_2D", "FABRIC_2D", "FABRIC_2D_TORUS_XY", "FABRIC_1D", "FABRIC_1D_RING"
        self.fabric = self.random.choice(fabrics)
        self.statements = [tensor.text() for tensor in self.tensors]
        self.statements += [line for kernel in self.kernels for line in (*kernel.calls(), *self._collective(kernel))]

    def dtype(self, kind):
        return self.random.choice(DTYPES[kind])

    def input(self, part, dtype, avoid):
        """Returns a tensor to read, new or of an earlier kernel. It is none of `avoid`."""
        known = [each for each in self.tensors if (each.part, each.dtype) == (part, dtype) and each not in avoid]
        return self.random.choice(known) if known and self.random.random() < 0.5 else self.output(part, dtype)

    def output(self, part, dtype):
        self.tensors.append(MeshTensor(f"t{len(self.tensors)}", part, dtype, *self._placement(part)))
        return self.tensors[-1]

    def _placement(self, part):
        """Returns the shape of a whole tensor, and the text of the mapper that cuts it into parts of this shape."""
        rows, columns = part
        count = 1
        for extent in self.shape:
            count *= extent
        choices = [((rows * count, columns), "ttnn.ShardTensorToMesh(mesh, dim=0)"),
                   ((rows, columns * count), "ttnn.ShardTensorToMesh(mesh, dim=1)"),
                   (part, "ttnn.ReplicateTensorToMesh(mesh)")]
        if len(self.shape) == 2:
            down, right = self.shape
            choices += [
                ((rows * down, columns * right), f"ttnn.ShardTensor2dMesh(mesh, {self.shape}, dims=(0, 1))"),
                ((rows * right, columns), f"ttnn.ShardTensor2dMesh(mesh, {self.shape}, dims=(None, 0))"),
            ]
        return self.random.choice(choices)

    def _collective(self, kernel):
        """Returns a call of a collective with a tensor of the kernel, or nothing."""
        if self.random.random() >= COLLECTIVE_SHARE:
            return []
        tensor = self.random.choice(list(kernel.tensors.values())).name
        dim = self.random.randint(0, 1)
        gathered = f"ttnn.all_gather({tensor}, dim={dim})"
        return [self.random.choice((gathered, f"ttnn.reduce_scatter({gathered}, dim={dim})",
                                    f"ttnn.all_reduce({tensor})"))]

    def text(self):
        lines = [_HEADER]
        lines += ["\n" + kernel.text() for kernel in self.kernels]
        shape = ", ".join(map(str, self.shape))
        main = ["global rng", f"rng = np.random.default_rng({self.seed})",
                f"with opened({shape}, fabric=ttnn.FabricConfig.{self.fabric}) as mesh:",
                textwrap.indent("\n".join(self.statements), "    ")]
        lines.append("\n\ndef main():\n" + textwrap.indent("\n".join(main), "    "))
        return "\n".join(lines) + '\n\n\nif __name__ == "__main__":\n    main()\n'

