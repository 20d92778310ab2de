"""One kernel is written in every spelling that TT-Lang has had. All versions give the same bits.

The kernel computes y = exp(a) * b + a, summed over the four column tiles of each row tile."""
# feature: Older spellings

import numpy as np
import pytest

import ttl
import ttnn
from ttl import ttl_api as pykernel

ROWS, COLUMNS = 2, 4
RNG = np.random.default_rng(7)
A = RNG.standard_normal((ROWS * 32, COLUMNS * 32)).astype(np.float32)
B = RNG.standard_normal((ROWS * 32, COLUMNS * 32)).astype(np.float32)


# ===--------------------------------------------------------------------------=== #
# Operations, oldest first
# ===--------------------------------------------------------------------------=== #


@pykernel.pykernel_gen(grid=(1, 1), block_factors=[(1, 1), (1, 1), (1, 1)])
def in_the_guide(a, b, y, block_factors=None, grid=None):
    a_stream, b_stream = pykernel.Stream(a), pykernel.Stream(b)

    @pykernel.compute()
    async def compute(a_cb: pykernel.CircularBuffer, b_cb: pykernel.CircularBuffer, y_cb):
        total = pykernel.fill(0, (1, 1))
        for column in range(COLUMNS):
            a_shard = a_cb.pop()
            b_shard = b_cb.pop()
            total = total + (pykernel.exp(a_shard) * b_shard + a_shard)
        y_shard = y_cb.reserve()
        y_shard.store(total)
        y_cb.pop()

    @pykernel.datamovement()
    async def reader(a_cb, b_cb, y_cb):
        row = pykernel.core_index(0)
        for column in range(COLUMNS):
            a_shard = a_cb.reserve()
            pykernel.dma(a_stream[row, column], a_shard).wait()
            pykernel.dma(b_stream[row, column], b_cb.reserve()).wait()

    return pykernel.Program(compute, reader)(a, b, y)


@pykernel.ttl_kernel(grid=(1, 1), block_factors=[(1, 1), (1, 1), (1, 1)])
def with_accessors(a, b, y):
    a_accessor = pykernel.TensorAccessor(a)
    b_accessor = pykernel.TensorAccessor(b)

    @pykernel.compute()
    def compute(a_cb, b_cb, y_cb):
        total = pykernel.fill(0, (1, 1))
        for column in range(COLUMNS):
            a_shard = a_cb.wait()
            b_shard = b_cb.wait()
            total = total + (a_shard.exp() * b_shard + a_shard)
            a_cb.pop()
            b_cb.pop()
        y_shard = y_cb.reserve()
        y_shard.store(total)
        y_cb.push()

    @pykernel.datamovement()
    def reader(a_cb, b_cb, y_cb):
        for column in range(COLUMNS):
            a_shard = a_cb.reserve()
            tx = pykernel.dma(a_accessor[0, column], a_shard)
            tx.wait()
            a_cb.push()
            b_shard = b_cb.reserve()
            tx = pykernel.dma(b_accessor[0, column], b_shard)
            tx.wait()
            b_cb.push()

    return pykernel.Program(compute, reader)(a, b, y)


@ttl.kernel(grid=(1, 1))
def with_circular_buffers(a, b, y):
    a_cb = ttl.CircularBuffer(a, shape=(1, 1), buffer_factor=2)
    b_cb = ttl.make_circular_buffer_like(b, shape=(1, 1), buffer_factor=2)
    y_cb = ttl.make_circular_buffer_like(y, shape=(1, 1), buffer_factor=2)

    @ttl.compute()
    def compute():
        core = ttl.core(dims=1)
        y_block = y_cb.reserve()
        for column in range(core, COLUMNS):
            a_block = a_cb.wait()
            b_block = b_cb.wait()
            y_block.store(ttl.exp(a_block) * b_block + a_block, acc=True)
            a_cb.pop()
            b_cb.pop()
        y_cb.push()

    @ttl.datamovement()
    def reader():
        for column in range(COLUMNS):
            a_block = a_cb.reserve()
            tx = ttl.copy(a[0, column], a_block)
            tx.wait()
            a_cb.push()
            b_block = b_cb.reserve()
            tx = ttl.copy(b[0, column], b_block)
            tx.wait()
            b_cb.push()

    @ttl.datamovement()
    def writer():
        y_block = y_cb.wait()
        ttl.copy(y_block, y[0, 0]).wait()
        y_cb.pop()

    return ttl.Program(compute, reader, writer)(a, b, y)


