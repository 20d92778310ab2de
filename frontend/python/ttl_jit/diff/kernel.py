# SPDX-License-Identifier: Apache-2.0
"""A random operation over tiles.

Each node runs one or two nested loops. In each iteration it reads a block of each input, computes
a block of the output, and writes it. *Streamed* inputs are read in a further loop, over which the
kernel sums.
"""

from dataclasses import dataclass, field

from ttl_jit.diff import compute
from ttl_jit.diff.threads import Threads

TILE = 32
MOST_INPUTS = 5  # of one kernel; further leaves are constants
GRIDS = ((1, 1), (1, 1), (2, 1), (1, 3), (2, 2), (3, 2))


@dataclass
class Stream:
    """A tensor, its buffer, and the slice of the tensor that an iteration moves."""

    name: str  # of the parameter
    block: tuple  # shape of a block, in tiles
    kind: str
    dtype: str
    is_streamed: bool = False
    layout: str = "rows"  # how blocks lie in the tensor: rows, columns, batch, or shared
    count: int = 2  # blocks of the buffer
    exchange: str = ""  # how nodes exchange the blocks that they read: "", ring, multicast
    tensor: object = None

    def shape(self, blocks):
        """Returns the shape of the tensor, in elements, if it has this many blocks."""
        rows, columns = self.block[0] * TILE, self.block[1] * TILE
        if self.layout == "batch":
            return (blocks, rows, columns)
        return {
            "rows": (blocks * rows, columns), "columns": (rows, blocks * columns),
            "shared": (rows, columns),
        }[self.layout]

    def slice(self, at):
        """Returns the slice of the block with the number `at`, an expression."""
        (rows, columns), whole = self.block, f"0:{self.block[0]}, 0:{self.block[1]}"
        if self.layout == "shared":
            return f"{self.name}[{whole}]"
        if self.layout == "batch":
            return f"{self.name}[{at}, {whole}]"
        if self.layout == "rows":
            return f"{self.name}[({at}) * {rows} : ({at} + 1) * {rows}, 0:{columns}]"
        return f"{self.name}[0:{rows}, ({at}) * {columns} : ({at} + 1) * {columns}]"


@dataclass
class Loops:
    """The loops of a node: extents as text, of which one may depend on the node."""

    extents: list
    most: list  # the largest value of each extent
    inner: int  # iterations of the loop over streamed inputs
    variables: list = field(default_factory=lambda: ["i", "j"])

    def at(self):
        """Returns the number of a block of a node as an expression."""
        text = "node"
        for variable, most in zip(self.variables, self.most):
            text = f"({text} * {most} + {variable})"
        return text

    def inner_at(self):
        return f"({self.at()} * {self.inner} + k)"

    def blocks(self, nodes):
        total = nodes
        for most in self.most:
            total *= most
        return total


class Kernel:
    """A random operation. Takes its tensors from the program, and makes new ones."""

    def __init__(self, program, name):
        self.program, self.random, self.name = program, program.random, name
        self.grid = self.random.choice(GRIDS)
        self.loops = self._loops()
        self.inputs, self.temporaries = [], []
        self.block = (self.random.randint(1, 2), self.random.randint(1, 2))
        self.kind = "i" if self.random.random() < 0.2 else "f"
        self.output = Stream("y", self.block, self.kind, program.dtype(self.kind),
                             layout=self.random.choice(("rows", "columns")), count=self._count())
        self.form = compute.choose(self)
        self.lines = self.form.write(self)
        self.is_shuffled = self.nodes > 1 and not self.form.is_unified and self.random.random() < 0.15
        self._bind()

    @property
    def nodes(self):
        return self.grid[0] * self.grid[1]

    def _loops(self):
        most = [self.random.randint(1, 3) for _ in range(self.random.choice((1, 1, 2)))]
        extents = [str(each) for each in most]
        if self.random.random() < 0.3:
            most[0], extents[0] = 2, "1 + node % 2"
        return Loops(extents, most, self.random.randint(1, 4))

    def _count(self):
        return self.random.choice((1, 2, 2, 3, 4))

    def add_input(self, block, kind, is_streamed):
        """Returns a new input, or None if the kernel has enough."""
        if len(self.inputs) >= MOST_INPUTS:
            return None
        layouts = ("rows", "columns", "batch") if is_streamed else ("rows", "columns", "batch", "shared")
        new = Stream(f"x{len(self.inputs)}", block, kind, self.program.dtype(kind), is_streamed,
                     self.random.choice(layouts), self._count())
        if not is_streamed:
            new.exchange = self._exchange()
        if new.exchange == "ring":
            new.count = max(2, new.count)
        self.inputs.append(new)
        return new

    def add_temporary(self, block, kind):
        """Returns a new buffer through which the compute thread passes a block to itself."""
        new = Stream(f"temporary{len(self.temporaries)}", block, kind, self.program.dtype(kind))
        self.temporaries.append(new)
        return new

    def _exchange(self):
        """Returns how nodes exchange the blocks of a new input: at most one input of a kernel."""
        fits = self.nodes > 1 and not self.form.is_unified and self.loops.extents[0].isdigit()
        if not fits or any(each.exchange for each in self.inputs) or self.random.random() < 0.7:
            return ""
        return self.random.choice(("ring", "multicast"))

    def _bind(self):
        blocks = self.loops.blocks(self.nodes)
        for each in self.inputs:
            shape = each.shape(blocks * (self.loops.inner if each.is_streamed else 1))
            each.tensor = self.program.input(shape, each.dtype)
        shape = self.output.shape(blocks)
        self.output.tensor = self.program.output(shape, self.output.dtype)
        self.shuffled = self.program.output(shape, self.output.dtype) if self.is_shuffled else None

    def parameters(self):
        outputs = ["y", "z"] if self.is_shuffled else ["y"]
        return [*(each.name for each in self.inputs), *outputs]

    def text(self):
        options = self.random.choice(("", "", "", ", fp32_dest_acc_en=True", ", dst_full_sync_en=True"))
        head = f"\n@ttl.operation(grid={self.grid}{options})\ndef {self.name}({', '.join(self.parameters())}):\n"
        return head + "\n".join("    " + line if line else "" for line in self._body())

    def _body(self):
        lines = [self._buffer(each, each.name) for each in (*self.inputs, self.output)]
        lines += [self._buffer(each, f"{each.name}_send") for each in self.inputs
                  if each.exchange == "multicast"]
        lines += [
            f"{each.name}_dfb = ttl.make_dfb(ttnn.{each.dtype}, {each.block}, block_count=2)"
            for each in self.temporaries
        ]
        return lines + Threads(self).lines()

    def _buffer(self, stream, name):
        return (f"{name}_dfb = ttl.make_dataflow_buffer_like({stream.name}, shape={stream.block}, "
                f"block_count={stream.count})")

    def call(self):
        tensors = [each.tensor.name for each in self.inputs] + [self.output.tensor.name]
        tensors += [self.shuffled.name] if self.is_shuffled else []
        return f"{self.name}({', '.join(tensors)})"
