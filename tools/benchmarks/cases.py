# SPDX-License-Identifier: Apache-2.0
"""The cases of tools/bench: CASES maps a name to a function of `quick` that returns a measure.Case. If
`quick` is true, the case is as small as the kernel allows."""

import os
import pathlib

import numpy as np
import ttl
import ttnn
from benchmarks import kernels, models, numerics, references
from benchmarks.measure import Case

CASES = {}
FLOAT32, BFLOAT16 = "float32", "bfloat16"
BYTES = {FLOAT32: 4, BFLOAT16: 2}
GRID = (8, 7)  # the cores of a Wormhole
OPERATIONS = {"multiply_add": 2, "chain": 12}  # arithmetic operations per element


def case(name, **options):
    """Registers a function under a name in CASES, which calls it with quick= and these options."""

    def register(function):
        CASES[name] = lambda quick: function(quick=quick, **options)
        return function

    return register


class Tensors:
    """Random tensors on the device, or on the host, and their values in arrays."""

    def __init__(self, dtype, shape, on_device=True):
        self.dtype, self.shape = getattr(ttnn, dtype), shape
        self.device = ttnn.open_device(device_id=0) if on_device else None
        self.random = np.random.default_rng(0)

    def make(self, count, shape=None):
        shape = shape or self.shape
        return [self.of(self.random.uniform(-1, 1, shape).astype(np.float32)) for _ in range(count)]

    def of(self, array):
        return ttnn.from_numpy(array, dtype=self.dtype, device=self.device)

    def stored(self, tensor):
        """Returns the values as the native loops read them: float32, or bfloat16 as uint16."""
        values = np.ascontiguousarray(ttnn.to_numpy(tensor), np.float32)
        if self.dtype != ttnn.bfloat16:
            return values
        return (values.view(np.uint32) >> 16).astype(np.uint16)


def equal_bits(tensors, result, reference, expected):
    def check():
        reference()
        kind = expected.dtype if expected.dtype == np.uint16 else np.uint32
        got, wanted = tensors.stored(result).view(kind), expected.view(kind)
        if not np.array_equal(got, wanted):
            raise SystemExit("bench: the kernel's result differs from the native loop's")

    return check


def near(result, expected, tolerance):
    def check():
        got = ttnn.to_numpy(result)
        error = np.abs(got - expected).max() / np.abs(expected).max()
        if not error <= tolerance:
            raise SystemExit(f"bench: the kernel's result is wrong: largest error {error:.2g}")

    return check


# ===--------------------------------------------------------------------------=== #
# Element by element
# ===--------------------------------------------------------------------------=== #


def elementwise(quick, loop, dtype, count, on_device=True):
    size, grid = (256, (2, 2)) if quick else (2048, (8, 8))
    tensors = Tensors(dtype, (size, size), on_device)
    *inputs, result = tensors.make(count + 1)
    make = kernels.of_one if count == 1 else kernels.of_three
    operation = make(getattr(kernels, loop), grid, 4)
    arrays = [tensors.stored(each) for each in inputs]
    expected = np.empty_like(arrays[0])
    reference = references.NativeLoops(pathlib.Path(os.environ["TTJIT_BUILD"])).call(loop, *arrays, expected)
    moved = (count + 1) * size * size * BYTES[dtype]
    return Case(
        launch=lambda: operation(*inputs, result),
        reference=reference,
        reference_name="native loop",
        work=(moved, "B/s"),
        counts=(OPERATIONS[loop] * size * size, moved) if loop in OPERATIONS else None,
        check=equal_bits(tensors, result, reference, expected),
    )


case("multiply_add", loop="multiply_add", dtype=BFLOAT16, count=3)(elementwise)
case("multiply_add_host", loop="multiply_add", dtype=BFLOAT16, count=3, on_device=False)(elementwise)
case("chain", loop="chain", dtype=BFLOAT16, count=3)(elementwise)
case("exponentials", loop="exponentials", dtype=FLOAT32, count=1)(elementwise)
case("gelus", loop="gelus", dtype=FLOAT32, count=1)(elementwise)