@ttl.kernel(grid=(1, 1))
def with_dataflow_buffers(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), buffer_factor=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        y_blk = y_dfb.reserve()
        total = ttl.math.fill(0, shape=(1, 1))
        for column in range(COLUMNS):
            a_blk, b_blk = a_dfb.wait(), b_dfb.wait()
            total += ttl.math.exp(a_blk) * b_blk + a_blk
            a_blk.pop()
            b_blk.pop()
        y_blk.store(total)
        y_blk.push()

    @ttl.datamovement()
    def reader():
        for column in range(COLUMNS):
            with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                a_xf, b_xf = ttl.copy(a[0, column], a_blk), ttl.copy(b[0, column], b_blk)
                a_xf.wait()
                b_xf.wait()

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0]).wait()


@ttl.operation(grid=(1, 1))
def in_operations(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.compute(kernel=ttl.Kernel("math"))
    def compute():
        row, column = ttl.node()
        with y_dfb.reserve() as y_blk:
            total = ttl.block.fill(0, shape=(1, 1))
            for column in range(row, COLUMNS):
                with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                    total += ttl.block.exp(a_blk) * b_blk + a_blk
            y_blk.store(total)

    @ttl.datamovement()
    def reader():
        for column in range(COLUMNS):
            with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                ttl.copy(a[0:1, column], a_blk).wait()
                ttl.copy(b[0:1, column], b_blk).wait()

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0]).wait()


def read_blocks(a, b, a_dfb, b_dfb, columns=range(COLUMNS)):
    for column in columns:
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            transfers = ttl.GroupTransfer()
            transfers.add(ttl.copy(a[0, column], a_blk))
            transfers.add(ttl.copy(b[0, column], b_blk))
            transfers.wait_all()


@ttl.operation(grid=(1, 1))
def with_make_dfb(a, b, y):
    """The compiler infers releases of blocks; functions of ttl.math are called without this prefix."""
    a_dfb = ttl.make_dfb(ttnn.float32, (1, 1), 2)
    b_dfb = ttl.make_dfb(ttnn.float32, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dfb(ttnn.float32, (1, 1))

    @ttl.compute()
    def compute():
        total = ttl.zeros(shape=(1, 1))
        for _ in range(COLUMNS):
            a_blk, b_blk = a_dfb.wait(), b_dfb.wait()
            total += ttl.add(ttl.mul(ttl.exp(a_blk), b_blk), a_blk)
        y_dfb.reserve().store(total)

    @ttl.datamovement()
    def reader():
        read_blocks(a, b, a_dfb, b_dfb)

    @ttl.datamovement()
    def writer():
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()


@ttl.operation(grid=(1, 1))
def in_one_body(a, b, y):
    """One body has the statements of all threads."""
    a_dfb = ttl.make_dfb(ttnn.float32, (1, 1))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_circular_buffer_like(y, shape=(1, 1), buffer_factor=2)
    total = ttl.block.fill(0, shape=(1, 1))
    for column in range(COLUMNS):
        a_xf = ttl.copy(a[0, column], a_dfb.reserve())
        ttl.copy(b[0, column], b_dfb.reserve()).wait()
        a_xf.wait()
        a_blk = a_dfb.wait()
        total += a_blk.exp() * b_dfb.wait() + a_blk
    y_dfb.reserve().store(total)
    ttl.copy(y_dfb.wait(), y[0, 0]).wait()


@ttl.atom(grid=(1, 1))
def in_one_body_with_groups(a, b, y):
    """All columns are read at once, in one transfer group; stores accumulate."""
    a_dfb = ttl.make_dfb(ttnn.float32, (1, 1), block_count=2)
    b_dfb = ttl.make_dfb(ttnn.float32, (1, 1), block_count=2)
    y_dfb = ttl.make_dfb(ttnn.float32, (1, 1), block_count=1)
    read_blocks(a, b, a_dfb, b_dfb)
    y_blk = y_dfb.reserve()
    for _ in range(COLUMNS):
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
            y_blk.store(ttl.math.exp(a_blk) * b_blk + a_blk, acc=True)
    y_blk.push()
    with y_dfb.wait() as done:
        ttl.copy(done, y[0, 0]).wait()


@ttl.operation(grid=(1, 1))
def with_wait_any(a, b, y):
    """A pipe sends each block to its own node. wait_any() tells the reader which receive completed first."""
    a_dfb, b_dfb, a_sent, b_sent, y_dfb = (ttl.make_dfb(ttnn.float32, (1, 1)) for _ in range(5))
    a_net, b_net = ttl.PipeNet([ttl.Pipe(0, 0)]), ttl.PipeNet([ttl.Pipe(0, 0)])

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as y_blk:
            total = ttl.block.fill(0, shape=(1, 1))
            for _ in range(COLUMNS):
                with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                    total += ttl.block.exp(a_blk) * b_blk + a_blk
            y_blk.store(total)

    @ttl.datamovement()
    def reader():
        def receive(a_pipe):
            with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                a_xf = ttl.copy(a_pipe, a_blk)

                def receive_other(b_pipe):
                    b_xf = ttl.copy(b_pipe, b_blk)
                    if ttl.wait_any((a_xf, b_xf), start=1).index() == 0:
                        b_xf.wait()
                    else:
                        a_xf.wait()

                b_net.if_dst(receive_other)

        for column in range(COLUMNS):
            read_blocks(a, b, a_sent, b_sent, columns=[column])
            with a_sent.wait() as a_blk, b_sent.wait() as b_blk:
                a_net.if_src(lambda pipe: ttl.copy(a_blk, pipe).wait())
                b_net.if_src(lambda pipe: ttl.copy(b_blk, pipe).wait())
            a_net.if_dst(receive)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0]).wait()


