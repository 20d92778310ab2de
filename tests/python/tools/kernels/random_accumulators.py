"""Random kernels with nested loops that carry values. `random_accumulators.py FIRST LAST` makes the
kernels of these seeds, runs each, and compares it with the same statements on numpy arrays.

All numbers are small integers, so that every sum is exact in float32.
"""

import importlib.util
import pathlib
import random
import sys
import tempfile

import numpy as np

SHAPES = ((1, 1), (1, 2), (2, 1))
KERNEL = """\
import ttl

@ttl.operation(grid=(1, 1))
def kernel({tensors}):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape={shape}, block_count=2)
    left_dfb = ttl.make_dataflow_buffer_like(left, shape=({rows}, 1), block_count=2)
    right_dfb = ttl.make_dataflow_buffer_like(right, shape=(1, {columns}), block_count=2)
    x_dfb = ttl.make_dataflow_buffer_like(x, shape={shape}, block_count=2)
{buffers}
    @ttl.datamovement()
    def reader():
{reads}
        for _ in range({streamed}):
            with x_dfb.reserve() as blk:
                ttl.copy(x[:, :], blk).wait()

    @ttl.compute()
    def compute():
{statements}

    @ttl.datamovement()
    def writer():
{writes}
"""
# Each statement as the kernel has it, and as it is for numpy arrays.
UPDATES = (
    ("{t} += a_blk", "{t} = {t} + a"),
    ("{t} -= {u}", "{t} = {t} - {u}"),
    ("{t} = {u} + a_blk", "{t} = {u} + a"),
    ("{t} += left_blk @ right_blk", "{t} = {t} + left @ right"),
    ("{t} = ttl.math.max({t}, {u})", "{t} = np.maximum({t}, {u})"),
    ("{t} = ttl.math.abs({t})", "{t} = np.abs({t})"),
    ("{t} = -{u}", "{t} = -{u}"),
    ("{t}, {u} = {u}, {t}", "{t}, {u} = {u}, {t}"),
    ("{t} = {u}", "{t} = {u}"),
    ("{t} = a_blk * 1.0", "{t} = a * 1.0"),
    ("with x_dfb.wait() as x_blk: {t} += x_blk", "streamed += 1; {t} = {t} + x"),
    ("with x_dfb.wait() as x_blk: {t} = ttl.math.max({u}, x_blk)",
     "streamed += 1; {t} = np.maximum({u}, x)"),
)


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.shape = self.random.choice(SHAPES)
        self.names = ["t", "u", "v"][:self.random.randint(1, 3)]
        self.kernel, self.numpy = [], []
        self.loops = 0
        for name in self.names:
            self.initialise(name)
        self.statements(0, ())
        if not self.loops:
            self.loop(0, ())

    def line(self, depth, kernel, numpy=None):
        self.kernel.append("    " * depth + kernel)
        self.numpy.append("    " * depth + (numpy or kernel))

    def initialise(self, name):
        if self.random.random() < 0.6:
            number = self.random.randint(0, 2)
            self.line(0, f"{name} = ttl.block.fill({number}, shape={self.shape})",
                      f"{name} = np.full_like(a, {number})")
        else:
            self.line(0, f"{name} = a_blk * 1.0", f"{name} = a * 1.0")

    def statements(self, depth, iterators):
        for _ in range(self.random.randint(1, 3)):
            choice = self.random.random()
            if choice < 0.4 and depth < 3:
                self.loop(depth, iterators)
            elif choice < 0.5 and iterators and depth < 4:
                self.branch(depth, iterators)
            else:
                self.update(depth)

    def update(self, depth):
        kernel, numpy = self.random.choice(UPDATES[:4] if self.random.random() < 0.5 else UPDATES)
        t, u = self.random.choice(self.names), self.random.choice(self.names)
        self.line(depth, kernel.format(t=t, u=u), numpy.format(t=t, u=u))

    def loop(self, depth, iterators):
        self.loops += 1
        iterator = f"i{self.loops}"
        self.line(depth, f"for {iterator} in range({self.random.randint(1, 3)}):")
        self.statements(depth + 1, (*iterators, iterator))

    def branch(self, depth, iterators):
        self.line(depth, f"if {self.random.choice(iterators)} % 2 == 0:")
        self.update(depth + 1)
        if self.random.random() < 0.5:
            self.line(depth, "else:")
            self.update(depth + 1)

    def expected(self, tensors):
        scope = {"np": np, "streamed": 0, **tensors}
        exec("\n".join(self.numpy), scope)  # pylint: disable=exec-used
        return [scope[name] for name in self.names], scope["streamed"]

    def text(self, streamed):
        def join(lines, indent):
            return "\n".join("    " * indent + line for line in lines)

        stores = [f"with {name}_dfb.reserve() as blk: blk.store({name})" for name in self.names]
        outputs = [f"{name}_out" for name in self.names]
        held = [name for name in ("a", "left", "right") if f"{name}_blk" in "".join(self.kernel)]
        waits = [f"{name}_blk = {name}_dfb.wait()" for name in held]
        pops = [f"{name}_blk.pop()" for name in held]
        reads = [f"with {name}_dfb.reserve() as blk: ttl.copy({name}[:, :], blk).wait()"
                 for name in held]
        return KERNEL.format(
            tensors=", ".join(["a", "left", "right", "x", *outputs]),
            shape=self.shape, rows=self.shape[0], columns=self.shape[1], streamed=streamed,
            buffers=join([f"{name}_dfb = ttl.make_dataflow_buffer_like({name}_out, "
                          f"shape={self.shape}, block_count=2)" for name in self.names], 1),
            reads=join(reads, 2), statements=join(waits + self.kernel + stores + pops, 2),
            writes=join([f"with {name}_dfb.wait() as blk: ttl.copy(blk, {name}_out[:, :]).wait()"
                         for name in self.names], 2))


def run(seed, folder):
    program = Program(seed)
    numbers = np.random.default_rng(seed)
    rows, columns = (32 * extent for extent in program.shape)
    arrays = {name: numbers.integers(-2, 3, shape).astype(np.float32)
              for name, shape in (("a", (rows, columns)), ("left", (rows, 32)),
                                  ("right", (32, columns)), ("x", (rows, columns)))}
    expected, streamed = program.expected(arrays)
    path = folder / f"kernel_{seed}.py"
    path.write_text(program.text(streamed))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    results = [np.zeros((rows, columns), np.float32) for _ in expected]
    module.kernel(*arrays.values(), *results)
    for name, result, wanted in zip(program.names, results, expected):
        if not np.array_equal(result, wanted):
            sys.exit(f"seed {seed}: {name} differs\n" + "\n".join(program.kernel))


def main():
    first, last = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last):
            run(seed, pathlib.Path(folder))


main()
