# SPDX-License-Identifier: Apache-2.0
"""Unified bodies: operations without kernel functions, whose body the compiler splits into threads."""
# feature: Unified bodies; Composition of operations; Allocation groups; Replacing a waited block

import re

import _ttjit
import numpy as np
import pytest
import ttl
import ttnn


def numbers(rows, columns):
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns) / 64


def made_of(operation, *arguments):
    """Returns the names of the ttl ops in the unified thread of the operation's IR."""
    text = operation.ir(*arguments)
    return re.findall(r"ttl\.\w+", text[text.index("ttl.unified_thread") :])


# ===--------------------------------------------------------------------------=== #
# Results of unified bodies
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(2, 1))
def doubled(a, y, factor=2.0):
    x, _ = ttl.node()
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    for row in range(x, a.shape[0] // 32, 2):
        ttl.copy(a[row, 0], a_dfb.reserve()).wait()
        y_dfb.reserve().store(a_dfb.wait() * factor)
        ttl.copy(y_dfb.wait(), y[row, 0]).wait()


@pytest.mark.filterwarnings("error")  # the body has no push() and pop(), and must give no warning
def test_one_body_for_all_threads():
    a, y = numbers(128, 32), np.zeros((128, 32), np.float32)
    doubled(a, y)
    assert np.array_equal(y, a * 2)
    doubled(a, y, factor=3.0)
    assert np.array_equal(y, a * 3)


def test_equal_calls_compile_once():
    a, y = numbers(64, 32), np.zeros((64, 32), np.float32)
    before = ttl._cache_info()
    for _ in range(3):
        doubled(a, y, 5.0)
    doubled(a, y, 6.0)
    after = ttl._cache_info()
    # If shares_numbers(), the number is a run-time argument, so all four calls use one program.
    assert after.misses - before.misses == 2 - _ttjit.shares_numbers()
    assert after.hits - before.hits == 2 + _ttjit.shares_numbers()
    assert np.array_equal(y, a * 6)


def test_keyword_only_and_variable_parameters():
    @ttl.operation(grid=(1, 1))
    def op(a, *rest, offset, **more):
        (y,) = rest
        a_dfb = ttl.make_dfb(a.dtype, (1, 1))
        y_dfb = ttl.make_dfb(ttnn.float32, (1, 1))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        y_dfb.reserve().store(a_dfb.wait() + offset + more["extra"])
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    a, y = ttnn.from_numpy(numbers(32, 32)), ttnn.zeros((32, 32))
    op(a, y, offset=1, extra=2)
    assert np.array_equal(ttnn.to_numpy(y), numbers(32, 32) + 3)


@pytest.mark.finds("outputs")
def test_nested_loops_branches_and_accumulation():
    @ttl.operation(grid=(2, 2))
    def op(a, b, y):
        x, line = ttl.node()
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        for m in range(x, 4, 2):
            if m == 2 and line == 0:
                for n in range(2):
                    ttl.copy(b[m, n], b_dfb.reserve()).wait()
                    y_dfb.reserve().store(-b_dfb.wait())
                    ttl.copy(y_dfb.wait(), y[m, n]).wait()
                continue
            n = line
            while n < 4:
                if m == 2 and n < 2:
                    n += 2
                    continue
                y_blk = y_dfb.reserve()
                for k in range(4):
                    ttl.copy(a[m, k], a_dfb.reserve()).wait()
                    ttl.copy(b[k, n], b_dfb.reserve()).wait()
                    y_blk.store(a_dfb.wait() @ b_dfb.wait(), acc=True)
                ttl.copy(y_dfb.wait(), y[m, n]).wait()
                n += 2

    rng = np.random.default_rng(1)
    a, b = (rng.integers(-8, 8, (128, 128)).astype(np.float32) for _ in range(2))
    y = np.full((128, 128), 7, np.float32)
    op(a, b, y)
    expected = a @ b
    expected[64:96, 0:64] = -b[64:96, 0:64]
    # No node writes column 2 of tile row 2: node (0, 0) stops after column 1, node (0, 1) starts at 3.
    expected[64:96, 64:96] = 7
    assert np.array_equal(y, expected)


def test_accumulating_in_a_variable():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        total = ttl.block.fill(0, shape=(1, 1))
        for row in range(4):
            ttl.copy(a[row, 0], a_dfb.reserve()).wait()
            total += a_dfb.wait()
        y_dfb.reserve().store(total)
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    a, y = numbers(128, 32), np.zeros((32, 32), np.float32)
    op(a, y)
    assert np.array_equal(y, ((a[:32] + a[32:64]) + a[64:96]) + a[96:])


def test_pipes_and_semaphores():
    @ttl.operation(grid=(4, 1))
    def op(a, y):
        node = ttl.node(dims=1)
        net = ttl.PipeNet([ttl.Pipe((0, 0), (slice(0, 4), 0))])
        ready = ttl.Semaphore()
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        b_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        def send(pipe):
            block = a_dfb.reserve()
            ttl.copy(a[0, 0], block).wait()
            ttl.copy(block, pipe).wait()

        net.if_src(send)
        if node == 0:
            a_dfb.wait().pop()
        net.if_dst(lambda pipe: ttl.copy(pipe, b_dfb.reserve()).wait())
        y_dfb.reserve().store(b_dfb.wait() + 1)
        if node > 0:
            ready.wait_ge(1)
        ttl.copy(y_dfb.wait(), y[node, 0]).wait()
        if node < 3:
            ready.get_remote((node + 1, 0)).inc(1)

    a, y = numbers(32, 32), np.zeros((128, 32), np.float32)
    op(a, y)
    assert np.array_equal(y, np.tile(a + 1, (4, 1)))


# ===--------------------------------------------------------------------------=== #
# Buffers, names and IR that the body makes
# ===--------------------------------------------------------------------------=== #


def test_buffers_have_the_names_of_the_bodys_variables():
    def pair(tensor):
        first, second = (ttl.make_dataflow_buffer_like(tensor, shape=(1, 1)) for _ in range(2))
        return [first, second]

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfbs = pair(a)
        out_dfb = ttl.make_circular_buffer_like(y, shape=(1, 1), buffer_factor=3)
        alias = out_dfb
        for dfb in dfbs:
            ttl.copy(a[0, 0], dfb.reserve()).wait()
        alias.reserve().store(dfbs[0].wait() + dfbs[1].wait())
        ttl.copy(out_dfb.wait(), y[0, 0]).wait()

    a, y = numbers(32, 32), np.zeros((32, 32), np.float32)
    text = op.ir(a, y)
    assert re.findall(r'create_cb "(.*?)"', text) == ["dfbs[0]", "dfbs[1]", "out_dfb"]
    op(a, y)
    assert np.array_equal(y, a + a)


def test_static_python_runs_during_the_walk():
    @ttl.operation(grid=(1, 1), blocks=2)
    def op(a, y):
        assert a.shape[0] % 32 == 0, "whole tiles"
        shapes = [(extent // 32, 1) for extent in a.shape]
        rows = max(shapes)[0]
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, (1, 1), blocks) for t in (a, y))
        for row in range(rows):
            ttl.copy(a[row, 0], a_dfb.reserve()).wait()
            y_dfb.reserve().store(a_dfb.wait() + rows)
            ttl.copy(y_dfb.wait(), y[row, 0]).wait()

    a, y = numbers(96, 32), np.zeros((96, 32), np.float32)
    op(a, y)
    assert np.array_equal(y, a + 3)


def test_two_data_movement_threads_and_compute_config():
    text = doubled.ir(numbers(64, 32), np.zeros((64, 32), np.float32))
    assert "fp32_dest_acc_en = true" in text
    small = ttnn.zeros((64, 32), dtype=ttnn.bfloat16)
    assert "fp32_dest_acc_en = true" not in doubled.ir(small, small)


# ===--------------------------------------------------------------------------=== #
# Composition: operations that call operations
# ===--------------------------------------------------------------------------=== #


@ttl.operation()
def load(tensor, row, dfb: ttl.DFB):
    ttl.copy(tensor[row, 0], dfb.reserve()).wait()


@ttl.operation()
def scale(source: ttl.DFB, target: ttl.DFB, factor):
    target.reserve().store(source.wait() * factor)


def test_operations_are_expanded_in_the_body_of_another_one():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb, b_dfb, y_dfb = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(3))
        for row in range(2):
            load(a, row, a_dfb)
            scale(a_dfb, b_dfb, 2.0)
            scale(b_dfb, y_dfb, 4.0)
            ttl.copy(y_dfb.wait(), y[row, 0]).wait()

    a, y = numbers(64, 32), np.zeros((64, 32), np.float32)
    op(a, y)
    assert np.array_equal(y, a * 8)