# ===--------------------------------------------------------------------------=== #
# Rows
# ===--------------------------------------------------------------------------=== #


def numpy_softmax(np, x):
    power = np.exp(x - x.max(axis=1, keepdims=True))
    return power / power.sum(axis=1, keepdims=True)


def numpy_layer_norm(np, x):
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)


def torch_softmax(torch, x):
    return torch.softmax(x, 1)


def torch_layer_norm(torch, x):
    return torch.nn.functional.layer_norm(x, x.shape[1:], eps=1e-5)


def rows(quick, function, of_torch, of_numpy):
    shape = (64, 128) if quick else (4096, 1024)
    tensors = Tensors(FLOAT32, shape)
    x, y = tensors.make(2)
    operation = kernels.of_rows(function, 2 if quick else 8)
    values = tensors.stored(x)
    name, reference = references.torch_or_numpy(of_torch, of_numpy, values)
    return Case(
        launch=lambda: operation(x, y),
        reference=reference,
        reference_name=name,
        work=(2 * values.nbytes, "B/s"),
        check=near(y, of_numpy(np, values.astype(np.float64)), 1e-5),
    )


case("softmax", function=kernels.softmax, of_torch=torch_softmax, of_numpy=numpy_softmax)(rows)
case("layer_norm", function=kernels.layer_norm, of_torch=torch_layer_norm,
     of_numpy=numpy_layer_norm)(rows)


# ===--------------------------------------------------------------------------=== #
# Products
# ===--------------------------------------------------------------------------=== #


def product_case(tensors, operation, a, b, y):
    """Returns a case for y = a @ b, computed by `operation`. The reference multiplies in float32."""
    left, right = (np.ascontiguousarray(ttnn.to_numpy(each), np.float32) for each in (a, b))
    result = np.empty((left.shape[0], right.shape[1]), np.float32)
    operations = 2 * left.size * right.shape[1]
    elements = left.size + right.size + result.size
    reference = references.openblas(left, right, result)
    return Case(
        launch=lambda: operation(a, b, y),
        reference=reference or (lambda: np.matmul(left, right, out=result)),
        reference_name="OpenBLAS" if reference else "numpy",
        work=(operations, "flop/s"),
        counts=(operations, elements * (2 if tensors.dtype == ttnn.bfloat16 else 4)),
        check=near(y, left @ right, 1e-2 if tensors.dtype == ttnn.bfloat16 else 1e-5),
    )


def matmul(quick, size, block, dtype):
    size, grid = (64 * block, (1, 1)) if quick else (size, (2, 2))
    tensors = Tensors(dtype, (size, size))
    return product_case(tensors, kernels.matmul(grid, block), *tensors.make(3))


for _size, _block, _dtype in [
    (512, 8, FLOAT32), (1024, 1, FLOAT32), (1024, 4, FLOAT32), (1024, 8, FLOAT32),
    (2048, 8, FLOAT32), (1024, 8, BFLOAT16), (2048, 8, BFLOAT16),
]:
    case(f"matmul_{_dtype}_{_size}_block{_block}", size=_size, block=_block, dtype=_dtype)(matmul)


@case("matmul_multicast")
def multicast(quick):
    rows, columns, size = (2, 2, 128) if quick else (4, 4, 1024)
    tensors = Tensors(FLOAT32, (size, size))
    return product_case(tensors, kernels.multicast_matmul(columns, rows), *tensors.make(3))


@case("matmul_multicast_8x8")
def multicast_8x8(quick):
    """Multiplies matrices of the shapes in tt-lang's example 2d_mcast_matmul."""
    if quick:
        return multicast(quick)
    tensors = Tensors("bfloat16", (3584, 3072))
    a, b, y = (tensors.make(1, shape)[0] for shape in ((3584, 768), (768, 3072), (3584, 3072)))
    return product_case(tensors, kernels.multicast_matmul(8, 8, depth=2), a, b, y)


