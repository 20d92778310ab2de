# SPDX-License-Identifier: Apache-2.0
"""`store()` and `+=` on reserved blocks, in and around loops of every kind, on every engine."""
# feature: Sums over a loop

import os

import numpy as np
import pytest
import ttl
import ttnn

ENGINES = [os.environ["TTL_ENGINE"]] if "TTL_ENGINE" in os.environ else ["jit", "interp", "emitted"]
SIZE = 32


@pytest.fixture(params=ENGINES)
def engine(request):
    with ttl.options(engine=request.param):
        yield request.param


def blocks_of(count, seed=1):
    """Returns the rows of `count` blocks of random numbers, whose sums are not exact in float32."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((count * SIZE, SIZE)).astype(np.float32)


def run(body, a, y, *, block_count=2, y_blocks=2):
    """Runs `body(a_dfb, y_dfb, zero)` between a reader of the blocks of `a` and a writer of those
    of `y`. `zero` is 0, but not known at compile time."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=block_count)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=y_blocks)

        @ttl.datamovement()
        def reader():
            for i in range(a.shape[0] // SIZE):
                with a_dfb.reserve() as block:
                    ttl.copy(a[i, 0], block).wait()

        @ttl.compute()
        def compute():
            body(a_dfb, y_dfb, ttl.node(dims=1))

        @ttl.datamovement()
        def writer():
            for i in range(y.shape[0] // SIZE):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    op(a, y)
    return y


def split(a):
    return a.reshape(-1, SIZE, SIZE)


ROUND = {
    "float32": lambda x: x,
    "float16": lambda x: x.astype(np.float16).astype(np.float32),
    "bfloat16": lambda x: ttnn.from_numpy(x, ttnn.bfloat16).to_numpy().astype(np.float32),
}


class Slot:
    """A reserved block in numpy: each store and each sum is rounded to the element type."""

    def __init__(self, dtype="float32"):
        self.round, self.value = ROUND[dtype], None

    def store(self, e, acc=False):
        adds = acc and self.value is not None
        self.value = self.round(np.asarray(self.value + e if adds else e, np.float32))

    def __iadd__(self, e):
        self.store(e, acc=True)
        return self


# ===--------------------------------------------------------------------------=== #
# Stores to one block, in and around a loop. Class Slot runs each program in numpy, too.
# ===--------------------------------------------------------------------------=== #


def only_adds(y, take, n, zero):
    for _ in range(zero + n):
        with take() as e:
            y += e


def store_of_a_number(y, take, n, zero):
    y.store(ttl.fill(2.5, shape=(1, 1)))
    for _ in range(zero + n):
        with take() as e:
            y += e


def store_of_a_block(y, take, n, zero):
    with take() as e:
        y.store(e)
    for _ in range(zero + n - 1):
        with take() as e:
            y += e * 3 - 1


def static_range(y, take, n, zero):
    with take() as e:
        y.store(e)
    for _ in range(n - 1):
        with take() as e:
            y += e


def two_loops(y, take, n, zero):
    for _ in range(zero + 2):
        with take() as e:
            y += e
    for _ in range(n - 2):
        with take() as e:
            y += e + 1


def zero_trips_first(y, take, n, zero):
    for _ in range(zero):
        with take() as e:
            y += e
    for _ in range(zero + n):
        with take() as e:
            y += e


def store_after_adds(y, take, n, zero):
    for _ in range(zero + 2):
        with take() as e:
            y += e
    with take() as e:
        y.store(e * 2)
    for _ in range(zero + n - 3):
        with take() as e:
            y += e


def stores_twice(y, take, n, zero):
    for _ in range(zero + n):
        with take() as e:
            y.store(e)
    y += ttl.ones(shape=(1, 1))


def nested(y, take, n, zero):
    for i in range(zero + 2):
        for _ in range(n // 2):
            with take() as e:
                y += e
        y += ttl.fill(0.5, shape=(1, 1))


def store_in_the_outer_loop(y, take, n, zero):
    for i in range(2):
        y.store(ttl.fill(i, shape=(1, 1)))
        for _ in range(zero + n // 2):
            with take() as e:
                y += e


def with_while(y, take, n, zero):
    i = zero
    while i < n:
        with take() as e:
            y += e
        i += 1


def branch(y, take, n, zero):
    for i in range(zero + n):
        with take() as e:
            if i % 3 == 1:
                y += e
            elif i % 3 == 2:
                y += -e
            else:
                pass
    y += ttl.ones(shape=(1, 1))


def branch_before(y, take, n, zero):
    if zero == 0:
        y.store(ttl.ones(shape=(1, 1)))
    for _ in range(zero + n):
        with take() as e:
            y += e


def branch_not_taken(y, take, n, zero):
    if zero == 1:
        y.store(ttl.ones(shape=(1, 1)))
    for _ in range(zero + n):
        with take() as e:
            y += e


def early_end(y, take, n, zero):
    for i in range(zero + 100):
        if i == n:
            break
        with take() as e:
            y += e
    y += ttl.ones(shape=(1, 1))


def continues(y, take, n, zero):
    for i in range(zero + n):
        with take() as e:
            if i == 1:
                continue
            y += e


def add(block, value):
    block += value


def helper(y, take, n, zero):
    for _ in range(zero + n):
        with take() as e:
            add(y, e)


def helper_with_a_loop(y, take, n, zero):
    def fill(block, count):
        for _ in range(count):
            with take() as e:
                block += e

    fill(y, zero + 2)
    fill(y, n - 2)


def returns_early(y, take, n, zero):
    def fill():
        for i in range(zero + 100):
            if i == n:
                return i
            with take() as e:
                add(y, e)
        return 0

    y += ttl.fill(fill(), shape=(1, 1))


def older_spelling(y, take, n, zero):
    y.store(ttl.ones(shape=(1, 1)))
    for _ in range(zero + n):
        with take() as e:
            y.store(e, acc=True)


ONE_BLOCK = [
    only_adds, store_of_a_number, store_of_a_block, static_range, two_loops, zero_trips_first,
    store_after_adds, stores_twice, nested, store_in_the_outer_loop, with_while, branch, branch_before,
    branch_not_taken, early_end, continues, helper, helper_with_a_loop, returns_early, older_spelling,
]  # fmt: skip


class Blocks:
    """Stands for `a_dfb.wait` in numpy: each call and `with` takes the next block of an array."""

    def __init__(self, a):
        self.rest, self.taken = split(a), 0

    def __call__(self):
        return self

    def __enter__(self):
        self.taken += 1
        return self.rest[self.taken - 1]

    def __exit__(self, *_):
        pass


@pytest.fixture
def by_numpy(monkeypatch):
    """Returns a function that runs a program in numpy: the sum, and the number of blocks taken."""

    def runs(program, a, n, zero=0, dtype="float32"):
        slot, take = Slot(dtype), Blocks(a)
        with monkeypatch.context() as patch:
            patch.setattr(ttl, "fill", lambda x, shape: np.full((SIZE, SIZE), x, np.float32))
            patch.setattr(ttl, "ones", lambda shape: np.ones((SIZE, SIZE), np.float32))
            program(slot, take, n, zero)
        return slot.value, take.taken

    return runs


def named(values):
    return {"argvalues": values, "ids": [value.__name__ for value in values]}


def separate_threads(a, y, program, n, counts):
    zero = ttl.node(dims=1)
    count = counts[0] + zero * (counts[1] - counts[0])
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        for row in range(count):
            with a_dfb.reserve() as block:
                ttl.copy(a[row, 0], block).wait()

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as block:
            program(block, a_dfb.wait, n, zero)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, zero]).wait()


def unified_body(a, y, program, n, counts):
    zero = ttl.node(dims=1)
    count = counts[0] + zero * (counts[1] - counts[0])
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)
    for row in range(count):
        ttl.copy(a[row, 0], a_dfb.reserve()).wait()
    with y_dfb.reserve() as block:
        program(block, a_dfb.wait, n, zero)
    ttl.copy(y_dfb.wait(), y[0, zero]).wait()


@pytest.mark.parametrize("kernel", **named([separate_threads, unified_body]))
@pytest.mark.parametrize("n", [6, 70])
@pytest.mark.parametrize("program", **named(ONE_BLOCK))
def test_one_block(program, n, kernel, engine, by_numpy):
    """The argument `zero` is known at run time only: 0 on the first node, 1 on the second."""
    a, y = blocks_of(2 * n), np.zeros((SIZE, 2 * SIZE), np.float32)
    (first, taken), (second, others) = (by_numpy(program, a, n, zero) for zero in (0, 1))
    ttl.operation(grid=(2, 1))(kernel)(a, y, program, n, (taken, others))
    assert np.array_equal(y, np.hstack([first, second]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("program", **named([store_of_a_block, two_loops, nested]))
def test_each_sum_is_rounded(program, dtype, by_numpy):
    def body(a_dfb, y_dfb, zero):
        with y_dfb.reserve() as y:
            program(y, a_dfb.wait, 8, zero)

    a, y = blocks_of(8), ttnn.zeros((SIZE, SIZE), getattr(ttnn, dtype))
    run(body, a, y)
    assert np.array_equal(y.to_numpy().astype(np.float32), by_numpy(program, a, 8, dtype=dtype)[0])


# ===--------------------------------------------------------------------------=== #
# Sums of products, sums of integers, and sums in several blocks
# ===--------------------------------------------------------------------------=== #


def small_integers(count):
    return np.random.default_rng(2).integers(-4, 5, (count * SIZE, SIZE)).astype(np.float32)


@pytest.mark.parametrize("n", [4, 70])
def test_products(n, engine):
    def body(a_dfb, y_dfb, zero):
        with y_dfb.reserve() as y:
            y.store(ttl.fill(3, shape=(1, 1)))
            for _ in range(zero + n):
                with a_dfb.wait() as e:
                    y += e @ e

    a = small_integers(n)
    y = run(body, a, np.zeros((SIZE, SIZE), np.float32))
    assert np.array_equal(y, 3 + (split(a) @ split(a)).sum(axis=0))


def test_a_block_of_several_tiles(engine):
    """The kernel stores the bias, then adds products of blocks of 2 x 2 tiles to it."""
    a, b = (np.random.default_rng(3).integers(-4, 5, (64, 384)).astype(np.float32) for _ in range(2))
    b = b.reshape(384, 64)
    bias = blocks_of(4).reshape(64, 64).round()

    @ttl.operation(grid=(1, 1))
    def op(a, b, bias, y):
        dfbs = [ttl.make_dataflow_buffer_like(t, shape=(2, 2)) for t in (a, b, bias, y)]

        @ttl.datamovement()
        def reader():
            with dfbs[2].reserve() as block:
                ttl.copy(bias[0:2, 0:2], block).wait()
            for k in range(6):
                with dfbs[0].reserve() as left, dfbs[1].reserve() as right:
                    ttl.copy(a[0:2, 2 * k : 2 * k + 2], left).wait()
                    ttl.copy(b[2 * k : 2 * k + 2, 0:2], right).wait()

        @ttl.compute()
        def compute():
            with dfbs[2].wait() as block, dfbs[3].reserve() as out:
                out.store(block)
                for _ in range(6):
                    with dfbs[0].wait() as left, dfbs[1].wait() as right:
                        out += left @ right

        @ttl.datamovement()
        def writer():
            with dfbs[3].wait() as block:
                ttl.copy(block, y[0:2, 0:2]).wait()

    y = np.zeros((64, 64), np.float32)
    op(a, b, bias, y)
    assert np.array_equal(y, bias + a @ b)


def test_integers(engine):
    def body(a_dfb, y_dfb, zero):
        with y_dfb.reserve() as y:
            with a_dfb.wait() as e:
                y.store(e)
            for _ in range(zero + 4):
                with a_dfb.wait() as e:
                    y += e * 5

    a = np.random.default_rng(4).integers(-(2**20), 2**20, (5 * SIZE, SIZE)).astype(np.int32)
    y = run(body, a, np.zeros((SIZE, SIZE), np.int32))
    assert np.array_equal(y, split(a)[0] + 5 * split(a)[1:].sum(axis=0))


def test_two_blocks_in_turn(engine):
    def body(a_dfb, y_dfb, zero):
        for _ in range(zero + 3):
            with y_dfb.reserve() as first, y_dfb.reserve() as second:
                second.store(ttl.ones(shape=(1, 1)))
                for _ in range(zero + 2):
                    with a_dfb.wait() as e:
                        first += e
                        second += e * e

    a = small_integers(6)
    y = run(body, a, np.zeros((6 * SIZE, SIZE), np.float32), y_blocks=4)
    pairs = a.reshape(3, 2, SIZE, SIZE)
    assert np.array_equal(split(y)[0::2], pairs.sum(axis=1))
    assert np.array_equal(split(y)[1::2], 1 + (pairs * pairs).sum(axis=1))


def test_the_sum_is_read_back(engine):
    """The kernel reads the sum after the loop, and then adds to it once more."""

    def body(a_dfb, y_dfb, zero):
        with y_dfb.reserve() as total, y_dfb.reserve() as y:
            for i in range(zero + 3):
                with a_dfb.wait() as e:
                    total += e
            y.store(total * 2)
            total += ttl.ones(shape=(1, 1))

    a = small_integers(3)
    y = run(body, a, np.zeros((2 * SIZE, SIZE), np.float32), y_blocks=4)
    assert np.array_equal(split(y), [split(a).sum(axis=0) + 1, 2 * split(a).sum(axis=0)])


def in_a_while(block, e_dfb, zero):
    i = zero
    while i < 3:
        with e_dfb.wait() as e:
            block.store(block * 2 + e)
        i += 1


def before_a_break(block, e_dfb, zero):
    for i in range(zero + 9):
        with e_dfb.wait() as e:
            block += block + e
        if i == 2:
            break


def before_a_return(block, e_dfb, zero):
    while True:
        with e_dfb.wait() as e:
            block.store(block + block + e)
            zero += 1
            if zero == 3:
                return


@pytest.mark.parametrize("step", **named([in_a_while, before_a_break, before_a_return]))
def test_the_contents_are_read_back_in_loops_that_end_early(step, engine):
    def body(a_dfb, y_dfb, zero):
        with y_dfb.reserve() as block, y_dfb.reserve() as y:
            block.store(ttl.ones(shape=(1, 1)))
            step(block, a_dfb, zero)
            y.store(block - 1)

    a = small_integers(3)
    first, second, third = split(a)
    total = 8 + 4 * first + 2 * second + third
    y = run(body, a, np.zeros((2 * SIZE, SIZE), np.float32), y_blocks=4)
    assert np.array_equal(split(y), [total, total - 1])


# ===--------------------------------------------------------------------------=== #
# Loops in which the number of reserved blocks is only known at run time
# ===--------------------------------------------------------------------------=== #


def test_counted_blocks(engine):
    """Under a run-time condition, the kernel reserves the next block before the current sum is complete."""

    def body(a_dfb, y_dfb, zero):
        n = zero + 4
        current = y_dfb.reserve()
        for i in range(n):
            if i < n - 1:
                following = y_dfb.reserve()
                following.store(ttl.fill(i, shape=(1, 1)))
            with a_dfb.wait() as e:
                current += e
                current += e * 2
                if i < n - 1:
                    following += e
            y_dfb.push()
            if i < n - 1:
                current = following

    a = small_integers(4)
    y = run(body, a, np.zeros((4 * SIZE, SIZE), np.float32), y_blocks=3)
    e = split(a)
    wanted = [3 * e[0], *(i + e[i] + 3 * e[i + 1] for i in range(3))]
    assert np.array_equal(split(y), wanted)


def test_counted_blocks_start_fresh(engine):
    """A newly reserved block starts without a sum, also if its slot was used before."""

    def body(a_dfb, y_dfb, zero):
        for i in range(zero + 6):
            y = y_dfb.reserve()
            with a_dfb.wait() as e:
                y += e
                y += e
            if i > 0:
                y_dfb.push()
        y_dfb.push()

    a = small_integers(6)
    y = run(body, a, np.zeros((6 * SIZE, SIZE), np.float32), y_blocks=32)
    assert np.array_equal(y, 2 * a)


# ===--------------------------------------------------------------------------=== #
# `+=` on blocks from wait() and on variables
# ===--------------------------------------------------------------------------=== #


def test_waited_block(engine):
    """`+=` replaces the contents of a block from wait(). The sum is rounded to the element type."""
    a, y = blocks_of(1).astype(np.float16), np.zeros((SIZE, SIZE), np.float32)

    def body(a_dfb, y_dfb, zero):
        with a_dfb.wait() as block, y_dfb.reserve() as out:
            block += block * 0.3
            out.store(block)

    value = a.astype(np.float32)
    rounded = (value + value * np.float32(0.3)).astype(np.float16)
    assert np.array_equal(run(body, a, y), rounded.astype(np.float32))


def test_a_variable_is_rounded_when_it_is_stored(engine):
    a, y = blocks_of(5), np.zeros((SIZE, SIZE), np.float16)

    def body(a_dfb, y_dfb, zero):
        with y_dfb.reserve() as out:
            total = ttl.zeros(shape=(1, 1))
            for _ in range(zero):
                total += 1
            for _ in range(zero + 5):
                with a_dfb.wait() as e:
                    total += e
            out.store(total)

    total = np.zeros((SIZE, SIZE), np.float32)
    for e in split(a):
        total = total + e
    assert np.array_equal(run(body, a, y), total.astype(np.float16))


# ===--------------------------------------------------------------------------=== #
# Loops are not unrolled: the IR has the same length for any number of iterations
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("kernel", **named([separate_threads, unified_body]))
@pytest.mark.parametrize("program", **named([static_range, store_of_a_number, two_loops, nested]))
def test_the_number_of_iterations_does_not_matter(program, kernel):
    def length(n):
        a, y = np.zeros((SIZE, SIZE), np.float32), np.zeros((SIZE, 2 * SIZE), np.float32)
        text = ttl.operation(grid=(2, 1))(kernel).ir(a, y, program, n, (n, n))
        return str(text).count("\n")

    assert length(8) == length(60) == length(1000)


# ===--------------------------------------------------------------------------=== #
# Errors
# ===--------------------------------------------------------------------------=== #


def test_a_push_without_a_store():
    """On the first node the loop has no iterations, so nothing is stored before the push."""

    def program(y, take, n, zero):
        for _ in range(zero):
            with take() as e:
                y += e

    a, y = blocks_of(1), np.zeros((SIZE, 2 * SIZE), np.float32)
    with ttl.options(check="init"), pytest.raises(ttl.UninitializedReadError):
        ttl.operation(grid=(2, 1))(separate_threads)(a, y, program, 1, (0, 1))


def test_a_counted_block_that_was_waited_for():
    def body(a_dfb, y_dfb, zero):
        n = zero + 2
        current = a_dfb.wait()
        for i in range(n):
            if i < n - 1:
                following = a_dfb.wait()
            current += 1
            with y_dfb.reserve() as y:
                y.store(current)
            a_dfb.pop()
            if i < n - 1:
                current = following

    a, y = blocks_of(2), np.zeros((2 * SIZE, SIZE), np.float32)
    with pytest.raises(ttl.CompileError, match="cannot change a block of 'a_dfb' that was waited"):
        run(body, a, y)


@pytest.mark.parametrize("n", [3, 70])
def test_another_operator(n):
    def body(a_dfb, y_dfb, zero):
        with y_dfb.reserve() as y:
            y.store(ttl.ones(shape=(1, 1)))
            for _ in range(zero + n):
                for _ in range(n):
                    with a_dfb.wait() as e:
                        y -= e
                        y += e

    with pytest.raises(ttl.CompileError, match="only '\\+=' works on a reserved block") as caught:
        run(body, blocks_of(1), np.zeros((SIZE, SIZE), np.float32))
    assert caught.value.line == body.__code__.co_firstlineno + 6 and not caught.value.others
