# SPDX-License-Identifier: Apache-2.0
"""push() and pop() inside the with statement that acquired the block."""
# feature: Blocks in with

import numpy as np
import pytest
import ttl


def read_rows(a, dfb, zero):
    for row in range(4):
        with dfb.reserve() as block:
            ttl.copy(a[row, 0], block).wait()
            block.push()


def write_rows(dfb, y, zero):
    for row in range(4):
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            block.pop()


def run(reader_body=read_rows, writer_body=write_rows, compute_body=None):
    a = np.random.default_rng(1).random((128, 32), np.float32)
    y = np.zeros_like(a)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        y_dfb = a_dfb
        if compute_body:
            y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

            @ttl.compute()
            def compute():
                compute_body(a_dfb, y_dfb, ttl.node(dims=1))

        @ttl.datamovement()
        def reader():
            reader_body(a, a_dfb, ttl.node(dims=1))

        @ttl.datamovement()
        def writer():
            writer_body(y_dfb, y, ttl.node(dims=1))

    op(a, y)
    assert np.array_equal(y, a)


def test_release_as_the_last_statement():
    run()


def by_the_buffer(dfb, y, zero):
    for row in range(4):
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            dfb.pop()


def in_one_branch(dfb, y, zero):
    for row in range(4):
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            if row % 2 == zero:
                block.pop()


def in_nested_branches(dfb, y, zero):
    for row in range(4 + zero):
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            if row > 0:
                if row > 1:
                    block.pop()
                else:
                    assert row == 1
            elif zero == 0:
                block.pop()


def in_both_branches(dfb, y, zero):
    for row in range(4):
        with dfb.wait() as block:
            if row == zero:
                ttl.copy(block, y[row, 0]).wait()
                block.pop()
            else:
                ttl.copy(block, y[row, 0]).wait()
                block.pop()


def before_a_continue(dfb, y, zero):
    for row in range(4):
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            if row == zero:
                block.pop()
                continue
            assert row > 0


def before_a_break_of_a_while(dfb, y, zero):
    row = zero
    while True:
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            if row == 3:
                block.pop()
                break
        row += 1


def before_a_return(dfb, y, zero):
    for row in range(9):
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            block.pop()
            if row == 3:
                return


def of_two_blocks(dfb, y, zero):
    for row in range(0, 4, 2):
        with dfb.wait() as first, dfb.wait() as second:
            ttl.copy(first, y[row, 0]).wait()
            first.pop()
            ttl.copy(second, y[row + 1, 0]).wait()


def finish(block):
    block.pop()


def in_a_helper_function(dfb, y, zero):
    for row in range(4):
        with dfb.wait() as block:
            ttl.copy(block, y[row, 0]).wait()
            finish(block)


WRITERS = [by_the_buffer, in_one_branch, in_nested_branches, in_both_branches, before_a_continue,
           before_a_break_of_a_while, before_a_return, of_two_blocks, in_a_helper_function]


@pytest.mark.filterwarnings("ignore::ttl.CardWarning")
@pytest.mark.parametrize("writer", WRITERS, ids=lambda body: body.__name__)
def test_release_inside(writer):
    run(writer_body=writer)


def compute_in_one_branch(a_dfb, y_dfb, zero):
    for row in range(4):
        with a_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block)
            if row % 2 == zero:
                out.push()
                block.pop()


def compute_at_the_end(a_dfb, y_dfb, zero):
    for row in range(4 + zero):
        with a_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block)
            block.pop()
            out.push()


@pytest.mark.parametrize("compute", [compute_in_one_branch, compute_at_the_end], ids=lambda b: b.__name__)
def test_compute_threads(compute):
    run(compute_body=compute)


def test_a_thread_that_counts_its_blocks():
    def writer(dfb, y, zero):
        row = zero
        held = dfb.wait()
        while row < 3:
            with dfb.wait() as block:
                ttl.copy(held, y[row, 0]).wait()
                held.pop()
                if row == 2:
                    ttl.copy(block, y[3, 0]).wait()
                    block.pop()
                else:
                    ttl.copy(block, y[row + 1, 0]).wait()
                    block.pop()
            if row < 2:
                held = dfb.wait()
            row += 2

    run(writer_body=writer)


def test_unified_body():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))
        for row in range(2):
            ttl.copy(a[row, 0], a_dfb.reserve())
            with a_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block + 1)
                if row + ttl.node(dims=1) == 0:
                    out.push()
                    block.pop()
            with y_dfb.wait() as block:
                ttl.copy(block, y[row, 0])
                block.pop()

    a = np.random.default_rng(1).random((64, 32), np.float32)
    y = np.zeros_like(a)
    op(a, y)
    assert np.array_equal(y, a + 1)


# ===--------------------------------------------------------------------------=== #
# Mistakes with releases inside with statements
# ===--------------------------------------------------------------------------=== #


def test_a_use_after_the_release():
    def writer(dfb, y, zero):
        for row in range(4):
            with dfb.wait() as block:
                block.pop()
                ttl.copy(block, y[row, 0]).wait()

    with pytest.raises(ttl.CompileError, match="cannot copy from block 'block' of 'a_dfb': it was released"):
        run(writer_body=writer)


def test_a_use_after_a_release_on_some_paths():
    def writer(dfb, y, zero):
        for row in range(4):
            with dfb.wait() as block:
                if row == zero:
                    block.pop()
                ttl.copy(block, y[row, 0]).wait()

    with pytest.raises(ttl.CompileError, match="cannot copy from block 'block' of 'a_dfb': it was released"):
        run(writer_body=writer)


def test_a_second_release():
    def writer(dfb, y, zero):
        for row in range(4):
            with dfb.wait() as block:
                ttl.copy(block, y[row, 0]).wait()
                block.pop()
                block.pop()

    with pytest.raises(ttl.CompileError, match="cannot pop block 'block' of 'a_dfb': it was released"):
        run(writer_body=writer)


def release_in_a_loop(trips):
    def writer(dfb, y, zero):
        for row in range(4 + zero):
            with dfb.wait() as block:
                ttl.copy(block, y[row, 0]).wait()
                for _ in range(trips + zero):
                    block.pop()

    run(writer_body=writer)


def test_a_release_in_a_loop_of_one_iteration():
    release_in_a_loop(1)


def test_a_release_in_a_loop_of_two_iterations():
    with pytest.raises(ttl.CompileError, match="is acquired before the loop in line .* and released inside it"):
        release_in_a_loop(2)
