# SPDX-License-Identifier: Apache-2.0
"""Slices of tensors as values: functions return them, branches choose them, loops carry them."""
# feature: Slices of tensors

import numpy as np
import pytest
import ttl
import ttnn

TILE = 32
ENGINES = ["jit", "interp", "emitted"]
LONG = 80  # iterations: the compiler does not unroll so long a loop


def tiles(rows, columns=2):
    return np.random.default_rng(5).standard_normal((rows * TILE, columns * TILE)).astype(np.float32)


# Each function of CASES selects the four tiles (row, column) of WANTED from `a`. It calls
# fill(slice) for each of them, which copies the slice into a buffer.

WANTED = [(3, 0), (1, 1), (1, 1), (0, 1)]


def chosen(a, i):
    """Returns one of three slices of a, each with other start indices."""
    if i == 0:
        return a[3, 0]
    if i == 3:
        return a[i - 3, 1]
    return a[1, 1]


def helper(a, four, fill):
    for i in range(four):
        fill(chosen(a, i))


def branch(a, four, fill):
    for i in range(four):
        if i == 0:
            part = a[i + 3, 0]
        elif i == 3:
            part = a[0, 1]
        else:
            part = a[1, 1]
        fill(part)


def carried(a, four, fill):
    part = a[3, 0]
    for i in range(four):
        fill(part)
        part = a[1 - i // 2, 1]


def nested(a, four, fill):
    part = a[3, 0]
    for i in range(four // 2):
        for j in range(2):
            fill(part)
            if i + j < 2:
                part = a[1, 1]
            if i == 1:
                part = a[1 - i, 1]


def while_loop(a, four, fill):
    part, i = a[3, 0], 0
    while i < four:
        fill(part)
        part = chosen(a, i + 1)
        i += 1


def long_loop(a, four, fill):
    part = a[3, 0]
    for i in range(LONG):
        if i * four < 4 * 4:
            fill(part)
        part = a[1, 1] if i < 2 else a[0, 1]


def in_a_tuple(a, four, fill):
    state = (a[3, 0], 0)
    for i in range(four):
        part, count = state
        fill(part)
        state = (chosen(a, count + 1), count + 1)


def early_end(a, four, fill):
    part = a[3, 0]
    for i in range(LONG):
        if i == four:
            break
        fill(part)
        part = chosen(a, i + 1)


CASES = [helper, branch, carried, nested, while_loop, long_loop, in_a_tuple, early_end]


def in_threads(read):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            def fill(part):
                with a_dfb.reserve() as block:
                    ttl.copy(part, block).wait()

            read(a, ttl.node(dims=1) + 4, fill)

        @ttl.compute()
        def compute():
            for _ in range(4):
                with a_dfb.wait() as block, y_dfb.reserve() as out:
                    out.store(block + block)

        @ttl.datamovement()
        def writer():
            for i in range(4):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    return op


def unified(read):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=4)

        def fill(part):
            ttl.copy(part, dfb.reserve()).wait()
            block = dfb.wait()
            y_dfb.reserve().store(block + block)

        read(a, ttl.node(dims=1) + 4, fill)
        for i in range(4):
            ttl.copy(y_dfb.wait(), y[i, 0]).wait()

    return op


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [in_threads, unified])
@pytest.mark.parametrize("read", CASES, ids=lambda case: case.__name__)
def test_slices_in_every_place(read, make, engine):
    a, y = tiles(4), np.zeros((4 * TILE, TILE), np.float32)
    with ttl.options(engine=engine):
        make(read)(a, y)
    wanted = [a[r * TILE : (r + 1) * TILE, c * TILE : (c + 1) * TILE] for r, c in WANTED]
    assert np.array_equal(y, 2 * np.concatenate(wanted))


def written(a, y, dfb, target):
    with dfb.reserve() as block:
        ttl.copy(a[0, 0], block).wait()
    with dfb.wait() as block:
        ttl.copy(block, target).wait()