@ttl.operation()
def endless(a):
    endless(a)


@ttl.operation()
def reassigns(a, factor):
    factor = 2


@ttl.operation()
def with_defaults(a, factor=2, *, offset=1):
    ttl.make_dfb(a.dtype, (factor, offset))


@ttl.operation()
def explicit(a):
    @ttl.datamovement()
    def reader():
        pass


@pytest.mark.parametrize(
    "statement, message",
    [
        (lambda a: endless(a), r"endless\(\) must not call itself"),
        (lambda a: reassigns(a, 1), r"assigns its parameter 'factor'"),
        (lambda a: reassigns(a), r"lacks the argument 'factor'"),
        (lambda a: with_defaults(a, offset=3), r"lacks the argument 'factor': .* default values"),
        (lambda a: with_defaults(a, 1), r"lacks the argument 'offset': .* default values"),
        (lambda a: explicit(a), r"because it defines kernel functions"),
    ],
)
def test_operations_that_cannot_be_expanded(statement, message):
    @ttl.operation(grid=(1, 1))
    def op(a):
        statement(a)

    with pytest.raises(ttl.CompileError, match=message):
        op.ir(numbers(32, 32))


def test_an_operation_cannot_be_called_in_a_body_with_kernel_functions():
    @ttl.operation(grid=(1, 1))
    def op(a):
        load(a, 0, None)

        @ttl.datamovement()
        def reader():
            pass

    with pytest.raises(ttl.CompileError, match="only the body of an operation without kernel"):
        op.ir(numbers(32, 32))


