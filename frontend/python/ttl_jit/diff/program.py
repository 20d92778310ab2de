# SPDX-License-Identifier: Apache-2.0
"""A random program: tensors with random contents, and operations that are launched one after the
other. An operation may read what an earlier one wrote."""

import random
import textwrap
from dataclasses import dataclass

from ttl_jit.diff.kernel import Kernel
from ttl_jit.diff.row_major import RowMajorKernel

FLOATS = ("float32", "float32", "bfloat16", "bfloat16", "float16", "bfloat8_b", "bfloat4_b")
INTEGERS = ("int32", "int32", "uint32", "uint16", "uint8")
MOST_KERNELS = 3
ROW_MAJOR_SHARE = 0.06  # of the kernels

_HEADER = '''\
import numpy as np
import ttl
import ttnn

rng = None  # main() makes it


def floats(shape, dtype, **placement):
    values = rng.standard_normal(shape, dtype=np.float32) * rng.choice([0.1, 1.0, 30.0])
    return ttnn.from_numpy(values.astype(np.float32), dtype=dtype, **placement)


def extremes(shape, dtype, **placement):
    """Numbers of which some are not finite, or zero, or at the ends of the range."""
    values = rng.standard_normal(shape, dtype=np.float32)
    values[rng.random(shape) < 0.1] = rng.choice([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-40, 3e38, 1.0])
    return ttnn.from_numpy(values, dtype=dtype, **placement)


def integers(shape, dtype, **placement):
    numpy_type = getattr(np, str(dtype).rpartition(".")[2].lower())
    limits = np.iinfo(numpy_type)
    values = rng.integers(limits.min, limits.max, shape, dtype=numpy_type, endpoint=True)
    return ttnn.from_numpy(values, dtype=dtype, **placement)
'''


@dataclass
class Tensor:
    """A tensor of the program. `maker` is the function of the header that makes its contents."""

    name: str
    shape: tuple  # in elements
    dtype: str
    maker: str
    layout: str = "TILE_LAYOUT"
    is_on_device: bool = False

    def text(self):
        """Returns the statement that makes the tensor."""
        layout = "" if self.layout == "TILE_LAYOUT" else f", layout=ttnn.{self.layout}"
        device = ", device=device" if self.is_on_device else ""
        return f"{self.name} = {self.maker}({self.shape}, ttnn.{self.dtype}{layout}{device})"


class Program:
    """A random program of this seed. `coverage` says what was written before, and is updated."""

    def __init__(self, seed, coverage, functions=()):
        self.random = random.Random(seed)
        self.seed, self.coverage, self.functions = seed, coverage, functions
        self.tensors, self.kernels = [], []
        for number in range(self.random.choice(range(1, MOST_KERNELS + 1))):
            row_major = self.random.random() < ROW_MAJOR_SHARE
            kind = RowMajorKernel if row_major else Kernel
            self.kernels.append(kind(self, f"kernel{number}"))

    def dtype(self, kind):
        return self.random.choice(FLOATS if kind == "f" else INTEGERS)

    def input(self, shape, dtype, layout="TILE_LAYOUT", avoid=()):
        """Returns a tensor to read, new or of an earlier kernel. It is none of `avoid`."""
        known = [t for t in self.tensors if (t.shape, t.dtype, t.layout) == (shape, dtype, layout)
                 and t not in avoid]
        if known and self.random.random() < 0.6:
            return self.random.choice(known)
        maker = "integers" if dtype in INTEGERS else self.random.choice(("floats", "floats", "extremes"))
        return self._new(shape, dtype, maker, layout)

    def output(self, shape, dtype, layout="TILE_LAYOUT"):
        return self._new(shape, dtype, "integers" if dtype in INTEGERS else "floats", layout)

    def _new(self, shape, dtype, maker, layout):
        placed = self.random.random() < 0.5
        self.tensors.append(Tensor(f"t{len(self.tensors)}", shape, dtype, maker, layout, placed))
        return self.tensors[-1]

    def text(self):
        lines = [_HEADER]
        lines += ["\n" + kernel.text() for kernel in self.kernels]
        main = ["global rng", f"rng = np.random.default_rng({self.seed})"]
        if any(tensor.is_on_device for tensor in self.tensors):
            main.append("device = ttnn.open_device(device_id=0)")
        main += [tensor.text() for tensor in self.tensors]
        main += [kernel.call() for kernel in self.kernels]
        lines.append("\n\ndef main():\n" + textwrap.indent("\n".join(main), "    "))
        return "\n".join(lines) + '\n\n\nif __name__ == "__main__":\n    main()\n'