def with_element_access(name, read, write):
    """Returns an operation whose reader takes column numbers from elements of a block. Its writer reads and
    writes an element of the result."""

    def body(a, b, y):
        a_dfb, b_dfb, y_dfb, numbers_dfb = (ttl.make_dfb(ttnn.float32, (1, 1)) for _ in range(4))

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as y_blk:
                total = ttl.block.fill(0, shape=(1, 1))
                for _ in range(COLUMNS):
                    with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                        total += ttl.block.exp(a_blk) * b_blk + a_blk
                y_blk.store(total)

        @ttl.datamovement()
        def reader():
            with numbers_dfb.reserve() as numbers:
                ttl.copy(a[0, 0], numbers).wait()
                for column in range(COLUMNS):
                    write(numbers, column, 31, value=float(column))
                for column in range(COLUMNS):
                    number = ttl.read_index(numbers, column, 31)
                    with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                        ttl.copy(a[0, number], a_blk).wait()
                        ttl.copy(b[0, number], b_blk).wait()

        @ttl.datamovement()
        def writer():
            with numbers_dfb.wait():
                pass
            with y_dfb.wait() as y_blk:
                write(y_blk, 3, 20, value=read(y_blk, 3, 20))
                ttl.copy(y_blk, y[0, 0]).wait()

    body.__name__ = name
    return ttl.operation(grid=(1, 1))(body)


OPERATIONS = [
    in_the_guide, with_accessors, with_circular_buffers, with_dataflow_buffers, in_operations,
    ttl.atom(grid=(1, 1))(in_operations.function), with_make_dfb, in_one_body,
    in_one_body_with_groups, with_wait_any,
    with_element_access("unsafe_elements", ttl.unsafe.element_read, ttl.unsafe.element_write),
    with_element_access("raw_elements", ttl.raw_element_read, ttl.raw_element_write),
]


# ===--------------------------------------------------------------------------=== #
# Bits
# ===--------------------------------------------------------------------------=== #


def run(operation, a, b, y):
    operation(a, b, y)
    return y.to_numpy().view(np.uint32) if isinstance(y, ttnn.Tensor) else y.view(np.uint32)


def expected():
    """Returns the sums, rounded after each operation, in the order in which the kernels add."""
    total = np.zeros((32, 32), dtype=np.float32)
    for column in range(COLUMNS):
        tile = (slice(0, 32), slice(column * 32, column * 32 + 32))
        a, b = A[tile], B[tile]
        total += np.exp(a.astype(np.float64)).astype(np.float32) * b + a
    return total


def test_the_spellings_give_the_same_bits_to_each_other():
    bits = {}
    for number, operation in enumerate(OPERATIONS):
        result = run(operation, A, B, np.zeros((32, 32), dtype=np.float32))
        bits.setdefault(result.tobytes(), []).append((number, operation.function.__name__))
    assert len(bits) == 1, list(bits.values())


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.function.__name__)
def test_every_spelling_gives_the_same_bits(operation):
    first = run(in_operations, A, B, np.zeros((32, 32), dtype=np.float32))
    result = run(operation, A, B, np.zeros((32, 32), dtype=np.float32))
    assert np.array_equal(result, first)
    assert np.allclose(result.view(np.float32), expected(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.function.__name__)
def test_every_spelling_takes_tensors_of_ttnn(operation):
    device = ttnn.open_device(device_id=0)
    a, b, y = (ttnn.from_numpy(values, device=device)
               for values in (A, B, np.zeros((32, 32), dtype=np.float32)))
    result = run(operation, a, b, y)
    assert np.array_equal(result, run(operation, A, B, np.zeros((32, 32), dtype=np.float32)))