# ===--------------------------------------------------------------------------=== #
# Errors
# ===--------------------------------------------------------------------------=== #


def failing(body, capture=None):
    """Returns the error of an operation whose unified body calls body(a, y, a_dfb, y_dfb)."""

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        body(a, y, a_dfb, y_dfb)

    with pytest.raises(ttl.CompileError) as info:
        op(numbers(64, 32), np.zeros((64, 32), np.float32))
    return info.value


def line_of(function, offset):
    return function.__code__.co_firstlineno + offset


def test_a_block_of_two_threads():
    def body(a, y, a_dfb, y_dfb):
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        block = a_dfb.wait()
        y_dfb.reserve().store(block + 1)
        ttl.copy(block, y[0, 0]).wait()

    error = failing(body)
    assert "is used by the compute thread and by a data movement thread" in error.message
    assert error.line == line_of(body, 4)
    assert {note.line for note in error.notes} >= {line_of(body, 2), line_of(body, 3)}


def test_a_copy_of_an_expression():
    def body(a, y, a_dfb, y_dfb):
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        ttl.copy(a_dfb.wait() + 1, y[0, 0]).wait()

    error = failing(body)
    assert "store the expression into a block" in error.message
    assert error.line == line_of(body, 2)


def test_resources_in_run_time_loops():
    def body(a, y, a_dfb, y_dfb):
        for _ in range(ttl.node(dims=1)):
            ttl.make_dfb(ttnn.float32, (1, 1))

    error = failing(body)
    assert "move the call before the condition or loop" in error.message
    assert error.line == line_of(body, 2)


def test_an_operation_that_does_nothing():
    def body(a, y, a_dfb, y_dfb):
        pass

    assert "does nothing" in failing(body).message


def test_a_body_that_only_asserts():
    """This is the example of grid_size() in the specification."""

    @ttl.operation(grid=(8, 8))
    def sizes():
        x_size = ttl.grid_size(dims=1)
        assert x_size == 64
        x_size, y_size = ttl.grid_size(dims=2)
        x_size, y_size, z_size = ttl.grid_size(dims=3)
        assert (x_size, y_size, z_size) == (8, 8, 1)

    sizes()

    @ttl.operation(grid=(1, 2))
    def wrong(a):
        assert ttl.grid_size() == (1, 2)
        assert ttl.node(dims=1) == 0, "not the first node"

    with pytest.raises(ttl.RuntimeFault, match="not the first node"):
        wrong(np.zeros((32, 32), np.float32))