def one_thread(move, nodes=1):
    @ttl.operation(grid=(nodes, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def mover():
            move(a, y, dfb, ttl.node(dims=1) + 1)

    return op


def test_slices_that_are_written():
    def move(a, y, dfb, one):
        target = y[0, 0]
        for i in range(2 * one):
            written(a, y, dfb, target)
            target = y[i, 1]

    a, y = tiles(2), np.zeros((2 * TILE, 2 * TILE), np.float32)
    one_thread(move)(a, ttl.partial(y))
    tile = a[:TILE, :TILE]
    assert np.array_equal(y, np.block([[tile, tile], [0 * tile, 0 * tile]]))


def test_shards():
    device = ttnn.open_device(device_id=0)
    memory = ttnn.create_sharded_memory_config((64, TILE), ttnn.CoreGrid(y=2, x=1), ttnn.ShardStrategy.HEIGHT)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def mover():
            zero = ttl.node(dims=1)
            for i in range(zero + 2):
                part = a[1] if i == 0 else a[i - 1]
                with dfb.reserve() as block:
                    ttl.copy(part, block).wait()
                with dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    memory = ttnn.create_sharded_memory_config((64, TILE), ttnn.CoreGrid(y=2, x=1), ttnn.ShardStrategy.HEIGHT)
    host = tiles(2, 1)
    a = ttnn.from_numpy(host, device=device, memory_config=memory)
    y = ttnn.zeros((64, TILE), dtype=ttnn.float32, device=device)
    op(a, y)
    assert np.array_equal(ttnn.to_numpy(y), np.concatenate([host[TILE:], host[:TILE]]))


def test_an_index_that_is_out_of_range_on_the_path_taken():
    def move(a, y, dfb, one):
        part = a[0, 0] if one == 2 else a[one + 1, 0]  # HERE
        written(a, y, dfb, y[0, 0])
        with dfb.reserve() as block:
            ttl.copy(part, block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[1, 0]).wait()

    with pytest.raises(ttl.OutOfBoundsError) as caught:
        one_thread(move, nodes=2)(tiles(2), tiles(2))
    text = str(caught.value)
    assert ("index 2 is out of range in dimension 0 of tensor 'a', which has 2 tile rows; the index must be 0 to 1"
            in text)
    assert "# HERE" in open(__file__).read().splitlines()[caught.value.line - 1]


def other_tensor(a, y, dfb, one):
    def pick(n):
        if n == 1:
            return a[0, 0]
        return y[0, 0]

    ttl.copy(pick(one), dfb.reserve()).wait()


def other_shape(a, y, dfb, one):
    def pick(n):
        if n == 1:
            return a[0, 0]
        return a[0:2, 0]

    ttl.copy(pick(one), dfb.reserve()).wait()


def other_variable(a, y, dfb, one):
    if one == 1:
        part = a[0, 0]
    else:
        part = one
    ttl.copy(part, dfb.reserve()).wait()


@pytest.mark.parametrize("move, message", [
    (other_tensor,
     "returns values of different kinds, a slice of tensor 'a' of shape (1, 1) and a slice of tensor 'y' of "
     "shape (1, 1): use each value in its branch, or give the paths values of one kind and shape"),
    (other_shape,
     "returns values of different kinds, a slice of tensor 'a' of shape (1, 1) and a slice of tensor 'a' of "
     "shape (2, 1): use each value in its branch"),
    (other_variable, "'part' has values of different kinds after each of the branches of line"),
])
def test_slices_that_are_of_different_kinds(move, message):
    with pytest.raises(ttl.CompileError) as caught:
        one_thread(move)(tiles(2), tiles(2))
    assert message in str(caught.value)


# ===--------------------------------------------------------------------------=== #
# Slices of more dimensions than a block
# ===--------------------------------------------------------------------------=== #

CARD = ": tt-lang's compiler refuses this for a card; "


def of_batch(move, tensor_shape=(2, 2, TILE, TILE)):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def mover():
            with dfb.reserve() as block:
                move(a, block)
            with dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    a = np.random.default_rng(1).standard_normal(tensor_shape).astype(np.float32)
    y = np.zeros((TILE, TILE), np.float32)
    return op, a, y


def test_scalar_indices_choose_the_other_dimensions():
    op, a, y = of_batch(lambda a, block: ttl.copy(a[1, 0, 0:1, 0], block).wait())
    op(a, y, options="--strict")
    assert np.array_equal(y, a[1, 0])


def test_a_range_of_one_for_a_dimension_that_the_block_lacks():
    op, a, y = of_batch(lambda a, block: ttl.copy(a[1, 0:1, 0, 0], block).wait())
    message = ("the slice has a range as the index of dimension 1, which the block does not have" + CARD +
               "write a scalar index there")
    with pytest.warns(ttl.CardWarning) as caught:
        op(a, y)
    assert message in str(caught[0].message)
    assert np.array_equal(y, a[1, 0])
    with pytest.raises(ttl.CompileError) as refused:
        op(a, y, options="--strict")
    assert message in str(refused.value)


def test_a_range_of_two_for_a_dimension_that_the_block_lacks():
    op, a, y = of_batch(lambda a, block: ttl.copy(a[0, 0:2, 0, 0], block).wait())
    with pytest.raises(ttl.CompileError,
                       match="the block has 2 dimensions: write scalar indices, not ranges, for the leading "
                                               "dimensions of the slice"):
        op(a, y)