for _name in ("f32", "bf16"):
    case(f"transformer_block_{_name}", function=_name)(models.transformer_block)


# ===--------------------------------------------------------------------------=== #
# Device numerics


for _fidelity in ("LoFi", "HiFi2", "HiFi4"):
    case(f"device_matmul_{_fidelity}", tensors=Tensors, fidelity=_fidelity)(numerics.product)
for _name in ("chain", "softmax", "layer_norm"):
    CASES[f"device_{_name}"] = lambda quick, name=_name: numerics.against_host(CASES[name](quick))


# ===--------------------------------------------------------------------------=== #
# Threads, buffers, launches
# ===--------------------------------------------------------------------------=== #


@case("ring")
def ring(quick):
    nodes, turns = 8, 1 if quick else 64
    tensors = Tensors(FLOAT32, (32, 32 * nodes))
    x, y = tensors.make(2)
    operation = kernels.ring(nodes, turns)
    return Case(launch=lambda: operation(x, y), work=(nodes * nodes * turns, "tiles sent/s"),
                check=near(y, ttnn.to_numpy(x), 0))


@case("ping_pong")
def ping_pong(quick):
    rounds = 10 if quick else 100_000
    tensors = Tensors(FLOAT32, (32, 32))
    x, y = tensors.make(2)
    operation = kernels.ping_pong(rounds)
    return Case(launch=lambda: operation(x, y), work=(2 * rounds, "blocks/s"),
                check=near(y, ttnn.to_numpy(x), 0))


def quadruples(quick, pages, switches):
    """Returns a case that only reserves, pushes, waits for and pops blocks of `pages` pages. With `switches`,
    two threads take turns."""
    rounds = 10 if quick else 1_000_000
    native = references.NativeLoops(pathlib.Path(os.environ["TTJIT_BUILD"]))
    return Case(launch=native.quadruples(pages, rounds, switches), work=(rounds, "blocks/s"))


for _pages in (1, 16):
    case(f"buffer_{_pages}", pages=_pages, switches=False)(quadruples)
    case(f"buffer_{_pages}_switches", pages=_pages, switches=True)(quadruples)


@case("launches")
def launches(quick):
    count = 10 if quick else 1000
    tensors = Tensors(FLOAT32, (32, 32))
    x, y = tensors.make(2)

    def launch():
        for _ in range(count):
            kernels.one_tile(x, y)

    return Case(launch=launch, work=(count, "launches/s"), check=near(y, -ttnn.to_numpy(x), 0))


def cores(quick, columns, rows):
    """Returns a case whose cores each negate 16 tiles."""
    if quick:
        columns, rows = min(columns, 8), min(rows, 8)
    tensors = Tensors(FLOAT32, (32 * 4 * rows, 32 * 4 * columns))
    x, y = tensors.make(2)
    operation = kernels.of_one(ttl.math.neg, (columns, rows), 4)
    return Case(launch=lambda: operation(x, y), work=(columns * rows, "cores/s"),
                check=near(y, -ttnn.to_numpy(x), 0))


for _columns, _rows in [(1, 1), (13, 10), (32, 32), (64, 64)]:
    case(f"cores_{_columns * _rows}", columns=_columns, rows=_rows)(cores)


# ===--------------------------------------------------------------------------=== #
# Host threads
# ===--------------------------------------------------------------------------=== #


def parallel(quick, of):
    """Returns a case of two launches with two host threads each, one launch after the other. The reference
    does the same work in two processes with one host thread each, at the same time."""
    own = CASES[of](quick)
    processes = references.Processes(of, 2, quick)

    def launch():
        own.launch()
        own.launch()

    amount, unit = own.work
    return Case(launch=launch, reference=processes.launch, reference_name="two processes",
                work=(2 * amount, unit), check=own.check)


for _name in ("multiply_add", "exponentials", "matmul_float32_1024_block8", "matmul_multicast"):
    case(f"parallel_{_name}", of=_name)(parallel)