@pytest.mark.filterwarnings("ignore::ttl.UnusedBlockWarning")
@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_a_block_that_nobody_reads(engine):
    """The compiler makes another thread the consumer: the thread that fills the buffer would block itself."""

    @ttl.operation(grid=(1, 1))
    def moved(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        for row in range(4):
            ttl.copy(a[row, 0], a_dfb.reserve()).wait()
        for _ in range(4):
            a_dfb.wait().pop()

    @ttl.operation(grid=(1, 1))
    def computed(a):
        y_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        for _ in range(4):
            y_dfb.reserve().store(ttl.fill(1.0, shape=(1, 1)))
        for _ in range(4):
            y_dfb.wait().pop()

    with ttl.options(engine=engine):
        moved(numbers(128, 32))
        computed(numbers(128, 32))


@pytest.mark.filterwarnings("ignore::ttl.UnusedBlockWarning")
def test_a_body_that_raises_before_it_computes():
    @ttl.operation(grid=(1, 1))
    def raises(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        for row in range(4):
            ttl.copy(a[row, 0], a_dfb.reserve()).wait()
        for i, _ in enumerate("ab"):
            with a_dfb.wait() as x, y_dfb.reserve() as out:
                if i > -1:
                    raise ValueError(f"number {i}")
                out.store(x)
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    with pytest.raises(ttl.RuntimeFault, match="ValueError: number 0"):
        raises(numbers(128, 32), np.zeros((32, 32), np.float32))


@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_prints_in_callbacks_of_pipes(engine, capfd):
    @ttl.operation(grid=(2, 1))
    def sends(a, y):
        net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        def send(pipe):
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
            with a_dfb.wait() as block, ttl.signpost("send"):
                print("sends")
                ttl.copy(block, pipe).wait()

        def receive(pipe):
            with a_dfb.reserve() as block:
                ttl.copy(pipe, block).wait()
            with a_dfb.wait() as block:
                print("received")
                ttl.copy(block, y[0, 0]).wait()

        net.if_src(send)
        net.if_dst(receive)

    a, y = numbers(32, 32), np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine):
        sends(a, y)
    assert np.array_equal(y, a) and {"sends", "received"} <= set(capfd.readouterr().out.split())


def test_calls_with_side_effects():
    seen = []

    def body(a, y, a_dfb, y_dfb):
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        seen_by(1)

    def seen_by(value):
        global last
        last = value

    error = failing(body)
    assert error.line in (line_of(body, 2), line_of(seen_by, 1))


def test_errors_of_makers_are_at_the_statement():
    def body(a, y, a_dfb, y_dfb):
        ttl.make_dfb("float99", (1, 1))

    error = failing(body)
    assert "Unrecognized data format name" in error.message
    assert error.line == line_of(body, 1)


# ===--------------------------------------------------------------------------=== #
# Allocation groups
# ===--------------------------------------------------------------------------=== #


def two_phases(a, y, group):
    """Computes y = (a + 1) * 2 in two loops. Each uses one of two buffers of allocation group `group`."""
    first = ttl.make_dfb(ttnn.float32, (1, 1), allocation_group=group)
    second = ttl.make_dfb(ttnn.float32, (1, 1), 2, (32, 32), group)
    y_dfb = ttl.make_dfb(ttnn.float32, (1, 1))
    for row in range(2):
        ttl.copy(a[row, 0], first.reserve()).wait()
        y_dfb.reserve().store((first.wait() + 1) * 2)
        ttl.copy(y_dfb.wait(), y[row, 0]).wait()
    for row in range(2, 4):
        ttl.copy(a[row, 0], second.reserve()).wait()
        y_dfb.reserve().store((second.wait() + 1) * 2)
        ttl.copy(y_dfb.wait(), y[row, 0]).wait()


def test_buffers_of_an_allocation_group():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        two_phases(a, y, ttl.make_dfb_allocation_group())

    a, y = numbers(128, 32), np.zeros((128, 32), np.float32)
    assert len(re.findall("ttl.allocation_group = 1", op.ir(a, y))) == 2
    op(a, y)
    assert np.array_equal(y, (a + 1) * 2)


def test_buffers_that_are_used_together_share_nothing():
    def body(a, y, a_dfb, y_dfb):
        group = ttl.make_dfb_allocation_group()
        first, second = (ttl.make_dfb(ttnn.float32, (1, 1), allocation_group=group) for _ in range(2))
        for row in range(2):
            ttl.copy(a[row, 0], first.reserve()).wait()
        ttl.copy(a[0, 0], second.reserve()).wait()
        for row in range(2):
            y_dfb.reserve().store(first.wait() + second.wait())
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    assert "shares its allocation group" in failing(body).message


def test_a_group_is_made_by_its_function():
    def body(a, y, a_dfb, y_dfb):
        ttl.make_dfb(ttnn.float32, (1, 1), allocation_group=1)

    assert "must be created by ttl.make_dfb_allocation_group(), found 1" in failing(body).message


def test_imports_in_the_body():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        import math
        from math import floor as down

        a_dfb, y_dfb = (ttl.make_dfb(ttnn.float32, (1, 1)) for _ in range(2))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        y_dfb.reserve().store(a_dfb.wait() + math.ceil(1.5) + down(1.5))
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    a, y = numbers(32, 32), np.zeros((32, 32), np.float32)
    op(a, y)
    assert np.array_equal(y, a + 3)
    misses = ttl._cache_info().misses
    op(a, y)
    assert ttl._cache_info().misses == misses


# ===--------------------------------------------------------------------------=== #
# Stores into blocks from wait()
# ===--------------------------------------------------------------------------=== #


def replaced(a, compute):
    """Returns the tiles that compute(block, out) stores into `out`, for each tile of a."""

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        a_dfb = ttl.make_dfb(a.dtype, (1, 1))
        y_dfb = ttl.make_dfb(ttnn.float32, (1, 1))
        for row in range(2):
            ttl.copy(a[row, 0], a_dfb.reserve()).wait()
            with a_dfb.wait() as block, y_dfb.reserve() as out:
                compute(block, out)
            ttl.copy(y_dfb.wait(), y[row, 0]).wait()

    y = np.zeros((64, 32), np.float32)
    op(a, y)
    return y


def test_a_waited_block_gets_a_new_value():
    def compute(block, out):
        old = block * 3
        block.store(block + 1)
        out.store(block * 2 + old)

    a = numbers(64, 32)
    assert np.array_equal(replaced(a, compute), (a + 1) * 2 + a * 3)


def test_a_new_value_is_rounded_to_the_blocks_format():
    def compute(block, out):
        block.store(block * 1.0039)
        out.store(block + 0)

    a = ttnn.from_numpy(numbers(64, 32), dtype=ttnn.bfloat16)
    exact = ttnn.to_numpy(a) * np.float32(1.0039)
    assert np.array_equal(replaced(a, compute), ttnn.to_numpy(ttnn.from_numpy(exact, dtype=ttnn.bfloat16)))


@pytest.mark.parametrize(
    "compute, message",
    [
        (lambda block, out: _twice(block, out), "twice"),
        (lambda block, out: _sometimes(block, out), "inside a condition or loop"),
        (lambda block, out: _unread(block, out), "read"),
    ],
)
def test_blocks_that_cannot_be_replaced(compute, message):
    with pytest.raises(ttl.CompileError, match=message):
        replaced(numbers(64, 32), compute)


def _twice(block, out):
    block.store(block + 1)
    block.store(block + 1)
    out.store(block)


def _sometimes(block, out):
    if ttl.node(dims=2)[0] == 0:
        block.store(block + 1)
    out.store(block)


def _unread(block, out):
    block.store(ttl.block.fill(1, shape=(1, 1)))
    out.store(block)


@pytest.mark.parametrize("in_reader", [False, True])
def test_a_with_that_only_raises(in_reader):
    """A `with` whose body only raises: each thread runs the raise, and none releases the blocks."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        for i in range(2):
            if i == 1 and in_reader:
                with a_dfb.reserve() as block:
                    assert False, "not yet"
            else:
                with a_dfb.reserve() as block:
                    ttl.copy(a[0, 0], block).wait()
            if i == 0:
                with a_dfb.wait() as block, y_dfb.reserve() as y_block:
                    y_block.store(block)
            else:
                with a_dfb.wait() as block, y_dfb.reserve() as y_block:
                    raise NotImplementedError("not yet")
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    a = np.ones((32, 32), np.float32)
    with pytest.raises(ttl.RuntimeFault, match="not yet"):
        op(a, a.copy())


def test_too_many_copies_name_the_operation():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        for _ in tuple(range(70)) * 70:
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()

    a = np.ones((32, 32), np.float32)
    with pytest.raises(ttl.CompileError, match=r"^operation op\(\) would consist of more than"):
        op(a, a.copy())
